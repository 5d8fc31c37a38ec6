"""Every check there is: importing a part's file registers its invariants."""

from tests.faults import checks_bookings as _bookings
from tests.faults import checks_gateway as _gateway
from tests.faults import checks_money as _money
from tests.faults import checks_waiting as _waiting
from tests.faults.invariants import INVARIANTS as INVARIANTS
from tests.faults.invariants import all_breaks as all_breaks

PARTS = (_bookings, _money, _waiting, _gateway)
