"""PPh 23 that a company withholds: 2 % of the rent before PPN, without deposit, rounded down.

Source: the income tax law (UU PPh), article 23 (1) c, rent other than of land and buildings. The company pays it to the
State in our name; its slip (bukti potong) may come later and is chased until it does.
"""

from __future__ import annotations

from app.domain.money import Rupiah

PERCENT = 2


def pph23(base: Rupiah) -> Rupiah:
    """What is withheld of an invoice whose taxable lines come to this much before PPN: 898,649 → 17,972."""
    return Rupiah(max(0, base) * PERCENT // 100)
