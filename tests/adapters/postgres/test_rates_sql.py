"""The price of a booking in SQL is the domain's: every line, to the Rupiah, over random cards, extras and days."""

import datetime as dt
import json
import random

from app.adapters.postgres.tx_booking import card_json
from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.domain.pricing import Terms, priced_lines
from app.domain.rates import ChosenExtra, Extra, RateCard
from tests.adapters.postgres.write_rig import WriteRig

TRIES = 300


def random_terms(dice: random.Random, first: dt.date) -> Terms:
    def rate(most: int) -> Rupiah | None:
        return None if dice.random() < 0.4 else Rupiah(dice.randrange(most))

    card = RateCard(
        weekday=Rupiah(dice.randrange(1_000_000)),
        weekend=rate(1_500_000),
        holiday=rate(1_500_000),
        weekly=rate(6_000_000),
        monthly=rate(20_000_000),
    )
    extras = tuple(
        ChosenExtra(
            extra=Extra(
                code=f"X{number}",
                name=f"Tambahan {number}",
                per_day=number % 2 == 0,
                rate=Rupiah(dice.randrange(300_000)),
                taxable=number != 3,
            ),
            quantity=dice.randint(1, 5),
        )
        for number in range(dice.randrange(5))
    )
    return Terms(
        name="Avanza",
        card=card,
        holidays=frozenset(first + dt.timedelta(days=dice.randrange(100)) for _ in range(dice.randrange(12))),
        extras=extras,
        discount_percent=dice.choice([0, 0, 3, 10, 33, 100]),
        day_offset=dice.choice([0, 0, -1]),
        min_days=dice.choice([1, 1, 3]),
    )


def test_c74_every_line_of_the_database_is_the_domains(rig: WriteRig) -> None:
    dice = random.Random(20270301)
    for _ in range(TRIES):
        first = dt.date(2027, 1, 1) + dt.timedelta(days=dice.randrange(365))
        terms = random_terms(dice, first)
        period = RentalPeriod(first, first + dt.timedelta(days=dice.choice([0, 1, 5, 6, 13, 29, 30, 64, 200])))
        extras = [
            {
                "name": chosen.extra.name,
                "per_day": chosen.extra.per_day,
                "rate": chosen.extra.rate,
                "taxable": chosen.extra.taxable,
                "quantity": chosen.quantity,
            }
            for chosen in terms.extras
        ]
        card = card_json(terms.card)
        told = rig.rows(
            "SELECT * FROM sentra.priced_lines(%s, %s::bigint, %s::jsonb, %s::date[], %s::jsonb, %s, %s, %s)",
            terms.name,
            terms.card.weekday,
            None if card is None else json.dumps(card),
            sorted(terms.holidays),
            json.dumps(extras),
            terms.discount_percent,
            first,
            terms.days(period),
        )
        wanted = [
            (line.kind.value, line.text, line.quantity, line.unit_price, line.amount, line.taxable)
            for line in priced_lines(terms, period)
        ]
        assert told == wanted, terms
