"""A drawer is counted blind, by notes and coins; the difference is told only afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.errors import invalid
from app.domain.money import Rupiah

PIECES = (100_000, 75_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50)
"""Notes and coins that are legal tender, the greatest first."""

MAX_PIECES = 999_999
DIFFERENCE_LIMIT = Rupiah(20_000)
"""A cashier closes alone with a difference up to this, unless the branch says otherwise."""


def counted(pieces: Mapping[int, int]) -> Rupiah:
    """What so many notes and coins come to; refuses a piece that is none and a number below 0, naming the field."""
    for piece, number in pieces.items():
        if piece not in PIECES or isinstance(number, bool) or not 0 <= number <= MAX_PIECES:
            raise invalid("pieces", "not_pieces", given=f"{piece}: {number}"[:60])
    return Rupiah(sum(piece * number for piece, number in pieces.items()))


def needs_manager(difference: Rupiah, limit: Rupiah = DIFFERENCE_LIMIT) -> bool:
    """Whether closing with this difference takes a manager's word."""
    return abs(difference) > limit
