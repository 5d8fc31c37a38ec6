"""Every reason that a refusal can carry has a sentence of its own, and every input that one can name has a name."""

import datetime as dt
from typing import Any

import pytest

from app.desktop.error_words import field_label
from app.desktop.errors import refusal_sentence
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.domain.errors import Refusal, RefusalCode, invalid
from tests import refusal_reasons
from tests.refusal_reasons import Carried

REASONS = sorted(refusal_reasons.reasons())
PARAMS: dict[str, Any] = {
    "least": 2,
    "most": 80,
    "exactly": 16,
    "length": 15,
    "expires_on": "2027-03-10",
    "last_day": dt.date(2027, 4, 12),
    "possible": dt.date(2027, 4, 13),
    "limit": 365,
    "plate": "B 1200 XYZ",
    "status": "RETIRED",
}
HOLDER: dict[str, Any] = {"drawer": "Laci 1", "holder_name": "Siti"}
UNKNOWN = "never_heard_of"


def _sentence(carried: Carried, language: Language) -> str:
    use_language(language)
    field = {"DUPLICATE": "drawer", "PERIOD_INVALID": "last_day"}.get(carried.code, "login")
    known = HOLDER if carried.reason != UNKNOWN else {}
    no = Refusal(RefusalCode(carried.code), field=field, reason=carried.reason, **PARAMS, **known)
    return refusal_sentence(no).whole


def test_the_search_finds_reasons_however_they_are_written() -> None:
    assert {
        Carried(code="FIELD_INVALID", reason="not_waiting"),  # a plain text in SQL
        Carried(code="FIELD_INVALID", reason="not_a_counter"),  # one side of a CASE
        Carried(code="FIELD_INVALID", reason="too_few_iterations"),  # inside a JSON text
        Carried(code="FIELD_INVALID", reason="not_a_rupiah"),  # put together from a kind
        Carried(code="FIELD_INVALID", reason="differs_by_case"),  # a row of a fleet file
        Carried(code="FIELD_INVALID", reason="not_utf8"),  # what a Python function answers
        Carried(code="FIELD_INVALID", reason="not_dict"),  # a Python kind
        Carried(code="PERIOD_INVALID", reason="not_longer"),  # through a function of its own
        Carried(code="PERIOD_INVALID", reason="too_far"),  # a variable in SQL
    } <= set(REASONS)
    assert Carried(code="PERIOD_INVALID", reason="plate") not in REASONS


def test_a_reason_that_the_search_cannot_read_is_an_error() -> None:
    with pytest.raises(AssertionError, match="what can the reason"):
        list(refusal_reasons.in_python("def check(x):\n    raise invalid('name', reason_of(x))\n"))
    with pytest.raises(AssertionError, match="what can the reason"):
        list(refusal_reasons.in_sql("PERFORM sentra.invalid('name', why);"))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("carried", REASONS, ids=lambda item: f"{item.code}-{item.reason}")
def test_every_reason_has_a_sentence_of_its_own(carried: Carried, language: Language) -> None:
    said = _sentence(carried, language)
    assert said != _sentence(Carried(code=carried.code, reason=UNKNOWN), language)
    assert "{" not in said
    assert "  " not in said
    assert " ." not in said


def test_every_reasons_sentence_is_told_in_two_languages() -> None:
    same = [item for item in REASONS if _sentence(item, Language.ID) == _sentence(item, Language.EN)]
    assert same == []


@pytest.mark.parametrize("language", list(Language))
def test_every_input_that_a_refusal_names_has_a_name(language: Language) -> None:
    use_language(language)
    nameless = [name for name in sorted(refusal_reasons.fields()) if field_label(name) == field_label(UNKNOWN)]
    assert nameless == []


@pytest.mark.parametrize(
    ("refusal", "indonesian", "english"),
    [
        (
            invalid("entry_id", "not_waiting", state="WITHDRAWN"),
            "Tempat di antrean tidak menunggu lagi. Muat ulang (F5) untuk keadaan terbaru.",
            "Waitlist place is no longer waiting. Refresh (F5) to see the latest.",
        ),
        (
            Refusal(RefusalCode.NOT_FOUND, field="block_id"),
            "Perawatan tidak ditemukan. Muat ulang (F5) atau periksa yang diketik.",
            "Maintenance not found. Refresh (F5) or check what was typed.",
        ),
        (
            invalid("reason", "not_a_reason"),
            "Alasan harus berisi kata-kata. Perbaiki, lalu coba lagi.",
            "Reason needs words. Correct it, then try again.",
        ),
        (
            invalid("tenders.amount", "too_much", change=200_000_000, most=100_000_000),
            "Jumlah uang terlalu besar untuk dikembalikan. Periksa jumlah yang diterima.",
            "Amount is too much to give change for. Check the amount received.",
        ),
        (
            invalid("unit_id", "differs_by_case"),
            "Unit sudah ada dengan huruf besar kecil yang lain. Perbaiki berkasnya, lalu impor lagi.",
            "Unit exists already in other upper and lower case. Correct the file, then import it again.",
        ),
        (
            invalid("counter", "not_a_counter"),
            "Nama kasir harus berisi huruf atau angka. Perbaiki nama kasir di pengaturan, lalu coba lagi.",
            "Counter name needs letters or digits. Correct the counter's name in the settings, then try again.",
        ),
        (
            invalid("verifier", "too_few_iterations", least=4096),
            "Sandi tersimpan terlalu lemah, paling sedikit 4.096 putaran. "
            "Simpan kata sandinya lagi dengan sentra-admin.",
            "The stored password is too weak, at least 4,096 rounds are needed. "
            "Store the password again with sentra-admin.",
        ),
    ],
)
def test_the_sentence_names_the_input_and_the_next_step(refusal: Refusal, indonesian: str, english: str) -> None:
    use_language(Language.ID)
    assert refusal_sentence(refusal).whole == indonesian
    use_language(Language.EN)
    assert refusal_sentence(refusal).whole == english
