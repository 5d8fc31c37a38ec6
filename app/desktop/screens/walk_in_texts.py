"""The sentences of the walk-in drawer: what is wrong with a field, the price lines, the hold's state."""

import datetime as dt
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import day_short, day_with_weekday, money, zone_label
from app.desktop.language import language
from app.desktop.screens.customers_texts import blocked_words, warning_words
from app.desktop.screens.walk_in_form import Problem, WalkInForm
from app.desktop.screens.walk_in_form_viewmodel import FormViewModel
from app.desktop.screens.walk_in_hours import is_outside
from app.desktop.screens.walk_in_sent import FoundOrder
from app.desktop.states import ShownState, state_label
from app.desktop.widgets.time_field import written_time
from app.domain.booking import BookingState
from app.domain.errors import Refusal
from app.domain.identity import checked_nik
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.money import Rupiah
from app.domain.pricing import Quote
from app.domain.staff import Branch

MOST_ROWS = 5
"""What the drawer has room for above the total."""
ROWS_LOW = 3
"""And on a small screen."""


def problem_sentence(problem: Problem, form: WalkInForm | None = None, least_deposit: int = 0) -> str:
    """One short sentence per problem: what to type, no blame."""
    match problem:
        case Problem.NO_CUSTOMER:
            return QCoreApplication.translate("WalkIn", "Pilih pelanggan, atau tambahkan pelanggan baru.")
        case Problem.NO_PHONE:
            return QCoreApplication.translate("WalkIn", "Nomor telepon 9-13 angka, contoh 0812-3456-7890.")
        case Problem.NO_NAME:
            return QCoreApplication.translate("WalkIn", "Isi nama sesuai KTP.")
        case Problem.LONG_NAME:
            count = len(" ".join(form.new_name.split())) if form is not None else 0
            text = QCoreApplication.translate("WalkIn", "Nama paling panjang 80 huruf, sekarang {0}. Singkat namanya.")
            return text.format(count)
        case Problem.NIK_LENGTH:
            count = sum(sign.isdigit() for sign in form.nik) if form is not None else 0
            return QCoreApplication.translate("WalkIn", "NIK harus 16 angka, baru {0}.").format(count)
        case Problem.LICENCE_DAY:
            return QCoreApplication.translate("WalkIn", "Isi tanggal SIM, contoh 30/11/28.")
        case Problem.LICENCE_EXPIRES:
            day = form.known_licence_day if form is not None else None
            text = QCoreApplication.translate("WalkIn", "SIM habis {0}, sebelum tanggal kembali.")
            return text.format(day_short(day, language()) if day is not None else "–")
        case Problem.DISCOUNT:
            return QCoreApplication.translate("WalkIn", "Diskon 0-100 %, tanpa koma.")
        case Problem.DEPOSIT:
            text = QCoreApplication.translate("WalkIn", "Deposit minimal {0}.")
            return text.format(money(least_deposit, language()))
        case Problem.DOWN:
            return QCoreApplication.translate("WalkIn", "Uang muka dalam rupiah bulat, contoh 500rb.")
        case Problem.NO_SKU:
            return QCoreApplication.translate("WalkIn", "Pilih barang.")
        case Problem.NO_FIRST:
            return QCoreApplication.translate("WalkIn", "Isi tanggal, contoh 30/11, besok, +3.")
        case Problem.PAST:
            return QCoreApplication.translate("WalkIn", "Tanggal ambil sudah lewat.")
        case Problem.REVERSED:
            return QCoreApplication.translate("WalkIn", "Tanggal kembali tidak boleh sebelum tanggal ambil.")
        case Problem.TIME:
            return QCoreApplication.translate("WalkIn", "Isi jam 00.00-23.59, contoh 14.05.")
        case Problem.DUE_FIRST:
            return QCoreApplication.translate("WalkIn", "Jam kembali harus setelah jam ambil.")
        case Problem.TOO_LONG:
            return QCoreApplication.translate("WalkIn", "Lama sewa 1-365 hari.")


def blocked_sentence(code: str) -> str:
    """What a screen that the customer sees may say of a blacklist or of arrears."""
    return f"{blocked_words(code)}."


