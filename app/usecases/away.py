"""Somebody outside did not answer: an effect that did not happen, as expected as it is unwelcome."""

from __future__ import annotations


class EffectAway(Exception):
    """What an outside effect needs does not answer now. It is tried again; its traceback would tell nothing more."""
