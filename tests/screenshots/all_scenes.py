"""Every scene by name, in the order they are played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.screenshots.calendar_scenes import CALENDAR_SCENES
from tests.screenshots.customers_scenes import CUSTOMERS_SCENES
from tests.screenshots.drawer_scenes import DRAWER_SCENES
from tests.screenshots.ends_scenes import ENDS_SCENES
from tests.screenshots.finding_scenes import FINDING_SCENES
from tests.screenshots.hands import HANDS
from tests.screenshots.scenes import SCENES, Play
from tests.screenshots.settlement_scenes import SETTLEMENT_SCENES
from tests.screenshots.shift_scenes import SHIFT_SCENES


def joined(parts: Iterable[Mapping[str, Play]]) -> Mapping[str, Play]:
    """All of them in one; a name that is there twice would lose a scene, and is refused."""
    found: dict[str, Play] = {}
    for part in parts:
        twice = sorted(found.keys() & part.keys())
        if twice:
            raise ValueError(f"two scenes have the name {', '.join(twice)}")
        found.update(part)
    return found


ALL_SCENES = joined(
    (
        SETTLEMENT_SCENES,  # before the one that pays: they all book the same unit
        SCENES,
        CALENDAR_SCENES,
        DRAWER_SCENES,
        CUSTOMERS_SCENES,
        FINDING_SCENES,
        HANDS,
        ENDS_SCENES,
        SHIFT_SCENES,
    )
)
