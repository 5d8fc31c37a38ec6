"""Hand-written stand-ins for ending paid bookings, holding unpaid ones longer, and a manager's word for that."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.domain.booking import BookingState
from app.domain.cancellation import CancellationEffect
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import TenderKind
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember
from app.usecases.cancellations import hold_object
from app.usecases.rows import Bar
from app.usecases.rows_approvals import Approval
from app.usecases.rows_cancellations import CancelledBooking, EndingFacts, HeldLonger
from tests.desktop.verbs_fakes import check_seen

PASSWORD = "rahasia-maya"
RENT, DEPOSIT = Rupiah(1_050_000), Rupiah(500_000)
HALF = CancellationEffect(
    rent_back=Rupiah(525_000), deposit_back=DEPOSIT, fee=Rupiah(525_000), percent=50, hours_before=31
)
NOTHING_BACK = replace(HALF, rent_back=Rupiah(0), fee=RENT, percent=0, hours_before=23)
A_DAY = replace(HALF, rent_back=Rupiah(700_000), fee=Rupiah(350_000), percent=None, hours_before=-3)


class _Clock(Protocol):
    def now(self) -> dt.datetime: ...


class _Branch(Protocol):
    rows: list[Bar]

    @property
    def clock(self) -> _Clock: ...

    def reach(self) -> None: ...


@dataclass
class FakeEnds:
    """The ends of a branch's bookings. `loses` is what becomes of the next write whose answer is lost."""

    branch: _Branch
    effect: CancellationEffect = HALF
    unit_count: int = 1
    paid_by: tuple[TenderKind, ...] = (TenderKind.CASH,)
    loses: str = ""
    refuses: Refusal | None = None
    needs_word: bool = True
    words: Mapping[str, Approval] = field(default_factory=dict)
    ends: list[tuple[str, str, str, int]] = field(default_factory=list)
    holds: list[tuple[str, int, str]] = field(default_factory=list)
    gone: dict[str, Bar] = field(default_factory=dict)

    def cancellation_effect(self, booking_id: str, no_show: bool = False) -> CancellationEffect:
        self.branch.reach()
        self._standing(booking_id, BookingState.PAID_APPROVED)
        return A_DAY if no_show else self.effect

    def ending_facts(self, booking_id: str) -> EndingFacts:
        self.branch.reach()
        bar = next((row for row in self.branch.rows if row.booking_id == booking_id), None)
        found = bar or self.gone[booking_id]
        action, reason = next(((end[0], end[2]) for end in self.ends if end[1] == booking_id and bar is None), ("", ""))
        assert found.state is not None
        assert found.rented is not None
        return EndingFacts(
            booking_id=booking_id,
            state=found.state if bar is not None else BookingState.CANCELLED,
            version=(found.version or 1) + (0 if bar is not None else 1),
            last_action=action,
            reason=reason,
            pickup_at=found.pickup_at or dt.datetime.combine(found.rented.first, dt.time(1), dt.UTC),
            payment_deadline=found.payment_deadline,
            unit_count=self.unit_count,
            paid_by=self.paid_by,
        )

    def cancel_paid(
        self, booking_id: str, reason: str, expected_back: Rupiah, *, version: int | None = None
    ) -> CancelledBooking:
        return self._end("cancel_paid", booking_id, reason, expected_back, version)

    def no_show(
        self, booking_id: str, reason: str, expected_back: Rupiah, *, version: int | None = None
    ) -> CancelledBooking:
        return self._end("no_show", booking_id, reason, expected_back, version)

    def hold_longer(
        self,
        booking_id: str,
        until_hours: int,
        reason: str,
        *,
        approval_id: str | None = None,
        version: int | None = None,
    ) -> HeldLonger:
        self.branch.reach()
        self._refuse()
        bar = self._standing(booking_id, BookingState.PENDING_PAYMENT)
        check_seen(bar, version)
        if self.needs_word and approval_id not in self.words:
            raise Refusal(
                RefusalCode.APPROVAL_NEEDED,
                field="approval_id",
                reason="missing",
                action="hold_longer",
                object=hold_object(booking_id, until_hours),
            )
        until = self.branch.clock.now() + dt.timedelta(hours=until_hours)
        if self._is_written():
            self.holds.append((booking_id, until_hours, reason))
            at = self.branch.rows.index(bar)
            self.branch.rows[at] = replace(bar, payment_deadline=until, version=(bar.version or 1) + 1)
            self.note_deadline(booking_id, until)
        self._lose()
        return HeldLonger(
            booking_id=booking_id,
            number=bar.number or "",
            order_id="",
            branch_id="",
            version=(bar.version or 1) + 1,
            payment_deadline=until,
            bookings=(booking_id,),
            invoices=(),
        )

    def note_deadline(self, booking_id: str, until: dt.datetime) -> None:
        """What else tells of a booking's deadline follows."""

    def _end(
        self, action: str, booking_id: str, reason: str, expected_back: Rupiah, version: int | None
    ) -> CancelledBooking:
        self.branch.reach()
        self._refuse()
        bar = self._standing(booking_id, BookingState.PAID_APPROVED)
        check_seen(bar, version)
        effect = A_DAY if action == "no_show" else self.effect
        if effect.back != expected_back:
            raise Refusal(
                RefusalCode.PRICE_CHANGED,
                field="expected_back",
                old=expected_back,
                new=effect.back,
                rent_back=effect.rent_back,
                deposit_back=effect.deposit_back,
                fee=effect.fee,
                percent=effect.percent,
                hours_before=effect.hours_before,
            )
        if self._is_written():
            self.ends.append((action, booking_id, reason, effect.back))
            self.gone[booking_id] = bar
            self.branch.rows.remove(bar)
        self._lose()
        return CancelledBooking(
            booking_id=booking_id,
            number=bar.number or "",
            order_id="",
            branch_id="",
            state=BookingState.CANCELLED,
            effect=effect,
            refunds=(),
            invoices=(),
            projections=(),
            freed=(),
        )

    def _standing(self, booking_id: str, state: BookingState) -> Bar:
        bar = next((row for row in self.branch.rows if row.booking_id == booking_id), None)
        if bar is None or bar.state is not state:
            raise Refusal(
                RefusalCode.BOOKING_STATE, field="booking_id", state="CANCELLED" if bar is None else bar.state
            )
        return bar

    def _refuse(self) -> None:
        no, self.refuses = self.refuses, None
        if no is not None:
            raise no

    def _is_written(self) -> bool:
        return self.loses != "not written"

    def _lose(self) -> None:
        lost, self.loses = self.loses, ""
        if lost:
            raise Refusal(RefusalCode.UNREACHABLE, outcome="unknown")


@dataclass
class FakeApprovals:
    """One manager, Maya. `given` are her words by id."""

    branch: _Branch
    who: StaffMember
    given: dict[str, Approval] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def approve(
        self, login: str, password: str, action: str, object: str, reason: str, amount: Rupiah | None = None
    ) -> Approval:
        self.branch.reach()
        if (login, password) != ("maya", PASSWORD):
            raise Refusal(RefusalCode.NOT_ALLOWED, field="password", action="log_in", reason="wrong", left=4)
        self.asked.append((action, object, reason))
        word = Approval(
            id=f"word-{len(self.given) + 1}",
            approved_by_name="Maya",
            expires_at=self.branch.clock.now() + dt.timedelta(minutes=5),
        )
        self.given[word.id] = word
        return word


def is_manager(who: StaffMember) -> bool:
    return Role.MANAGER in who.roles
