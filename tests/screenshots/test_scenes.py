"""Every state of the calendar that has to be looked at has a scene, under a name of its own."""

from __future__ import annotations

import pytest

from tests.screenshots.__main__ import SCALES, SIZES
from tests.screenshots.all_scenes import ALL_SCENES, joined
from tests.screenshots.scenes import acted

STATES = {
    "empty": "calendar-empty",
    "loaded with 300 units": "calendar-loaded",
    "dragging": "calendar-hand-dragging",
    "refused": "calendar-refused",
    "degraded": "degraded-redis",
    "offline": "degraded-offline",
    "zoomed to 62 days": "calendar-62",
}


@pytest.mark.parametrize("scene", STATES.values(), ids=STATES.keys())
def test_the_state_has_a_scene(scene: str) -> None:
    assert scene in ALL_SCENES


def test_every_scene_is_drawn_at_both_sizes_and_at_a_scale_of_one_and_a_half() -> None:
    assert set(SCALES) == {"100", "150"}
    assert {(1366, 704), (1920, 1016)} == set(SIZES.values())


def test_two_scenes_of_one_name_are_refused() -> None:
    scene = acted(lambda actor: actor.settle())
    with pytest.raises(ValueError, match="two scenes have the name a"):
        joined(({"a": scene}, {"a": scene}))
