"""What one person does with rentals on their way out and back, made for bootstrap; and the service's part of it."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.staff import StaffMember
from app.usecases.collaterals import Collaterals, DatabasePhotos, Photos
from app.usecases.handovers import Handovers
from app.usecases.index_work import IndexWork
from app.usecases.overdue import LateDesk
from app.usecases.overdue import Overdue as Overdue
from app.usecases.ports import Store
from app.usecases.return_charges import ReturnCharges


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalParts:
    """Steps out and back, charges of a return with its deposit, collateral, photos, and who is late."""

    handovers: Handovers
    charges: ReturnCharges
    collaterals: Collaterals
    photos: Photos
    late: LateDesk


def rental_parts(store: Store, work: IndexWork, who: StaffMember, counter: str) -> RentalParts:
    """Photos are kept in the database; an object store would be chosen here."""
    return RentalParts(
        handovers=Handovers(store, work, who),
        charges=ReturnCharges(store, work, who, counter),
        collaterals=Collaterals(store, work, who),
        photos=Photos(DatabasePhotos(store), who),
        late=LateDesk(store, who),
    )
