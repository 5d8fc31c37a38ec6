"""What a shift's report says, as names and values: the one source of its page on the screen and of both papers."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.desktop.documents.spoken import Spoken
from app.desktop.documents.tender_words import way_name
from app.desktop.formats import day_long, moment, money, number
from app.domain.staff import Branch
from app.usecases.rows_till import CountedOnce, ShiftReport, WaySum

CASH = "CASH"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """`strong` rows are sums; `long` ones have their text below the name."""

    name: str
    value: str
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    title: str
    rows: tuple[ReportRow, ...]


def is_z(report: ShiftReport) -> bool:
    """A Z report tells a closed shift, an X report one that runs."""
    return report.closed_at is not None


def report_title(report: ShiftReport, words: Spoken) -> str:
    """`Laporan Z shift #214`."""
    if is_z(report):
        return words.translate("ShiftReport", "Laporan Z shift #{number}").format(number=report.number)
    return words.translate("ShiftReport", "Laporan X shift #{number}").format(number=report.number)


def report_parts(report: ShiftReport, branch: Branch, words: Spoken) -> tuple[ReportPart, ...]:
    """Everything but the title. While the drawer is not counted, cash that came in is not told: the count is blind."""
    parts = [
        ReportPart(title=words.translate("ShiftReport", "Shift"), rows=tuple(_facts(report, branch, words))),
        ReportPart(title=words.translate("ShiftReport", "Pembayaran diterima"), rows=tuple(_payments(report, words))),
    ]
    for title, sums in (
        (words.translate("ShiftReport", "Pengembalian dibayarkan"), report.refunds),
        (words.translate("ShiftReport", "Saldo pelanggan"), report.credits),
    ):
        if sums:
            parts.append(ReportPart(title=title, rows=tuple(_way(one, report, words) for one in sums)))
    if report.movements:
        rows = tuple(
            ReportRow(
                name=f"{moment(one.made_at, branch.zone, words.language)} · {one.reason}",
                value=money(one.amount, words.language),
            )
            for one in report.movements
        )
        parts.append(ReportPart(title=words.translate("ShiftReport", "Kas masuk dan keluar"), rows=rows))
    parts.append(ReportPart(title=words.translate("ShiftReport", "Laci"), rows=tuple(_drawer(report, words))))
    for count in report.counts:
        parts.append(_count(count, report, branch, words))
    if ends := tuple(_left(report, words)):
        parts.append(ReportPart(title=words.translate("ShiftReport", "Ditinggalkan saat tutup"), rows=ends))
    return tuple(parts)


def _facts(report: ShiftReport, branch: Branch, words: Spoken) -> Iterator[ReportRow]:
    yield ReportRow(name=words.translate("ShiftReport", "Kasir"), value=report.cashier_name)
    yield ReportRow(name=words.translate("ShiftReport", "Laci"), value=report.drawer)
    yield ReportRow(
        name=words.translate("ShiftReport", "Tanggal buku"), value=day_long(report.belongs_to, words.language)
    )
    yield ReportRow(
        name=words.translate("ShiftReport", "Dibuka"), value=moment(report.opened_at, branch.zone, words.language)
    )
    if report.closed_at is not None:
        who = f" · {report.closed_by_name}" if report.closed_by_name else ""
        at = moment(report.closed_at, branch.zone, words.language)
        yield ReportRow(name=words.translate("ShiftReport", "Ditutup"), value=f"{at}{who}")
    if report.first_number and report.last_number:
        yield ReportRow(name=words.translate("ShiftReport", "Nomor pertama"), value=report.first_number)
        yield ReportRow(name=words.translate("ShiftReport", "Nomor terakhir"), value=report.last_number)


def _payments(report: ShiftReport, words: Spoken) -> Iterator[ReportRow]:
    for one in report.tenders:
        yield _way(one, report, words)
    blind = report.expected is None
    total = sum(one.amount for one in report.tenders)
    said = _later(words) if blind and any(one.kind == CASH for one in report.tenders) else money(total, words.language)
    count = words.translate("ShiftReport", "{count} tagihan dilunasi").format(count=report.payments)
    yield ReportRow(name=count, value=said, strong=True)
    if report.change and not blind:
        yield ReportRow(
            name=words.translate("ShiftReport", "Kembalian diberikan"), value=money(report.change, words.language)
        )
    if report.credited:
        yield ReportRow(
            name=words.translate("ShiftReport", "Kelebihan menjadi saldo"), value=money(report.credited, words.language)
        )


def _way(one: WaySum, report: ShiftReport, words: Spoken) -> ReportRow:
    hidden = one.kind == CASH and report.expected is None
    return ReportRow(
        name=f"{way_name(one.kind, words)} · {number(one.count, words.language)}×",
        value=_later(words) if hidden else money(one.amount, words.language),
    )


def _later(words: Spoken) -> str:
    return words.translate("ShiftReport", "tampil setelah dihitung")


def _drawer(report: ShiftReport, words: Spoken) -> Iterator[ReportRow]:
    said = words.language
    yield ReportRow(name=words.translate("ShiftReport", "Modal awal"), value=money(report.opening_float, said))
    if report.expected is not None:
        yield ReportRow(name=words.translate("ShiftReport", "Harapan di laci"), value=money(report.expected, said))
    if report.counted is not None:
        yield ReportRow(name=words.translate("ShiftReport", "Dihitung"), value=money(report.counted, said))
    if report.difference is not None:
        yield ReportRow(
            name=words.translate("ShiftReport", "Selisih"), value=money(report.difference, said), strong=True
        )
    if report.close_reason:
        yield ReportRow(name=words.translate("ShiftReport", "Alasan"), value=report.close_reason)


def _count(count: CountedOnce, report: ShiftReport, branch: Branch, words: Spoken) -> ReportPart:
    title = words.translate("ShiftReport", "Hitungan ke-{n}").format(n=count.n)
    if count.round > 1:
        title = words.translate("ShiftReport", "Hitungan ke-{n}, pembukaan ke-{round}").format(
            n=count.n, round=count.round
        )
    said = words.language
    rows = [
        ReportRow(name=f"{number(piece, said)} × {number(many, said)}", value=money(piece * many, said))
        for piece, many in sorted(count.pieces.items(), reverse=True)
        if many
    ]
    at = moment(count.counted_at, branch.zone, said)
    rows.append(ReportRow(name=at, value=money(count.counted, said), strong=True))
    cards = next((one for one in report.tenders if one.kind == "EDC"), None)
    if count.edc_slips or cards is not None:
        slips = words.translate("ShiftReport", "Slip EDC · {count}×").format(count=count.edc_slips)
        rows.append(ReportRow(name=slips, value=money(count.edc_total, said)))
    return ReportPart(title=title, rows=tuple(rows))


def _left(report: ShiftReport, words: Spoken) -> Iterator[ReportRow]:
    if not is_z(report):
        return
    if report.open_locks:
        yield ReportRow(name=words.translate("ShiftReport", "Kunci tagihan terbuka"), value=str(len(report.open_locks)))
    if report.drafts:
        yield ReportRow(name=words.translate("ShiftReport", "Draf belum selesai"), value=str(len(report.drafts)))
