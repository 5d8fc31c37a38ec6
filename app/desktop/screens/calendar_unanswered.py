"""What is told of a change, a block or a place on the waitlist whose answer was lost, until it is known."""

import datetime as dt

from PySide6.QtCore import QObject

from app.desktop.screen import Shell
from app.desktop.screens.calendar_changes import Changes
from app.desktop.screens.changes_viewmodel import Change, ChangesViewModel, DoneChange
from app.desktop.screens.demand_viewmodel import DemandViewModel, WantedBlock
from app.desktop.screens.unanswered_viewmodel import Lost, LostChange, LostJoin, UnansweredViewModel
from app.domain.booking import Action
from app.usecases.maintenance import BlockedUnit
from app.usecases.waitlist import JoinedWaitlist, WaitlistWish


class Unanswered(QObject):
    """Says at once that it is being asked for, so that nobody does it twice, and then what became of it: what was
    written is told and undone as if it had been answered, without moving the grid or the focus."""

    def __init__(
        self,
        work: UnansweredViewModel,
        changes: ChangesViewModel,
        demand: DemandViewModel,
        told: Changes,
        shell: Shell,
        host: QObject,
    ) -> None:
        super().__init__(host)
        self._work, self._shell = work, shell
        changes.answer_lost.connect(self._change_lost)
        demand.block_lost.connect(self._block_lost)
        demand.join_lost.connect(self._join_lost)
        changes.applied.connect(self._change_answered)
        demand.blocked.connect(self._block_answered)
        demand.joined.connect(self._join_answered)
        work.waiting.connect(self._tell_waiting)
        work.not_written.connect(self._tell_not_written)
        work.change_found.connect(told.tell_done)
        work.block_found.connect(demand.blocked)
        work.join_found.connect(demand.joined)

    def _change_lost(self, change: Change, action: Action) -> None:
        self._work.note(LostChange(change=change, action=action))

    def _block_lost(self, wanted: WantedBlock) -> None:
        self._work.note(wanted)

    def _join_lost(self, wish: WaitlistWish, sent_at: dt.datetime) -> None:
        self._work.note(LostJoin(wish=wish, sent_at=sent_at))

    def _change_answered(self, done: DoneChange) -> None:
        self._work.forget(done.change.booking_id)

    def _block_answered(self, done: BlockedUnit) -> None:
        self._work.forget(done.row.id)

    def _join_answered(self, joined: JoinedWaitlist) -> None:
        self._work.forget_joins(joined.entry)

    def _tell_waiting(self, lost: Lost) -> None:
        def words() -> str:
            text = self.tr("Jawaban untuk {0} belum sampai. Dicek sendiri begitu tersambung; jangan diulang dulu.")
            return text.format(self._name(lost))

        self._shell.toast(words, seconds=10)

    def _tell_not_written(self, lost: Lost) -> None:
        def words() -> str:
            text = self.tr("Tidak jadi: {0}. Permintaan tadi tidak sampai ke server. Ulangi bila masih perlu.")
            return text.format(self._name(lost))

        self._shell.toast(words, seconds=10)

    def _name(self, lost: Lost) -> str:
        match lost:
            case LostChange():
                return lost.change.number
            case LostJoin():
                return " ".join(part for part in (self.tr("antrean"), lost.wish.customer_name) if part)
            case _:
                return self.tr("perawatan {0}").format(lost.plate)
