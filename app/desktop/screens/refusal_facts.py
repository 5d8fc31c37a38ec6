"""What a refused booking says: who has the days, what else is free, and the actions with one key each."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import Zone, clock, day_with_weekday, money, period_short, period_with_weekdays
from app.desktop.language import language
from app.desktop.states import ShownState
from app.domain.days import Days
from app.domain.errors import NextAction, Refusal
from app.usecases.rows import FleetUnit

MOST_ACTIONS = 3
JUST_NOW = dt.timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalAction:
    """`key` presses it; `target` are the unit and days it offers, outlined in the grid with the same key."""

    key: str
    verb: str
    consequence: str
    action: NextAction
    target: tuple[str, Days] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalFacts:
    """Everything the card shows. `refused` is None when no unit of the SKU fits."""

    title: str
    taken: str
    taken_state: ShownState | None
    others: str
    kept: str
    actions: tuple[RefusalAction, ...]
    refused: tuple[str, Days] | None
    days: Days | None
    plate: str = ""
    when: str = ""
    is_change: bool = False
    """A booking that stands was to be changed: `kept` speaks of it, not of a form."""


def refusal_facts(
    refusal: Refusal,
    *,
    fleet: Sequence[FleetUnit],
    now: dt.datetime,
    zone: Zone,
    saved_at: dt.datetime | None,
    me: str,
    kept: str = "",
) -> RefusalFacts:
    """The card's words in the language in use, for a DAYS_TAKEN. `me` is the name of whoever reads it.

    `kept` says what did not change, for a refused change; a refused booking keeps what was typed.
    """
    params = refusal.params
    days = _days(params)
    when = period_short(days.first, days.last, language()) if days is not None else ""
    sku = _text(params.get("sku"))
    units = [unit for unit in fleet if unit.sku.code == sku]
    name = units[0].sku.name if units else sku
    plate = _plates(params)
    if plate and kept:
        # The booking stands; its number is in the row below.
        title = QCoreApplication.translate("RefusalCard", "Tidak bisa diubah ke {0} {1}").format(plate, when)
    elif plate:
        title = QCoreApplication.translate("RefusalCard", "{0} tidak bisa dipesan {1}").format(plate, when)
    else:
        title = QCoreApplication.translate("RefusalCard", "Tidak ada {0} kosong {1}").format(name, when)
    blockers = sorted((item for item in _list(params.get("blockers")) if isinstance(item, Mapping)), key=_begins)
    taken, state = _taken(blockers, now, zone, me)
    unit_id = _text(params.get("unit_id"))
    return RefusalFacts(
        title=title,
        taken=taken,
        taken_state=state,
        others=_others(refusal, units, name, when, given=bool(plate)),
        kept=kept or _kept(saved_at, zone),
        is_change=bool(kept),
        actions=_actions(refusal, units, days),
        refused=(unit_id, days) if unit_id and days is not None else None,
        days=days,
        plate=plate,
        when=when,
    )


def _plates(params: Mapping[str, object]) -> str:
    """The plate that was refused, or all of them where an order of several units was."""
    named = [_text(item.get("plate")) for item in _list(params.get("taken_units")) if isinstance(item, Mapping)]
    return ", ".join(plate for plate in named if plate) or _text(params.get("plate"))


def _begins(blocker: Mapping[str, object]) -> dt.date:
    days = _days(blocker)
    return days.first if days is not None else dt.date.max


def _taken(
    blockers: Sequence[Mapping[str, object]], now: dt.datetime, zone: Zone, me: str
) -> tuple[str, ShownState | None]:
    if not blockers:
        return "", None
    # The first obstacle of the stretch: what the eye meets first in the grid.
    first = blockers[0]
    days = _days(first)
    when = period_short(days.first, days.last, language()) if days is not None else ""
    more = len(blockers) - 1
    rest = QCoreApplication.translate("RefusalCard", " dan {0} lagi").format(more) if more > 0 else ""
    since, by = first.get("since"), _text(first.get("by"))
    if isinstance(since, dt.datetime) and by and by != me and dt.timedelta() <= now - since < JUST_NOW:
        text = taken_by(by, _text(first.get("counter")), since, zone)
        number = _text(first.get("number"))
        return f"{text}{f' · {number}' if number else ''}{rest}", _state(first)
    if first.get("kind") == "MAINTENANCE":
        text = QCoreApplication.translate("RefusalCard", "{0} dalam perawatan").format(when)
        return f"{text}{rest}", ShownState.MAINTENANCE
    who = " ".join(part for part in (_text(first.get("number")), _text(first.get("customer"))) if part)
    text = QCoreApplication.translate("RefusalCard", "{0} oleh {1}").format(when, who or "-")
    return f"{text}{rest}", _state(first)


def taken_by(by: str, counter: str, since: dt.datetime, zone: Zone) -> str:
    """Who was faster, where and when: `Baru saja diambil oleh Andi (Kasir 2), 14.03.21`."""
    who = f"{by} ({counter})" if counter else by
    at = clock(since, zone, language(), seconds=True)
    return QCoreApplication.translate("RefusalCard", "Baru saja diambil oleh {0}, {1}").format(who, at)


def _others(refusal: Refusal, units: Sequence[FleetUnit], name: str, when: str, *, given: bool) -> str:
    free = refusal.params.get("free_units")
    if not isinstance(free, int) or not units:
        return ""
    if not given:
        return QCoreApplication.translate("RefusalCard", "semua {0} {1} terpakai pada {2}").format(
            len(units), name, when
        )
    busy = max(0, len(units) - 1 - free)
    plates = [_text(item.params.get("plate")) for item in _of("use_unit", refusal.next)]
    if free and plates:
        named = ", ".join(plates) + (", …" if free > len(plates) else "")
        return QCoreApplication.translate("RefusalCard", "{0} kosong: {1} · {2} terpakai").format(free, named, busy)
    return QCoreApplication.translate("RefusalCard", "{0} {1} lain terpakai pada {2}, {3} kosong").format(
        busy, name, when, free
    )


def _kept(saved_at: dt.datetime | None, zone: Zone) -> str:
    if saved_at is None:
        return QCoreApplication.translate("RefusalCard", "tetap ada di laci booking")
    at = clock(saved_at, zone, language(), seconds=True)
    return QCoreApplication.translate("RefusalCard", "tersimpan sebagai draf {0}").format(at)


def _actions(refusal: Refusal, units: Sequence[FleetUnit], days: Days | None) -> tuple[RefusalAction, ...]:
    """Another unit, the nearest later dates, then another branch, the nearest earlier dates or one more unit.

    The waiting list only where it is offered.
    """
    plain = [item for item in refusal.next if item.action != "waitlist"]
    # The sort is stable: the nearest stays first among the later dates, and among the earlier ones.
    dates = sorted(_of("use_dates", plain), key=lambda item: _is_earlier(item, days))
    chosen = [*_of("use_unit", plain)[:1], *dates[:1], *_of("other_branch", plain)[:1]]
    chosen += [item for item in (*dates, *plain) if item not in chosen]
    waitlist = next((item for item in refusal.next if item.action == "waitlist"), None)
    chosen = chosen[: MOST_ACTIONS - (1 if waitlist is not None else 0)]
    found = [_action(str(number), item, refusal, units, days) for number, item in enumerate(chosen, start=1)]
    if waitlist is not None:
        found.append(
            RefusalAction(
                key="W",
                verb=QCoreApplication.translate("RefusalCard", "Masukkan antrean"),
                consequence=QCoreApplication.translate("RefusalCard", "Dihubungi bila ada unit; belum menjamin"),
                action=waitlist,
                target=None,
            )
        )
    return tuple(found)


def _of(kind: str, actions: Sequence[NextAction]) -> list[NextAction]:
    return [item for item in actions if item.action == kind]


def _is_earlier(item: NextAction, wanted: Days | None) -> bool:
    offered = _days(item.params)
    return offered is not None and wanted is not None and offered.first < wanted.first


def _action(
    key: str, item: NextAction, refusal: Refusal, units: Sequence[FleetUnit], days: Days | None
) -> RefusalAction:
    params = item.params
    offered = _days(params) or days
    plate, unit_id = _text(params.get("plate")), _text(params.get("unit_id"))
    target = (unit_id, offered) if unit_id and offered is not None else None
    if item.action == "use_unit" and offered is not None:
        rent = units[0].sku.daily_rate * offered.count if units else None
        price = money(rent, language()) if rent is not None else ""
        verb = QCoreApplication.translate("RefusalCard", "Pakai unit lain: {0}").format(plate)
        when = period_short(offered.first, offered.last, language())
        text = QCoreApplication.translate("RefusalCard", "{0} tetap, harga sama {1}").format(when, price)
        return RefusalAction(key=key, verb=verb, consequence=text.strip(), action=item, target=target)
    if item.action == "use_dates" and offered is not None:
        when = period_with_weekdays(offered.first, offered.last, language())
        verb = QCoreApplication.translate("RefusalCard", "Geser ke {0}").format(when)
        text = QCoreApplication.translate("RefusalCard", "{0} kosong, harga sama").format(plate)
        return RefusalAction(key=key, verb=verb, consequence=text, action=item, target=target)
    if item.action in _CHANGES:
        return _change_action(key, item, days)
    branch = _text(params.get("branch_name") or params.get("branch"))
    return RefusalAction(
        key=key,
        verb=QCoreApplication.translate("RefusalCard", "Cabang lain: {0}").format(branch),
        consequence=QCoreApplication.translate("RefusalCard", "{0} kosong di sana").format(plate).strip(),
        action=item,
        target=None,
    )


_CHANGES = frozenset({"swap_unit", "request_extension", "shorten", "swap_other"})


def _change_action(key: str, item: NextAction, days: Days | None) -> RefusalAction:
    """Ways on of a booking that stands: another unit, a shorter extension (or what is left of the paid days),
    another unit for the one behind it."""
    params = item.params
    plate, unit_id, last = _text(params.get("plate")), _text(params.get("unit_id")), params.get("last_day")
    if item.action in ("request_extension", "shorten") and isinstance(last, dt.date):
        until = day_with_weekday(last, language())
        verb = QCoreApplication.translate("RefusalCard", "Perpanjang s.d. {0}").format(until)
        if item.action == "request_extension":
            text = QCoreApplication.translate("RefusalCard", "Paling lama yang masih kosong; hari tambahan ditagih")
        else:
            text = QCoreApplication.translate("RefusalCard", "Paling lama yang masih kosong; sudah dibayar")
    elif item.action == "swap_other":
        number = _text(params.get("number"))
        verb = QCoreApplication.translate("RefusalCard", "Pindahkan {0} ke {1}").format(number, plate)
        text = QCoreApplication.translate("RefusalCard", "Tanggalnya tetap; lalu coba lagi")
    else:
        verb = QCoreApplication.translate("RefusalCard", "Pakai unit lain: {0}").format(plate)
        text = QCoreApplication.translate("RefusalCard", "Tanggal tetap, harga sama")
    target = (unit_id, days) if unit_id and days is not None else None
    return RefusalAction(key=key, verb=verb, consequence=text, action=item, target=target)


def just_taken(refusal: Refusal, now: dt.datetime, me: str) -> frozenset[str]:
    """Numbers of the bookings that somebody else made in the last moments: lost in a race."""
    found = set()
    for blocker in _list(refusal.params.get("blockers")):
        if not isinstance(blocker, Mapping):
            continue
        since, number = blocker.get("since"), _text(blocker.get("number"))
        fresh = isinstance(since, dt.datetime) and dt.timedelta() <= now - since < JUST_NOW
        if fresh and number and _text(blocker.get("by")) != me:
            found.add(number)
    return frozenset(found)


def _state(blocker: Mapping[str, object]) -> ShownState | None:
    name = _text(blocker.get("state"))
    return ShownState(name) if name in ShownState.__members__ else None


def _days(params: Mapping[str, object]) -> Days | None:
    first, last = params.get("first_day"), params.get("last_day")
    if isinstance(first, dt.date) and isinstance(last, dt.date) and first <= last:
        return Days(first, last)
    return None


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()
