"""Every refusal becomes a sentence in both languages that says what happened and what to do."""

import datetime as dt

import pytest

from app.desktop.error_words import field_label, role_list
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.viewmodel import Failure
from app.domain.errors import Refusal, RefusalCode, invalid

SINCE = dt.datetime(2026, 11, 30, 7, 3, tzinfo=dt.UTC)
DAYS = {"first_day": dt.date(2026, 12, 3), "last_day": dt.date(2026, 12, 5)}
BLOCKER = {
    "kind": "BOOKING",
    "number": "BK-10233",
    "state": "PAID_APPROVED",
    "customer": "Siti R.",
    "first_day": dt.date(2026, 12, 4),
    "last_day": dt.date(2026, 12, 6),
}
REPAIR = {"kind": "MAINTENANCE", "number": None, "first_day": dt.date(2026, 12, 4), "last_day": dt.date(2026, 12, 4)}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("code", list(RefusalCode))
def test_every_code_has_a_fact_and_a_next_step_even_without_parameters(code: RefusalCode, language: Language) -> None:
    use_language(language)
    sentence = refusal_sentence(Refusal(code))
    for part in (sentence.title, sentence.text):
        assert part.endswith(".")
        assert "{" not in part
        assert "None" not in part
        assert "  " not in part
        assert " ." not in part


def test_both_languages_differ_for_every_code() -> None:
    indonesian = [refusal_sentence(Refusal(code)).whole for code in RefusalCode]
    use_language(Language.EN)
    english = [refusal_sentence(Refusal(code)).whole for code in RefusalCode]
    assert not set(indonesian) & set(english)
    assert len(set(indonesian)) == len(RefusalCode)


