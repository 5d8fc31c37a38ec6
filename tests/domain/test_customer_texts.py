"""What is typed of a customer and of a company: one stored form each, and a refusal that names the input."""

import datetime as dt
from collections.abc import Callable

import pytest

from app.domain import company, customer_texts
from app.domain.errors import Refusal, RefusalCode
from app.domain.identity import LicenceClass
from app.domain.waitlist import Tier

TODAY = dt.date(2027, 3, 1)
CONTROL = ["a\x00b", "\u202etxet", "a\x1bb", "a\ud800b"]


def test_each_input_has_one_stored_form() -> None:
    assert customer_texts.checked_email("  Nama@Contoh.ID ") == "nama@contoh.id"
    assert customer_texts.checked_email("") == ""
    assert customer_texts.checked_address("Jl. Melati 1\r\nJakarta ") == "Jl. Melati 1\nJakarta"
    assert customer_texts.checked_nationality(" my ") == "MY"
    assert customer_texts.checked_birth(None, TODAY) is None
    assert customer_texts.checked_licence_class("b1  umum") is LicenceClass.B1_PUBLIC
    assert customer_texts.checked_licence_class("") is None
    assert customer_texts.checked_tier("GOLD") is Tier.GOLD
    assert customer_texts.checked_code(" 07 ") == "07"
    assert customer_texts.checked_code(None) is None
    assert company.checked_npwp("01.234.567.8-901.000") == "012345678901000"
    assert company.checked_npwp("") == ""
    assert company.shown_npwp("012345678901000") == "01.234.567.8-901.000"
    assert company.shown_npwp("0123456789012345") == "0123 4567 8901 2345"


@pytest.mark.parametrize(
    ("field", "check"),
    [
        *(
            ("email", lambda t=t: customer_texts.checked_email(t))
            for t in ("a@b", "a b@c.id", "a@@b.id", "a" * 300, "😀@b.id")
        ),
        *(("address", lambda t=t: customer_texts.checked_address(t)) for t in ("x" * 301, *CONTROL)),
        *(
            ("nationality", lambda t=t: customer_texts.checked_nationality(t))
            for t in ("", "IDN", "1D", "I\u0130", "%s")
        ),
        *(
            ("birth_on", lambda d=d: customer_texts.checked_birth(d, TODAY))
            for d in (TODAY, dt.date(2030, 1, 1), dt.date(1899, 12, 31))
        ),
        *(
            ("licence_expires_on", lambda d=d: customer_texts.checked_expiry(d))
            for d in (dt.date(1999, 12, 31), dt.date(2101, 1, 1))
        ),
        *(("licence_class", lambda t=t: customer_texts.checked_licence_class(t)) for t in ("E", "A1", "' OR 1", "😀")),
        *(("tier", lambda t=t: customer_texts.checked_tier(t)) for t in ("", "gold", "VIP")),
        *(("blacklist_code", lambda t=t: customer_texts.checked_code(t)) for t in ("7", "007", "01", "ab", "٠٧")),
        *(
            ("npwp", lambda t=t: company.checked_npwp(t))
            for t in ("1", "1" * 14, "1" * 17, "NPWP", "😀", "1" * 5_000, "1" * 15 + " " * 80 + "99")
        ),
        *(("credit_limit", lambda n=n: company.checked_credit_limit(n)) for n in (-1, 10**12, True)),
        *(("due_days", lambda n=n: company.checked_due_days(n)) for n in (-1, 121, True)),
    ],
)
def test_bad_input_is_refused_by_its_name(field: str, check: Callable[[], object]) -> None:
    with pytest.raises(Refusal) as no:
        check()
    assert (no.value.code, no.value.field) == (RefusalCode.FIELD_INVALID, field)
