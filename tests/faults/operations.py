"""Every operation there is: importing a part's file registers its operations."""

from tests.faults import ops_booking as _booking
from tests.faults import ops_cancellations as _cancellations
from tests.faults import ops_changes as _changes
from tests.faults import ops_gateway as _gateway
from tests.faults import ops_looking as _looking
from tests.faults import ops_money as _money
from tests.faults import ops_waiting as _waiting
from tests.faults.registry import OPERATIONS as OPERATIONS

PARTS = (_booking, _money, _looking, _changes, _cancellations, _waiting, _gateway)