@pytest.mark.parametrize(
    ("refusal", "indonesian", "english"),
    [
        (
            Refusal(RefusalCode.DAYS_TAKEN, plate="B 1200 XYZ", sku="TOY-AVNZ-G", blockers=[BLOCKER], **DAYS),
            "B 1200 XYZ tidak bisa dipesan 3–5 Des. 4–6 Des dipakai BK-10233 (Siti R., dibayar). "
            "Pilih unit atau tanggal lain.",
            "B 1200 XYZ cannot be booked 3–5 Dec. 4–6 Dec taken by BK-10233 (Siti R., paid). "
            "Choose another unit or other dates.",
        ),
        (
            Refusal(RefusalCode.DAYS_TAKEN, sku="TOY-AVNZ-G", blockers=[REPAIR], **DAYS),
            "Tidak ada TOY-AVNZ-G kosong pada 3–5 Des. 4 Des dalam perawatan. Pilih unit atau tanggal lain.",
            "No TOY-AVNZ-G is free 3–5 Dec. 4 Dec in maintenance. Choose another unit or other dates.",
        ),
        (
            Refusal(
                RefusalCode.LOCK_HELD,
                holder_name="Siti",
                counter="Kasir 2",
                since=SINCE,
                remaining_ms=48_900,
                number="BK-10240",
            ),
            "Tagihan BK-10240 sedang diproses Siti (Kasir 2) sejak 14.03. Paling lama 0:48 lagi.",
            "Invoice BK-10240 is being settled by Siti (Kasir 2) since 14:03. At most 0:48 more.",
        ),
        (
            Refusal(RefusalCode.INVOICE_LOCKED, holder_name="Siti", counter="Kasir 2"),
            "Tagihannya sedang diproses Siti (Kasir 2). Tidak ada yang berubah. Coba lagi setelah selesai.",
            "Its invoice is being settled by Siti (Kasir 2). Nothing was changed. Try again when it is done.",
        ),
        (
            Refusal(RefusalCode.AMOUNT_MISMATCH, due=1_497_500, given=1_400_000, missing=97_500),
            "Kurang Rp\u00a097.500. Isi jumlah yang diterima.",
            "Rp\u00a097,500 short. Enter the amount received.",
        ),
        (
            Refusal(RefusalCode.AMOUNT_MISMATCH, due=1_427_500, shown=1_497_500),
            "Total berubah Rp\u00a01.497.500 menjadi Rp\u00a01.427.500. "
            "Belum ada yang dibayar. Muat ulang (F5), lalu periksa lagi.",
            "The total changed from Rp\u00a01,497,500 to Rp\u00a01,427,500. "
            "Nothing was paid. Refresh (F5), then check again.",
        ),
        (
            invalid("customer.phone", "not_a_phone", given="12"),
            "Nomor telepon harus 9-13 angka, contoh 0812-3456-7890. Perbaiki, lalu coba lagi.",
            "Phone number needs 9-13 digits, e.g. 0812-3456-7890. Correct it, then try again.",
        ),
        (
            invalid("customer.name", "length", length=1, least=2, most=80),
            "Nama pelanggan harus 2-80 huruf. Perbaiki, lalu coba lagi.",
            "Customer name must be 2-80 characters. Correct it, then try again.",
        ),
        (
            Refusal(RefusalCode.PERIOD_INVALID, field="lines[0].first_day", reason="past"),
            "Tanggal ambil sudah lewat. Perbaiki tanggal ambil.",
            "The pick-up date is in the past. Correct the pick-up date.",
        ),
        (
            Refusal(RefusalCode.NOT_ALLOWED, action="settle", roles=["cashier", "manager"]),
            "Peran Anda tidak boleh melakukan ini. Perlu peran Kasir. Minta rekan atau manajer.",
            "Your role may not do this. It needs the role Cashier. Ask a colleague or a manager.",
        ),
        (
            Refusal(RefusalCode.NOT_ALLOWED, field="password"),
            "Nama masuk atau kata sandi tidak cocok. Periksa Caps Lock, lalu ketik kata sandi lagi.",
            "Login and password do not match. Check Caps Lock, then type the password again.",
        ),
        (
            Refusal(RefusalCode.BOOKING_STATE, state="PAID"),
            "Tidak bisa lagi: statusnya sekarang lunas. Muat ulang (F5) untuk keadaan terbaru.",
            "Not possible any more: the state is now paid. Refresh (F5) to see the latest.",
        ),
    ],
)
def test_sentences_carry_the_facts(refusal: Refusal, indonesian: str, english: str) -> None:
    assert refusal_sentence(refusal).whole == indonesian
    use_language(Language.EN)
    assert refusal_sentence(refusal).whole == english


def test_times_in_sentences_are_the_branchs() -> None:
    refusal = Refusal(RefusalCode.LOCK_HELD, holder_name="Siti", counter="Kasir 2", since=SINCE, remaining_ms=1000)
    assert "sejak 15.03" in refusal_sentence(refusal, "Asia/Makassar").title


def test_a_failure_shows_its_code_and_nothing_else() -> None:
    sentence = failure_sentence(Failure(code="E-12AB", command="pay"))
    assert "E-12AB" in sentence.text
    assert "pay" not in sentence.whole


def test_fields_and_roles_have_names() -> None:
    assert field_label("lines[3].last_day") == "Tanggal kembali"
    assert field_label("tenders.amount") == "Jumlah uang"
    assert field_label(None) == "Isian"
    assert role_list(["manager"]) == "Manajer"
    assert role_list(("agent", "cashier", "manager")) == "Agen, Kasir"


@pytest.mark.parametrize("language", list(Language))
def test_why_an_identity_number_stays_closed_is_told_apart(language: Language) -> None:
    use_language(language)
    away = {
        reason: refusal_sentence(Refusal(RefusalCode.UNREACHABLE, next=(), reason=reason))
        for reason in ("identity_key", "service", "not_secured", "elsewhere")
    }
    torn = refusal_sentence(Refusal(RefusalCode.NOT_FOUND, field="customer_id", reason="sealed_otherwise"))
    assert len({sentence.text for sentence in (*away.values(), torn)}) == 5
    assert len({sentence.title for sentence in away.values()}) == 2
