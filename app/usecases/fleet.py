"""Import a fleet from CSV: each bad row is refused with its line, column and reason, the good rows go in."""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.catalogue import Sku, UnitStatus, checked_sku, checked_unit_id, normalised_plate
from app.domain.errors import Refusal, invalid
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store
from app.usecases.rows import FleetOutcome, FleetRow

log = logging.getLogger(__name__)

COLUMNS = (
    "branch",
    "sku",
    "sku_name",
    "category",
    "daily_rate",
    "deposit",
    "turnaround_days",
    "unit_id",
    "plate",
    "odometer",
    "status",
)
OPTIONAL_COLUMNS = ("colour",)
MAX_BYTES = 20 * 1024 * 1024
MAX_CELL = 1_000
MAX_TURNAROUND = 30
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"(?!")')
_LIMITS = {"daily_rate": (1, 1_000_000_000), "deposit": (0, 10_000_000_000), "odometer": (0, 9_999_999)}


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetRefusal:
    """One refused row: its line in the file (the heading is line 1), the column and a stable reason word."""

    line: int
    column: str
    reason: str
    given: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetImport:
    """The same file twice: everything is `same`. `left_out` names extra columns that were not read."""

    added: int
    changed: int
    same: int
    refusals: tuple[FleetRefusal, ...]
    left_out: tuple[str, ...]


class Fleet:
    """Fleet use cases of one logged-in person."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember) -> None:
        self._store = store
        self._work = work
        self._who = who

    def import_fleet(self, content: bytes) -> FleetImport:
        """Read a CSV (`,` or `;`, UTF-8 with or without BOM) and write its good rows in one transaction.

        It is read line by line, so that whatever is wrong with a row's bytes or quotes is that row's fault alone.
        """
        require_role(self._who, frozenset({Role.MANAGER}), "import_fleet")
        lines = _lines(content)
        heading, separator = _heading(lines[0])
        rows: list[FleetRow] = []
        refusals: list[FleetRefusal] = []
        seen_units: dict[str, int] = {}
        seen_plates: dict[str, int] = {}
        seen_skus: dict[str, FleetRow] = {}
        for line, text in enumerate(lines[1:], start=2):
            try:
                record = _cells(text, separator, heading)
                if not any(cell.strip() for cell in record):
                    continue
                row = _row(line, heading, record)
                _refuse_repeats(row, seen_units, seen_plates, seen_skus)
            except Refusal as no:
                refusals.append(
                    FleetRefusal(
                        line=line,
                        column=no.field or "",
                        reason=str(no.params.get("reason", no.code)),
                        given=str(no.params.get("given", ""))[:80],
                    )
                )
                continue
            seen_units[row.unit_id] = seen_plates[row.plate] = line
            seen_skus.setdefault(row.sku.code, row)
            rows.append(row)
        outcomes: tuple[FleetOutcome, ...] = ()
        if rows:
            outcomes = self._store.transact(lambda tx: tx.import_fleet(rows), one_call=True)
        refusals += [
            FleetRefusal(line=item.line, column=item.column, reason=item.reason, given=item.unit_id)
            for item in outcomes
            if item.outcome == "refused"
        ]
        count = {word: sum(item.outcome == word for item in outcomes) for word in ("added", "changed", "same")}
        retired = {row.unit_id for row in rows if row.status == UnitStatus.RETIRED}
        self._work.forget([item.unit_id for item in outcomes if item.unit_id in retired and _is_written(item)])
        self._announce(outcomes)
        log.info("fleet import: %s, %d refused", count, len(refusals))
        return FleetImport(
            added=count["added"],
            changed=count["changed"],
            same=count["same"],
            refusals=tuple(sorted(refusals, key=lambda item: (item.line, item.column))),
            left_out=tuple(name for name in heading if name not in COLUMNS + OPTIONAL_COLUMNS),
        )

    def _announce(self, outcomes: Sequence[FleetOutcome]) -> None:
        for item in outcomes:
            if _is_written(item):
                self._work.announce(self._who.branch.id, "unit", item.unit_id)


def _is_written(item: FleetOutcome) -> bool:
    return item.outcome in {"added", "changed"}


def _lines(content: bytes) -> list[str]:
    """The physical lines without their ends; bytes that are no UTF-8 stay recognisable, for their row's refusal."""
    if len(content) > MAX_BYTES:
        raise invalid("file", "too_large", given=len(content), most=MAX_BYTES)
    text = content.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    if "\n" not in text:
        return text.split("\r")
    return [line.removesuffix("\r") for line in text.split("\n")]


