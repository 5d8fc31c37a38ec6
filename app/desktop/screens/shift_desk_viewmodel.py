"""A cashier's shift at work: cash in and out, the blind count, its difference, a manager's word, the Z report."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.screens.shift_count_kept import CountKept, KeptCount
from app.desktop.viewmodel import ViewModel
from app.domain.cash_count import PIECES, counted, needs_manager
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember
from app.usecases.rows_approvals import Approval
from app.usecases.rows_till import ClosingList, ShiftCount, ShiftLine, ShiftReport


class ShiftDesk(Protocol):
    """The part of `Shifts` that the screen needs."""

    def shift_report(self, shift_id: str | None = None) -> ShiftReport: ...

    def shifts(self, limit: int = 100) -> tuple[ShiftLine, ...]: ...

    def closing_list(self) -> ClosingList: ...

    def move_cash(self, movement_id: str, amount: Rupiah, reason: str) -> ShiftReport: ...

    def count_shift(
        self,
        count_id: str,
        pieces: Mapping[int, int],
        edc_slips: int = 0,
        edc_total: Rupiah = Rupiah(0),
        shift_id: str | None = None,
    ) -> ShiftCount: ...

    def close_shift(
        self, shift_id: str, reason: str | None = None, approval_id: str | None = None, drafts: tuple[str, ...] = ()
    ) -> ShiftReport: ...

    def reopen_shift(self, shift_id: str, reason: str, approval_id: str | None = None) -> ShiftReport: ...


Approve = Callable[[str, str, str, str, str, Rupiah | None], Approval]
SHOWN_SHIFTS = 12
KEEP_AFTER = 250
"""Milliseconds after the last key: digits that follow each other are one write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagersWord:
    """What a manager types beside the form. The password is never kept."""

    login: str
    password: str


