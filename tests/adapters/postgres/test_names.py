"""A name's search form and its rules: what Python says, SQL says."""

import pytest

from app.domain.customer import checked_name, folded
from app.domain.errors import Refusal
from tests.adapters.postgres.write_rig import WriteRig

NAMES = (
    *("Sari Dewi", "SITI NURHALIZA", "O'Connor", "José Álvarez", "Ngô Thị Hồng Nhung", "Åsa Öberg", "Straße Weiß"),
    *("PT Arunika (Persero) Tbk.", "Σωκράτης Παπαδόπουλος", "محمد علي", "李小龙", "김민수", "Ива́н Петро́в", "สมชาย ใจดี"),
    *("ﬁrma Ⅸ", "İbrahim Çelik", "Władysław Łukasz", "अमित शर्मा", "Ｓａｒｉ Ｄｅｗｉ", "R2 D2"),
)
NOBODY = (
    *("", "A", "x" * 81, "12345", "--", "\u3164\u3164", "A\u3164", "\u2800\u2800", "\uffa0\u115f\u1160"),
    *("Budi\u202eSantoso", "Budi\u200b", "Bu" + "\u0301" * 5 + "di", "\ufdfa" * 80),
)


@pytest.mark.parametrize("name", NAMES)
def test_sql_folds_a_name_as_the_domain_does(rig: WriteRig, name: str) -> None:
    assert rig.value("SELECT sentra.folded(%s)", name) == folded(name)


@pytest.mark.parametrize("name", [*NAMES, "Bu" + "\u0301" * 4 + "di", "Li"])
def test_a_name_that_the_domain_takes_sql_takes(rig: WriteRig, name: str) -> None:
    assert rig.value("SELECT sentra.name_fault(%s)", checked_name(name)) is None


@pytest.mark.parametrize("name", NOBODY)
def test_a_name_that_is_nobodys_is_refused_by_the_domain_and_by_sql(rig: WriteRig, name: str) -> None:
    with pytest.raises(Refusal):
        checked_name(name)

    assert rig.value("SELECT sentra.name_fault(%s)", name) is not None
