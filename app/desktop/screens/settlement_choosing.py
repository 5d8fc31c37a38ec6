"""Choosing how an invoice is paid: the way, what is typed of it, parts; on this PC's disk before a card is used."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command
from app.desktop.heartbeat import Clocks
from app.desktop.screens.settlement_kept import KeptTenders
from app.desktop.screens.settlement_lock import MakeHeartbeat
from app.desktop.screens.settlement_phase import Notice, Phase, SettlementCounter
from app.desktop.screens.settlement_state import SettlementState
from app.desktop.screens.settlement_tendering import METHODS, Slip, Tendering
from app.desktop.screens.walk_in_counter import Approve
from app.domain.errors import Refusal
from app.domain.money import Rupiah
from app.domain.tender import APPROVED_ACTION, MAX_TENDERS, NEEDS_WORD, TenderKind

_CLOSED = frozenset({Phase.PAID, Phase.COMMITTING, Phase.UNKNOWN, Phase.VIEWING, Phase.CLOSED})
_ANSWERED = frozenset(
    {
        Notice.NOT_WRITTEN,
        Notice.CONFIRM,
        Notice.SHIFT_OPENED,
        Notice.NOT_KEPT,
        Notice.KEPT,
        Notice.PART,
        Notice.WHOLE,
        Notice.WORD,
        Notice.CODE_LIVE,
    }
)
"""What the next key answers."""


class SettlementChoosing(SettlementState):
    """No payment is sent from here; what is typed survives a lost lock, a refused payment, an opened shift."""

    word_given = Signal()

    def __init__(
        self,
        counter: SettlementCounter,
        clocks: Clocks | None,
        make_heartbeat: MakeHeartbeat,
        new_id: Callable[[], str],
        kept: KeptTenders | None,
        approve: Approve | None,
        parent: QObject | None,
    ) -> None:
        super().__init__(counter, clocks, make_heartbeat, new_id, parent)
        self._disk = kept
        self._approve = approve
        self._last_bank = ""

    @property
    def may_type(self) -> bool:
        return self.phase not in _CLOSED

    def set_received(self, amount: int | None) -> None:
        """What the customer handed over in cash."""
        if self.may_type or self.phase is Phase.CLOSED:
            self._set(replace(self.tendering, received=None if amount is None else Rupiah(amount)))

    def choose(self, method: TenderKind) -> None:
        """Pay in this way; what was typed of another one stays with it. A card is on the disk before it is used."""
        if not self.may_type or method not in METHODS:
            return
        chosen = replace(self.tendering, method=method)
        if method is TenderKind.EDC and not chosen.slip.bank:
            chosen = chosen.with_slip(bank=self._last_bank or "BCA")
        self._set(chosen)

    def type_slip(self, **changes: object) -> None:
        """Fields of the way chosen now."""
        if self.may_type and self.tendering.method is not TenderKind.CASH:
            typed = self.tendering.with_slip(**changes)
            if typed.method is TenderKind.EDC and typed.slip.amount is None and (typed.slip.last4 or typed.slip.code):
                typed = typed.with_slip(amount=self.left)  # what the terminal took, whatever is owed later
            if typed.method in NEEDS_WORD:
                typed = typed.with_slip(word="")
            self._set(typed)
            self._last_bank = self.tendering.slip.bank or self._last_bank

    @command
    async def give_word(self, login: str, password: str) -> None:
        """A manager agrees to what stands there: `word_given`. A refusal is said in the message area."""
        current = self.current()
        if current is None or self._approve is None or not self.may_type:
            return
        action, reason = APPROVED_ACTION[current.kind], f"{current.kind.value} {current.reference or ''}".strip()
        try:
            word = await call(self._approve, login, password, action, self.invoice_id, reason, current.amount)
        except Refusal as no:
            self.refusal = no
            self.changed.emit()
            return
        if self.current() == current:  # else something was typed meanwhile: the word is for something else
            self._set(self.tendering.with_slip(word=word.id))
            self.word_given.emit()

    def add_part(self) -> None:
        """Set what stands there aside as one part of the payment, and go on with what is left.

        Says why when it is no part: nothing typed, incomplete, or as much as is owed.
        """
        if not self.may_type:
            return
        current, now = self.current(), self.tendering
        problem = now.problem(self.due, self.step)
        if self.wants_word():
            self.notice = Notice.WORD
        elif problem is not None:
            self.refusal = problem
        elif current is None or (now.method is not TenderKind.CASH and now.slip.amount is None):
            self.notice = Notice.PART
        elif current.amount >= self.left or len(now.parts) + 1 >= MAX_TENDERS:
            self.notice = Notice.WHOLE
        elif now.method is TenderKind.CASH and self.step and current.amount % self.step:
            self.notice = Notice.UNROUND
        else:
            slips = {kind: slip for kind, slip in now.slips.items() if kind is not now.method}
            bank = Slip(bank=now.slip.bank) if now.slip.bank else None
            self._set(
                replace(
                    now,
                    received=None if now.method is TenderKind.CASH else now.received,
                    slips=slips if bank is None else {**slips, now.method: bank},
                    parts=(*now.parts, current),
                )
            )
            return
        self.changed.emit()

    def drop_part(self, place: int) -> None:
        """Take one part back: it is owed again."""
        parts = self.tendering.parts
        if self.may_type and 0 <= place < len(parts):
            self._set(replace(self.tendering, parts=(*parts[:place], *parts[place + 1 :])))

    def keep_received(self) -> None:
        """The screen is left for another or is locked: this invoice gets what was typed back when it is reopened."""
        if self.phase in (Phase.OPEN, Phase.LOST) and self.tendering.is_begun:
            self._kept[self.invoice_id] = self.tendering

    # --- inside -------------------------------------------------------------------------------------------------------

    def _begin_tendering(self) -> None:
        """What was typed for this invoice before, with the attempt it belongs to; else a fresh one."""
        found = self._disk.load(self.invoice_id) if self._disk is not None else None
        self.attempt_id, on_disk = found if found is not None else (self._new_id(), Tendering())
        kept = self._kept.pop(self.invoice_id, None)
        self.tendering = kept if kept is not None else on_disk

    def _tell_kept(self) -> None:
        """A card that was charged before the lock was lost or the PC went off."""
        if self.tendering.charged and self.notice is Notice.NONE:
            self.notice = Notice.KEPT

    def _set(self, tendering: Tendering) -> None:
        was_kept = self.tendering.is_for_the_disk
        self.tendering = tendering
        if self.notice in _ANSWERED or self.notice is Notice.UNROUND:
            self.notice = Notice.NONE
        self.refusal = None
        if tendering.is_for_the_disk:
            self._save()
        elif was_kept:
            self._discard()
        self.changed.emit()

    def _save(self) -> None:
        if self._disk is None or self.detail is None:
            return
        if not self._disk.save(self.invoice_id, self.attempt_id, self.tendering, self.server_time()):
            self.notice = Notice.NOT_KEPT

    def _discard(self) -> None:
        if self._disk is not None and self.invoice_id:
            self._disk.discard(self.invoice_id)

    def _drop_empty(self) -> None:
        """Left on purpose with nothing typed: a card was chosen and not used."""
        if self.tendering.is_for_the_disk and not self.tendering.is_begun:
            self._discard()