def _heading(line: str) -> tuple[list[str], str]:
    """The column names, and the separator that is used between them."""
    separator = ";" if line.count(";") > line.count(",") else ","
    if no := _unreadable(line):
        raise invalid("file", no)
    try:
        heading = [name.strip().lower() for name in _cells(line, separator, ())]
    except Refusal:
        raise invalid("file", "not_csv", given="line 1") from None
    missing = [name for name in COLUMNS if name not in heading]
    if missing:
        raise invalid("file", "columns_missing", given=", ".join(missing))
    doubled = sorted({name for name in heading if heading.count(name) > 1 and name})
    if doubled:
        raise invalid("file", "columns_doubled", given=", ".join(doubled))
    return heading, separator


def _cells(line: str, separator: str, heading: Sequence[str]) -> list[str]:
    """The cells of one line. A quoted one may hold the separator and doubled quotes, and ends on its own line."""
    if '"' not in line:
        return line.split(separator)
    cells: list[str] = []
    at = 0
    while True:
        column = heading[len(cells)] if len(cells) < len(heading) else "*"
        if line.startswith('"', at):
            quoted = _QUOTED.match(line, at)
            if quoted is None:
                raise invalid(column, "quote_not_closed", given=_shown(line[at:]))
            cells.append(quoted[1].replace('""', '"'))
            end = quoted.end()
            if end < len(line) and line[end] != separator:
                raise invalid(column, "stray_quote", given=_shown(line[at:]))
        else:
            end = line.find(separator, at)
            end = len(line) if end < 0 else end
            cells.append(line[at:end])
            if '"' in cells[-1]:
                raise invalid(column, "stray_quote", given=_shown(cells[-1]))
        if end == len(line):
            return cells
        at = end + 1


def _unreadable(text: str) -> str | None:
    """Why text cannot be taken as it stands; the reason word."""
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        return "not_utf8"
    return "control_characters" if "\0" in text or "\r" in text else None


def _shown(text: str) -> str:
    """The beginning of something broken, safe to print."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:80])


def _row(line: int, heading: Sequence[str], record: Sequence[str]) -> FleetRow:
    if len(record) != len(heading):
        raise invalid("*", "cell_count", given=f"{len(record)} of {len(heading)}")
    for name, value in zip(heading, record, strict=True):
        if no := _unreadable(value):
            raise invalid(name, no, given=_shown(value))
        if len(value) > MAX_CELL:
            raise invalid(name, "too_long", given=_shown(value))
    cell = {name: " ".join(value.split()) for name, value in zip(heading, record, strict=True)}
    turnaround = _number(cell, "turnaround_days", 0, MAX_TURNAROUND)
    sku = Sku(
        code=checked_sku(_filled(cell, "sku")),
        name=_words(cell, "sku_name"),
        category=_words(cell, "category"),
        daily_rate=Rupiah(_number(cell, "daily_rate", *_LIMITS["daily_rate"])),
        deposit=Rupiah(_number(cell, "deposit", *_LIMITS["deposit"])),
        turnaround_days=turnaround,
    )
    status = _filled(cell, "status").upper()
    if status not in set(UnitStatus):
        raise invalid("status", "not_a_status", given=status)
    return FleetRow(
        line=line,
        branch_code=_filled(cell, "branch"),
        sku=sku,
        unit_id=checked_unit_id(_filled(cell, "unit_id")),
        plate=normalised_plate(_words(cell, "plate")),
        colour=_words(cell, "colour") if cell.get("colour") else "",
        odometer=_number(cell, "odometer", *_LIMITS["odometer"]),
        status=status,
    )


def _refuse_repeats(row: FleetRow, units: dict[str, int], plates: dict[str, int], skus: dict[str, FleetRow]) -> None:
    if row.unit_id in units:
        raise invalid("unit_id", "twice_in_file", given=f"{row.unit_id}, line {units[row.unit_id]}")
    if row.plate in plates:
        raise invalid("plate", "twice_in_file", given=f"{row.plate}, line {plates[row.plate]}")
    known = skus.get(row.sku.code)
    if known is not None and known.sku != row.sku:
        raise invalid("sku", "differs_in_file", given=f"{row.sku.code}, line {known.line}")


def _filled(cell: dict[str, str], column: str) -> str:
    if not cell[column]:
        raise invalid(column, "empty")
    return cell[column]


def _words(cell: dict[str, str], column: str) -> str:
    text = _filled(cell, column)
    if len(text) > 80:
        raise invalid(column, "too_long", given=text)
    if not text.isprintable():
        raise invalid(column, "control_characters")
    return text


def _number(cell: dict[str, str], column: str, least: int, most: int) -> int:
    text = _filled(cell, column)
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 15):
        raise invalid(column, "not_a_whole_number", given=text)
    if not least <= int(text) <= most:
        raise invalid(column, "out_of_range", given=text, least=least, most=most)
    return int(text)