class ShiftDeskViewModel(ViewModel):
    """What is typed is kept on this PC within a moment: a count survives a power cut and works without a server.

    `report` is the shift at work (mine, or one that a manager took up), None while none is open. `count` is what the
    last locked-in count told. `closed` tells a Z report, `reopened` a shift, `moved` the amount that went in or out,
    `report_read` a report that was asked for.
    """

    closed = Signal(object)
    reopened = Signal(object)
    moved = Signal(int)
    locked_in = Signal()
    report_read = Signal(object)

    def __init__(
        self,
        *,
        desk: ShiftDesk,
        approve: Approve,
        new_id: Callable[[], str],
        who: StaffMember,
        kept: CountKept,
        drafts: Callable[[], tuple[str, ...]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._approve = approve
        self._new_id = new_id
        self._kept = kept
        self._drafts = drafts
        self.who = who
        self.zone = who.branch.zone
        self.is_manager = Role.MANAGER in who.roles
        self.is_cashier = bool(who.roles & {Role.CASHIER, Role.MANAGER})
        self.report: ShiftReport | None = None
        self.count: ShiftCount | None = None
        self.lines: tuple[ShiftLine, ...] = ()
        self.ends = ClosingList(locks=(), qris=(), transfers=())
        self.left_drafts: tuple[str, ...] = ()
        self.is_loaded = False
        self.typed = KeptCount(shift_id="", count_id="")
        self._taken_up: str | None = None
        self._movement_id = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(KEEP_AFTER)
        self._soon.timeout.connect(self._keep)

    def close(self) -> None:
        """What was typed last is kept."""
        if self._soon.isActive():
            self._keep()
        super().close()

    # --- what is shown ------------------------------------------------------------------------------------------------

    @property
    def total(self) -> Rupiah:
        """What is counted so far."""
        return counted(self.typed.pieces)

    def needs_reason(self) -> bool:
        return self.count is not None and self.count.difference != 0

    def needs_word(self) -> bool:
        """Whether closing takes a manager's word that this person cannot give."""
        count = self.count
        return count is not None and not self.is_manager and needs_manager(count.difference, count.limit)

    def is_mine(self) -> bool:
        return self._taken_up is None

    # --- commands -----------------------------------------------------------------------------------------------------

    @reload_command
    async def load(self) -> None:
        """Read the shift, what it leaves behind and the shifts before it; a count that was locked in is told again."""
        try:
            found = await call(self._desk.shift_report, self._taken_up)
        except Refusal as no:
            if no.code not in (RefusalCode.SHIFT_NEEDED, RefusalCode.NOT_ALLOWED, RefusalCode.NOT_FOUND):
                raise
            found, self._taken_up = None, None
        if found is not None and found.closed_at is not None:
            found, self._taken_up = None, None
        if self.is_cashier:
            self.lines = (await call(self._desk.shifts))[:SHOWN_SHIFTS]
        self.report = found
        self.left_drafts = self._drafts()
        if found is not None:
            self.ends = await call(self._desk.closing_list)
            await self._take_typed(found)
        self.is_loaded = True
        self.changed.emit()

    @command
    async def move_cash(self, amount: int | None, reason: str, into: bool) -> None:
        """Put cash in, or take it out. The same press after a lost answer is the same movement."""
        if amount is None or amount <= 0:
            raise invalid("amount", "not_an_amount")
        self._movement_id = self._movement_id or self._new_id()
        wanted = Rupiah(amount if into else -amount)
        try:
            self.report = await call(self._desk.move_cash, self._movement_id, wanted, reason)
        except Refusal as no:
            if no.code is not RefusalCode.UNREACHABLE:
                self._movement_id = ""
            raise
        self._movement_id = ""
        self.count = None
        self._unlock()
        self.changed.emit()
        self.moved.emit(int(wanted))

    @command
    async def read_report(self, shift_id: str | None) -> None:
        """An X report of the shift at work, or the report of another one."""
        self.report_read.emit(await call(self._desk.shift_report, shift_id or self._taken_up))

    @command
    async def lock_in(self) -> None:
        """Lock the count in; only then it is told what should be there."""
        report = self.report
        if report is None:
            return
        self._note(count_id=self.typed.count_id or self._new_id())
        try:
            self.count = await self._ask_count(report)
        except Refusal as no:
            if no.code is not RefusalCode.UNREACHABLE:
                self._unlock()
            raise
        self._note(is_locked=True)
        self.changed.emit()
        self.locked_in.emit()

    @command
    async def close_shift(self, reason: str, word: ManagersWord | None) -> None:
        """Close by the locked count, with a manager's word where one is needed; refused, what was typed stays."""
        report, count = self.report, self.count
        if report is None or count is None:
            return
        said = reason.strip() or None
        if count.difference and said is None:
            raise invalid("reason", "empty")
        approval = None
        if word is not None:
            money = Rupiah(abs(count.difference))
            given = await call(self._approve, word.login, word.password, "close_shift", report.id, said or "", money)
            approval = given.id
        try:
            zed = await call(self._desk.close_shift, report.id, said, approval, self._drafts())
        except Refusal as no:
            if no.field == "pieces":  # money moved since: what was counted is no longer what should be there
                self.count = None
                self._unlock()
                self.report = await call(self._desk.shift_report, report.id)
            raise
        self._soon.stop()
        self._kept.discard()
        self.typed = KeptCount(shift_id="", count_id="")
        self.report, self.count, self._taken_up = None, None, None
        self.lines = (await call(self._desk.shifts))[:SHOWN_SHIFTS]
        self.changed.emit()
        self.closed.emit(zed)

    @command
    async def reopen_shift(self, shift_id: str, reason: str, word: ManagersWord | None) -> None:
        """Open a closed shift again: a manager's, or with a manager's word."""
        approval = None
        if word is not None:
            given = await call(self._approve, word.login, word.password, "reopen_shift", shift_id, reason, None)
            approval = given.id
        again = await call(self._desk.reopen_shift, shift_id, reason, approval)
        self.reopened.emit(again)
        self.load()

    def take_up(self, shift_id: str | None) -> None:
        """A manager counts and closes another's shift; None goes back to the own one."""
        self._taken_up = shift_id
        self.count = None
        self.load()

    # --- typing -------------------------------------------------------------------------------------------------------

    def set_pieces(self, piece: int, number: int) -> None:
        """So many of a note or coin; kept at once."""
        if piece not in PIECES:
            raise ValueError(piece)
        pieces = {**self.typed.pieces, piece: number}
        self._type(pieces={one: many for one, many in pieces.items() if many})
        self.changed.emit()

    def set_slips(self, slips: int, total: int) -> None:
        """The terminal's slips in the drawer."""
        self._type(edc_slips=slips, edc_total=total)
        self.changed.emit()

    def recount(self) -> None:
        """Once more, beginning with what was typed."""
        self.count = None
        self._unlock()
        self.changed.emit()

    # --- inside -------------------------------------------------------------------------------------------------------

    async def _take_typed(self, report: ShiftReport) -> None:
        """What is typed here stays; what another life of this window left is taken up."""
        if self.typed.shift_id != report.id:
            kept = self._kept.load()
            if kept is None or kept.shift_id != report.id:
                kept = KeptCount(shift_id=report.id, count_id="")
            self.typed = kept
        if self.typed.is_locked and self.count is None:
            self.count = await self._ask_count(report)

    async def _ask_count(self, report: ShiftReport) -> ShiftCount:
        typed = self.typed
        return await call(
            self._desk.count_shift,
            typed.count_id,
            typed.pieces,
            typed.edc_slips,
            Rupiah(typed.edc_total),
            None if self.is_mine() else report.id,
        )

    def _unlock(self) -> None:
        self._note(count_id="", is_locked=False)

    def _type(self, **fields: object) -> None:
        """What a key changed; it is on the disk a moment later."""
        if self.report is not None:
            self.typed = self.typed.with_fields(shift_id=self.report.id, **fields)
            self._soon.start()

    def _note(self, **fields: object) -> None:
        """What goes on the disk before anything else happens."""
        if self.report is not None:
            self.typed = self.typed.with_fields(shift_id=self.report.id, **fields)
            self._keep()

    def _keep(self) -> None:
        self._soon.stop()
        if self.report is not None:
            self._kept.save(self.typed, self.report.now)
