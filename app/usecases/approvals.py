"""A manager's word at somebody else's counter: given by password, used once by the step that waits for it."""

from __future__ import annotations

import logging
import re

from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.invoice import MAX_AMOUNT
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember
from app.usecases.booking_input import checked_note
from app.usecases.logins import check_password, checked_login
from app.usecases.ports import Ids, Store
from app.usecases.ports_approvals import ApproverGate
from app.usecases.rows_approvals import Approval, NewApproval

log = logging.getLogger(__name__)

_ACTION = re.compile(r"[a-z_]{1,40}")
MAX_OBJECT = 100


class Approvals:
    """Approvals that one logged-in person asks a manager for at one counter."""

    def __init__(self, store: Store, gate: ApproverGate, who: StaffMember, counter: str, ids: Ids) -> None:
        self._store = store
        self._gate = gate
        self._who = who
        self._counter = counter
        self._ids = ids

    def approve(
        self, login: str, password: str, action: str, object: str, reason: str, amount: Rupiah | None = None
    ) -> Approval:
        """A manager of this branch agrees, by password, to one action on one thing for at most this amount.

        The password opens a second connection, which writes the approval and is closed; nothing of it is kept. Refuses
        NOT_ALLOWED: field `password` for a wrong login or password (`left` more are tried) and, after five tries within
        five minutes, however many at once, `paused` with `remaining_ms`; field `login` for somebody who is no manager
        of this branch.
        """
        wanted = NewApproval(
            id=self._ids.uuid(),
            action=_checked_action(action),
            object=_checked_object(object),
            amount=_checked_amount(amount),
            reason=checked_reason(reason),
            asked_by=self._who.login,
            counter=self._counter,
        )
        name = checked_login(login)
        check_password(password)
        self._store.transact(lambda tx: tx.begin_approval_try(name), one_call=True)
        try:
            given = self._gate(name, password, wanted)
        except Refusal as no:
            if no.code is RefusalCode.NOT_ALLOWED and no.params.get("action") == "log_in":
                raise self._wrong(name) from None
            if no.code is RefusalCode.NOT_ALLOWED and no.field is None:  # nobody else may call the function
                raise Refusal(
                    no.code, field="login", next=(), reason="not_a_manager", roles=[Role.MANAGER.value]
                ) from None
            raise
        log.info("approval %s for %s of %s by %s", given.id, wanted.action, wanted.object, name)
        return given

    def _wrong(self, login: str) -> Refusal:
        left = self._store.transact(lambda tx: tx.note_wrong_approval(login), one_call=True)
        log.info("wrong password for %s at an approval, %d left", login, left)
        return Refusal(RefusalCode.NOT_ALLOWED, field="password", next=(), action="log_in", reason="wrong", left=left)


def checked_reason(text: str) -> str:
    """A reason that says something, at most 500 characters."""
    why = checked_note(text, "reason")
    if not any(sign.isalnum() for sign in why):
        raise invalid("reason", "not_a_reason" if why else "empty")
    return why


def _checked_action(action: str) -> str:
    if not _ACTION.fullmatch(action):
        raise invalid("action", "not_offered", given=action[:40])
    return action


def _checked_object(text: str) -> str:
    if not text.strip():
        raise invalid("object", "empty")
    if len(text) > MAX_OBJECT:
        raise invalid("object", "too_long", length=len(text), most=MAX_OBJECT)
    if not text.isprintable():
        raise invalid("object", "control_characters")
    return text.strip()


def _checked_amount(amount: Rupiah | None) -> Rupiah | None:
    if amount is not None and not 0 <= amount <= MAX_AMOUNT:
        raise invalid("amount", "not_an_amount", given=amount)
    return amount
