"""A state machine on the real servers against plain sets of days: nothing is sold twice, lost, or shown wrong.

The test command runs the same examples every time. `SENTRA_MODEL_EXAMPLES=500` runs that many random ones.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.faults.model_rig import ModelRig
from tests.faults.model_rules_changes import ChangeRules
from tests.faults.model_rules_index import IndexRules
from tests.faults.model_rules_money import MoneyRules
from tests.support.databases import Template

pytest_plugins = ["tests.support.world_fixtures"]

EXAMPLES = "SENTRA_MODEL_EXAMPLES"
FEW = 9
STEPS = 40
LEAST = {
    "booked": 20, "DAYS_TAKEN": 5, "again": 1, "cancelled": 1, "expired": 1, "paid": 5, "paid again": 1, "locked": 5,
    "LOCK_LOST": 1, "LOCK_HELD": 1, "flushed": 1, "claims left": 2, "old news": 1, "damaged": 1, "mended": 3,
    "blocked": 2, "moved on": 2, "out": 1,
}  # fmt: skip
"""How often each must have happened: a run proves something only where things got through and clashed."""


class RentalMachine(MoneyRules, ChangeRules, IndexRules):
    """Every rule of every part."""


def test_r15_random_work_on_the_real_servers_never_differs_from_plain_sets_of_days(
    filled_template: Template, redis_url: str
) -> None:
    ModelRig.template, ModelRig.redis_url = filled_template, redis_url
    ModelRig.tally.clear()
    asked = os.environ.get(EXAMPLES)
    run_state_machine_as_test(
        RentalMachine,
        settings=settings(
            max_examples=int(asked or FEW),
            stateful_step_count=STEPS,
            derandomize=asked is None,
            phases=[Phase.generate],  # a step costs milliseconds of real servers: a failure is told as it was found
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert {what: ModelRig.tally[what] for what, least in LEAST.items() if ModelRig.tally[what] < least} == {}
