"""The settlement's other ways to pay, a payment in parts, and a card that was charged before the lock was lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, lost, settling
from tests.screenshots.stage import Stage


@contextmanager
def _typed(stage: Stage, size: tuple[int, int], *steps: str) -> Iterator[Actor]:
    """Keys after the invoice was opened, `Alt+2` and the like, or a text to type."""
    with settling(stage, size) as actor:
        for step in steps:
            if step.startswith(("Alt+", "Ctrl+", "Backspace")):
                actor.press(step)
            else:
                actor.type(step)
        actor.wait(100)
        yield actor


def _play(*steps: str) -> Play:
    def play(stage: Stage, size: tuple[int, int]) -> AbstractContextManager[Actor]:
        return _typed(stage, size, *steps)

    return play


@contextmanager
def card_lost(stage: Stage, size: tuple[int, int]) -> Iterator[Actor]:
    """The terminal had approved the card when the lock went to another window."""
    with lost(stage, size, "Alt+2", ("0012", "482913")) as actor:
        yield actor


SETTLEMENT_SCENES: Mapping[str, Play] = {
    "settlement-edc": _play("Alt+2", "0012", "4829"),
    "settlement-edc-lost": card_lost,
    "settlement-qris": _play("Alt+3", "RRN 633412873311"),
    "settlement-split": _play("Backspace", "Ctrl+B", "Alt+2", "0012"),
    "settlement-transfer": _play("Alt+4", "TRX-20261130-0012"),
}
"""`settling` types 500.000 in cash first."""
