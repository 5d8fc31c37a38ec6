"""Every scene by name, in the order they are played."""

from __future__ import annotations

from collections.abc import Mapping

from tests.screenshots.calendar_scenes import CALENDAR_SCENES
from tests.screenshots.hands import HANDS
from tests.screenshots.scenes import SCENES, Play

ALL_SCENES: Mapping[str, Play] = {**SCENES, **CALENDAR_SCENES, **HANDS}
