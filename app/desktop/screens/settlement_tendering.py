"""How an invoice is going to be paid: the way chosen now, what is typed of each way, and the parts set aside before."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.domain.errors import Refusal
from app.domain.money import ZERO, Rupiah
from app.domain.tender import Tender, TenderKind, cash_rounding, check_tender

METHODS = (TenderKind.CASH, TenderKind.EDC, TenderKind.QRIS, TenderKind.TRANSFER)
"""In the order of Alt+1 to Alt+4."""

BANKS = ("BCA", "Mandiri", "BNI", "BRI", "BSI", "CIMB Niaga", "Danamon", "Permata", "BTN", "OCBC")
LAST4_DIGITS, CODE_DIGITS = 4, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """What is typed of one way beside cash, as it stands in the fields. `amount` None is all that is left."""

    amount: Rupiah | None = None
    bank: str = ""
    last4: str = ""
    code: str = ""
    reference: str = ""
    sender: str = ""
    is_seen: bool = False
    """The money of a transfer was seen in the account."""
    word: str = ""
    """A manager's approval, for the amount and the reference as they stand."""

    @property
    def is_begun(self) -> bool:
        return bool(self.last4 or self.code or self.reference or self.sender or self.amount is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tendering:
    """A draft: nothing of it is recorded before the one paying transaction."""

    method: TenderKind = TenderKind.CASH
    received: Rupiah | None = None
    """Cash as it was typed."""
    slips: Mapping[TenderKind, Slip] = field(default_factory=dict)
    parts: tuple[Tender, ...] = ()

    @property
    def slip(self) -> Slip:
        """Of the way chosen now."""
        return self.slips.get(self.method, Slip())

    def with_slip(self, **changes: object) -> "Tendering":
        slip = replace(self.slip, **changes)  # type: ignore[arg-type]
        return replace(self, slips={**self.slips, self.method: slip})

    def rounding(self, total: Rupiah, step: int) -> Rupiah:
        """What the part that is paid in cash is rounded by; parts in cash are whole steps already."""
        if self.method is not TenderKind.CASH:
            return ZERO
        others = sum(part.amount for part in self.parts if part.kind is not TenderKind.CASH)
        return cash_rounding(Rupiah(total - others), step)

    def left(self, total: Rupiah, step: int) -> Rupiah:
        """What the way chosen now has to bring, after the parts."""
        paid = sum(part.amount for part in self.parts)
        return Rupiah(max(0, total + self.rounding(total, step) - paid))

    def amount(self, total: Rupiah, step: int) -> Rupiah:
        """What the way chosen now brings as it stands."""
        if self.method is TenderKind.CASH:
            return self.received or ZERO
        return self.left(total, step) if self.slip.amount is None else self.slip.amount

    def current(self, total: Rupiah, step: int) -> Tender | None:
        """The tender of the way chosen now; None while it brings nothing."""
        amount, slip = self.amount(total, step), self.slip
        if amount <= 0:
            return None
        return Tender(
            kind=self.method,
            amount=amount,
            bank=slip.bank or None,
            last4=slip.last4 or None,
            approval_code=slip.code or None,
            reference=slip.reference or None,
            sender=slip.sender or None,
            approval_id=slip.word or None,
            verified=self.method is not TenderKind.TRANSFER or slip.is_seen,
        )

    def tenders(self, total: Rupiah, step: int) -> tuple[Tender, ...]:
        """Everything that the payment is made of."""
        current = self.current(total, step)
        return self.parts if current is None else (*self.parts, current)

    def problem(self, total: Rupiah, step: int) -> Refusal | None:
        """What the way chosen now does not say yet."""
        current = self.current(total, step)
        if current is not None:
            try:
                check_tender(current)
            except Refusal as no:
                return no
        return None

    @property
    def charged(self) -> tuple[Tender, ...]:
        """Cards that the terminal has approved: whatever happens, they are not charged once more."""
        slip = self.slips.get(TenderKind.EDC, Slip())
        own: tuple[Tender, ...] = ()
        if len(slip.code) == CODE_DIGITS and slip.amount:
            own = (Tender(kind=TenderKind.EDC, amount=slip.amount, approval_code=slip.code),)
        return (*(part for part in self.parts if part.kind is TenderKind.EDC), *own)

    @property
    def is_begun(self) -> bool:
        """Whether something stands in it that the person would have to type again."""
        return bool(self.received is not None or self.parts or any(slip.is_begun for slip in self.slips.values()))

    @property
    def is_for_the_disk(self) -> bool:
        """Cash is counted again in a moment; a card that was charged is not."""
        return bool(self.method is TenderKind.EDC or self.parts or any(slip.is_begun for slip in self.slips.values()))
