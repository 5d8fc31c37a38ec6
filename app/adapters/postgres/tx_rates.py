"""Rates and extras: calls of the database's functions."""

from __future__ import annotations

from app.adapters.postgres.tx_call import Call, as_json
from app.domain.rates import Extra
from app.usecases.rows_rates import DatedRate


class RateCalls:
    """The part `RateTx` of a transaction."""

    _call: Call

    def set_extra(self, extra: Extra, counter: str) -> None:
        self._call.ask("SELECT sentra.set_extra(%s)", as_json({**extra_json(extra), "counter": counter}))

    def drop_extra(self, code: str, counter: str) -> None:
        self._call.ask("SELECT sentra.drop_extra(%s, %s)", code, counter)

    def set_rate(self, sku: str, rate: DatedRate, counter: str) -> None:
        card = rate.card
        told = {
            "sku": sku,
            "since": rate.since,
            "weekday": card.weekday,
            "weekend": card.weekend,
            "holiday": card.holiday,
            "weekly": card.weekly,
            "monthly": card.monthly,
            "deposit": rate.deposit,
            "counter": counter,
        }
        self._call.ask("SELECT sentra.set_rate(%s)", as_json(told))


def extra_json(extra: Extra) -> dict[str, object]:
    """An extra as the database's functions read it."""
    return {
        "code": extra.code,
        "name": extra.name,
        "per_day": extra.per_day,
        "rate": extra.rate,
        "taxable": extra.taxable,
        "replaces_driver_licence": extra.replaces_driver_licence,
    }