def nik_warning(form: WalkInForm) -> str:
    """What looks odd in an identity number of 16 digits; it stands all the same."""
    try:
        _, odd = checked_nik(form.new_nik)
    except Refusal:  # not whole yet; that is told as a problem of the field
        return ""
    return warning_words(odd[0]) if odd else ""


def offline_reason(model: FormViewModel) -> str:
    """Why nothing can be held now, and that what was typed is kept; empty while the server answers."""
    if model.is_online:
        return ""
    if model.form.is_empty:
        return QCoreApplication.translate("WalkIn", "Belum bisa menahan unit: koneksi terputus.")
    return QCoreApplication.translate("WalkIn", "Belum bisa menahan unit: koneksi terputus. Draf disimpan.")


def found_sentence(found: FoundOrder) -> str:
    """What became of an order whose answer was lost."""
    if found.state is BookingState.PENDING_PAYMENT:
        text = QCoreApplication.translate("WalkIn", "{0} sudah ditahan untuk {1}.")
        return text.format(found.number, found.customer_name)
    text = QCoreApplication.translate("WalkIn", "{0} untuk {1} sudah tersimpan: {2}.")
    return text.format(found.number, found.customer_name, state_label(ShownState(found.state.value)))


def held_behind_sentence(found: FoundOrder) -> str:
    """An order of a form that is no longer shown was held; how to go on with it."""
    if found.state is not BookingState.PENDING_PAYMENT:
        return found_sentence(found)
    text = QCoreApplication.translate("WalkIn", "{0} untuk {1} ditahan · F9 di kalender untuk bayar")
    return text.format(found.number, found.customer_name)


def also_held_sentence(found: FoundOrder) -> str:
    """An order with other content came through late: two holds for one walk-in."""
    text = QCoreApplication.translate("WalkIn", "{0} untuk {1} juga tertahan: batalkan?")
    return text.format(found.number, found.customer_name)


def refused_behind_sentence(name: str, reason: str) -> str:
    """A form that is no longer shown was refused; it waits as a draft."""
    text = QCoreApplication.translate("WalkIn", "{0} belum ditahan: {1} Drafnya disimpan.")
    return text.format(name, reason)


def price_line(line: InvoiceLine) -> str:
    """`Sewa 3 × Rp 350.000`, `Deposit (dikembalikan)`, `PPN`."""
    match line.kind:
        case LineKind.RENT:
            return QCoreApplication.translate("WalkIn", "Sewa {0} × {1}").format(
                line.quantity, money(line.unit_price, language())
            )
        case LineKind.DEPOSIT:
            return QCoreApplication.translate("WalkIn", "Deposit (dikembalikan)")
        case LineKind.PPN:
            return "PPN"
        case LineKind.DISCOUNT:
            percent = "".join(sign for sign in line.text if sign.isdigit())
            return QCoreApplication.translate("WalkIn", "Diskon {0} %").format(percent)
        case LineKind.EXTRA:
            return f"{line.text} {price_terms(line)}" if line.quantity > 1 else line.text
        case _:
            return line.text


def price_rows(quote: Quote, most: int = MOST_ROWS) -> tuple[tuple[str, Rupiah], ...]:
    """Text and amount of each row; the lines of one kind together where several units make several of them.

    Where that is more than `most`, what is agreed on beside the rent is one sum.
    """
    rows = _rows(quote, most)
    if len(rows) <= most:
        return tuple((text, amount) for _, text, amount in rows)
    beside = [row for row in rows if row[0] in (LineKind.EXTRA, LineKind.DISCOUNT)]
    words = QCoreApplication.translate("WalkIn", "Tambahan dan diskon")
    if all(kind is LineKind.EXTRA for kind, _, _ in beside):
        words = QCoreApplication.translate("WalkIn", "Tambahan ({0})").format(len(beside))
    found = [(text, amount) for kind, text, amount in rows if kind is LineKind.RENT]
    if beside:
        found.append((words, Rupiah(sum(amount for _, _, amount in beside))))
    others = (LineKind.RENT, LineKind.EXTRA, LineKind.DISCOUNT)
    return tuple(found + [(text, amount) for kind, text, amount in rows if kind not in others])


