"""What a contract and a quotation both show: the units with their times, and what each costs."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.desktop.documents.line_words import line_words
from app.desktop.documents.markup import LINE_ROW, bold, muted, safe, table
from app.desktop.documents.spoken import Spoken
from app.desktop.formats import day_count, day_with_weekday, money, number, time_of_day
from app.domain.days import RentalPeriod
from app.domain.invoice import InvoiceLine
from app.domain.staff import Branch


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperUnit:
    """One unit on paper; `id` is that of its lines, `days` are charged. A time or reading that is not known is None."""

    id: str
    name: str
    sku: str
    plate: str
    colour: str
    number: str
    period: RentalPeriod
    days: int
    pickup_at: dt.datetime | None
    due_at: dt.datetime | None
    odometer: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLines:
    """Lines that are paid together; `title` (markup) tells them from others of the same order."""

    title: str
    lines: tuple[InvoiceLine, ...]


def units_markup(units: Sequence[PaperUnit], branch: Branch, words: Spoken) -> str:
    """One row per unit; the head is repeated on every page."""
    read = any(unit.odometer is not None for unit in units)
    heads = [
        (words.translate("OrderPaper", "No."), "left", 5),
        (words.translate("OrderPaper", "Unit"), "left", 36 if read else 44),
        (words.translate("OrderPaper", "Diambil"), "left", 20),
        (words.translate("OrderPaper", "Kembali paling lambat"), "left", 20),
        (words.translate("OrderPaper", "Lama"), "right", 8 if read else 11),
    ]
    if read:
        heads.append((words.translate("OrderPaper", "Odometer"), "right", 11))
    return table(heads, (_unit_row(place, unit, branch, words) for place, unit in enumerate(units, 1)))


def _unit_row(place: int, unit: PaperUnit, branch: Branch, words: Spoken) -> str:
    what = [f"{bold(unit.name)} {bold(unit.plate)}".strip()]
    details = " · ".join(part for part in (unit.number, unit.sku, unit.colour) if part)
    what.append(muted(details))
    odometer = ""
    if unit.odometer is not None:
        odometer = f"<td align='right'>{safe(number(unit.odometer, words.language))}&nbsp;km</td>"
    return (
        f"<tr><td>{place}.</td><td>{'<br/>'.join(what)}</td>"
        f"<td>{_time(unit.period.first, unit.pickup_at, branch, words)}</td>"
        f"<td>{_time(unit.period.last, unit.due_at, branch, words)}</td>"
        f"<td align='right'>{safe(day_count(unit.days, words.language))}</td>{odometer}</tr>"
    )


def _time(day: dt.date, at: dt.datetime | None, branch: Branch, words: Spoken) -> str:
    """The day with its time in the branch's own zone; the day alone where no time is agreed yet."""
    if at is None:
        return safe(f"{day_with_weekday(day, words.language)} {day.year}")
    local = at.astimezone(branch.zone)
    date = f"{day_with_weekday(local.date(), words.language)} {local.year}"
    return f"{safe(date)}<br/>{safe(time_of_day(at, branch.zone, words.language))}"


def costs_markup(
    units: Sequence[PaperUnit],
    papers: Sequence[PaperLines],
    sums: Sequence[tuple[str, int]],
    notes: Sequence[tuple[str, int]],
    words: Spoken,
) -> str:
    """Lines by unit, then `sums` (the first one large) and `notes` (in small print)."""
    heads = (
        (words.translate("OrderPaper", "Uraian"), "left", 74),
        (words.translate("OrderPaper", "Jumlah"), "right", 26),
    )
    rows = [row for paper in papers for row in _paper_rows(units, paper, words)]
    for place, (name, amount) in enumerate(sums):
        shown = money(amount, words.language)
        big = 11.0 if place == 0 else None
        rule = LINE_ROW if place == 0 else ""
        rows.append(f"{rule}<tr><td>{bold(name, big)}</td><td align='right'>{bold(shown, big)}</td></tr>")
    rows += [
        f"<tr><td>{muted(name)}</td><td align='right'>{muted(money(amount, words.language))}</td></tr>"
        for name, amount in notes
    ]
    return table(heads, rows)


def _paper_rows(units: Sequence[PaperUnit], paper: PaperLines, words: Spoken) -> Iterator[str]:
    """What stands above a line is in its row: a page never ends with a name whose price is on the next one."""
    above = [paper.title] if paper.title else []
    several = len(units) > 1
    known = {unit.id for unit in units}
    for place, unit in enumerate(units, 1):
        lines = [line for line in paper.lines if line.booking_id == unit.id]
        if lines and several:
            above.append(muted(f"{place}. {unit.name} {unit.plate}".strip()))
        for line in lines:
            yield _line_row(line, words, above, indent=several)
            above = []
    for line in paper.lines:
        if line.booking_id not in known:
            yield _line_row(line, words, above, indent=False)
            above = []


def _line_row(line: InvoiceLine, words: Spoken, above: Sequence[str], *, indent: bool) -> str:
    text = line_words(line, words.language, alone=True, speaker=words)
    before = "&nbsp;" * 5 if indent else ""
    amount = money(line.amount, words.language)
    said = "<br/>".join((*above, f"{before}{safe(text)}"))
    return f"<tr><td>{said}</td><td align='right' valign='bottom'>{safe(amount)}</td></tr>"
