"""Charges of a return in SQL are the domain's, to the Rupiah: every vector, and random rates, terms and times."""

import datetime as dt
import json
import random

from app.adapters.postgres.handover_json import terms_json
from app.domain.charges import ChargeTerms
from app.domain.late_fee import LateRule, late_fee
from app.domain.money import Rupiah
from tests.adapters.postgres.write_rig import WriteRig
from tests.domain.test_late_fee import RATE, VECTORS

TRIES = 400


def test_sql_computes_every_late_fee_of_the_table_and_of_random_rules(rig: WriteRig) -> None:
    dice = random.Random(20_27)
    asked = [(RATE, late, ChargeTerms()) for late, _ in VECTORS]
    for _ in range(TRIES):
        rule = LateRule(
            free_minutes=dice.randrange(0, 240),
            hour_percent=dice.randrange(0, 101),
            day_after_minutes=dice.randrange(0, 1441),
        )
        late = dt.timedelta(seconds=dice.randrange(-1_000, 10 * 86_400), microseconds=dice.randrange(1_000_000))
        asked.append((Rupiah(dice.randrange(5_000_000)), late, ChargeTerms(late=rule)))

    rows = rig.rows(
        "SELECT sentra.late_fee(x.rate, x.seconds * interval '1 second', x.terms)"
        " FROM ROWS FROM (json_to_recordset(%s) AS (rate bigint, seconds numeric, terms jsonb)) WITH ORDINALITY"
        " AS x (rate, seconds, terms, place) ORDER BY x.place",
        json.dumps(
            [
                {"rate": rate, "seconds": str(late / dt.timedelta(seconds=1)), "terms": terms_json("S", terms)}
                for rate, late, terms in asked
            ]
        ),
    )

    assert [row[0] for row in rows] == [late_fee(rate, late, terms.late) for rate, late, terms in asked]
    assert [row[0] for row in rows[: len(VECTORS)]] == [fee for _, fee in VECTORS]