def _rows(quote: Quote, most: int) -> list[tuple[LineKind, str, Rupiah]]:
    rows: list[tuple[LineKind, str, Rupiah]] = []
    for kind in dict.fromkeys(line.kind for line in quote.lines):
        lines = [line for line in quote.lines if line.kind is kind]
        alike = len({(line.quantity, line.unit_price) for line in lines}) == 1
        is_one_unit = len({line.booking_id for line in lines}) == 1
        is_apart = is_one_unit and (len(quote.lines) <= most or (kind is LineKind.EXTRA and most < MOST_ROWS))
        if len(lines) == 1 or is_apart:
            rows += [(kind, price_line(line), line.amount) for line in lines]
            continue
        if is_one_unit:
            text = _sum_words(kind, lines)
        elif kind is LineKind.RENT:
            if alike:
                text = QCoreApplication.translate("WalkIn", "{0} unit · {1}").format(len(lines), price_terms(lines[0]))
            else:
                text = QCoreApplication.translate("WalkIn", "Sewa {0} unit").format(len(lines))
        else:
            text = price_line(lines[0])
        rows.append((kind, text, Rupiah(sum(line.amount for line in lines))))
    return rows


def _sum_words(kind: LineKind, lines: Sequence[InvoiceLine]) -> str:
    """Several lines of one unit in one row."""
    if kind is LineKind.RENT:
        return QCoreApplication.translate("WalkIn", "Sewa, beberapa tarif")
    if kind is LineKind.EXTRA:
        return QCoreApplication.translate("WalkIn", "Tambahan ({0})").format(len(lines))
    return price_line(lines[0])


def price_terms(line: InvoiceLine) -> str:
    """`3 × Rp 350.000`."""
    return f"{line.quantity} × {money(line.unit_price, language())}"


def ppn_note(quote: Quote) -> str:
    """`termasuk PPN Rp 104.054`; empty where the tax is a line of its own or none is due."""
    if quote.balance:
        return QCoreApplication.translate("WalkIn", "sisa {0} sampai waktu ambil").format(
            money(quote.balance, language())
        )
    on_top = any(line.kind is LineKind.PPN for line in quote.lines)
    if quote.ppn is None or on_top:
        return ""
    return QCoreApplication.translate("WalkIn", "termasuk PPN {0}").format(money(quote.ppn.tax, language()))


def return_note(branch: Branch, last: dt.date | None, due: dt.time | None = None) -> str:
    """`Kembali paling lambat Rab 2 Des 20.00 WIB (tutup)`; `due` is an hour of its own."""
    if last is None:
        return ""
    ends = due or dt.time.fromisoformat(branch.closes_at)
    zone = zone_label(branch.zone.key, dt.datetime.combine(last, ends, branch.zone))
    when = f"{day_with_weekday(last, language())} {written_time(ends)}"
    if due is not None:
        return QCoreApplication.translate("WalkIn", "Kembali paling lambat {0} {1}").format(when, zone)
    return QCoreApplication.translate("WalkIn", "Kembali paling lambat {0} {1} (tutup)").format(when, zone)


def closed_warning(branch: Branch, at: dt.time) -> str:
    """That nobody is at the branch at this hour; it stands all the same. Empty while somebody is."""
    if not is_outside(branch, at):
        return ""
    opens, closes = (written_time(dt.time.fromisoformat(text)) for text in (branch.opens_at, branch.closes_at))
    text = QCoreApplication.translate("WalkIn", "Pukul {0} di luar jam buka {1}-{2}. Booking tetap bisa ditahan.")
    return text.format(written_time(at), opens, closes)


def digit_count(text: str) -> str:
    """`10 angka` while a phone number is being typed; empty for names."""
    digits = sum(sign.isdigit() for sign in text)
    if not digits or any(sign.isalpha() for sign in text):
        return ""
    return QCoreApplication.translate("WalkIn", "{0} angka").format(digits)
