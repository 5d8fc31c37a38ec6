"""Pure rules of the payment gateway: its words, amounts to the Rupiah, names of attempts, when it is asked."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from app.domain.gateway import (
    AttemptKind,
    AttemptState,
    GatewayStatus,
    after_status,
    amount_of,
    attempt_named,
    gateway_amount,
    gateway_order_id,
    given_back,
    retry_seconds,
    seconds_to_late_ask,
    seconds_to_next_ask,
    status_of,
)
from app.domain.money import Rupiah

INVOICE = "6b966507-216d-5f92-b863-c9b92cb093f9"


@pytest.mark.parametrize(
    ("word", "fraud", "meaning"),
    [
        ("pending", "accept", GatewayStatus.PENDING),
        ("settlement", "accept", GatewayStatus.PAID),
        ("settlement", "", GatewayStatus.PAID),
        ("capture", "accept", GatewayStatus.PAID),
        ("capture", "challenge", GatewayStatus.CHALLENGED),
        ("settlement", "challenge", GatewayStatus.CHALLENGED),
        ("capture", "deny", GatewayStatus.DENIED),
        ("expire", "accept", GatewayStatus.OVER),
        ("cancel", "", GatewayStatus.OVER),
        ("deny", "accept", GatewayStatus.DENIED),
        ("refund", "accept", GatewayStatus.REFUNDED),
        ("partial_chargeback", "", GatewayStatus.REFUNDED),
        ("settlement", "review", GatewayStatus.HELD),
        ("something new", "accept", GatewayStatus.UNKNOWN),
        ("SETTLEMENT", "accept", GatewayStatus.UNKNOWN),
    ],
)
def test_a_word_of_the_gateway_means_one_thing_and_a_challenged_card_is_not_paid(
    word: str, fraud: str, meaning: GatewayStatus
) -> None:
    assert status_of(word, fraud) is meaning


def test_an_attempt_never_goes_back_whatever_order_the_gateway_speaks_in() -> None:
    rank = {state: n for n, state in enumerate((AttemptState.ASKED, AttemptState.LIVE, AttemptState.ENDED))}
    rank |= {AttemptState.FAILED: 2, AttemptState.PAID: 3}
    for kind, start in itertools.product(AttemptKind, AttemptState):
        for told in itertools.product(GatewayStatus, repeat=3):
            state = start
            for status in told:
                moved = after_status(kind, state, status)
                assert rank[moved] >= rank[state], (state, status)
                if state is AttemptState.PAID:
                    assert moved is AttemptState.PAID
                state = moved
            assert (state is AttemptState.PAID) == (start is AttemptState.PAID or GatewayStatus.PAID in told)


def test_a_denied_way_to_pay_ends_a_code_and_leaves_a_page_open() -> None:
    live, denied = AttemptState.LIVE, GatewayStatus.DENIED
    assert after_status(AttemptKind.QRIS, live, denied) is AttemptState.ENDED
    assert after_status(AttemptKind.LINK, live, denied) is live


@pytest.mark.parametrize(
    ("text", "rupiah"),
    [
        ("275000.00", 275_000),
        ("275000", 275_000),
        ("275000.0", 275_000),
        ("0", 0),
        ("275000.50", None),
        ("275,000.00", None),
        ("-5.00", None),
        ("1e6", None),
        ("", None),
        ("٣٠٠", None),
        ("9" * 14, None),
    ],
)
def test_an_amount_is_whole_rupiah_or_none(text: str, rupiah: int | None) -> None:
    assert amount_of(text) == rupiah


def test_r32_a_fee_is_what_the_payer_paid_above_what_was_asked_for() -> None:
    found = gateway_amount("10071.00", "10000")
    assert found is not None
    assert (found.gross, found.fee, found.net) == (10_071, 71, 10_000)
    for unbelievable in (None, "10072", "0", "x", "-1"):
        plain = gateway_amount("10071.00", unbelievable)
        assert plain is not None
        assert (plain.fee, plain.net) == (0, 10_071)
    assert gateway_amount("x", "10000") is None


def test_r32_an_uneven_fee_leaves_our_part_whole_and_a_part_of_a_rupiah_is_cut_off() -> None:
    uneven, odd = gateway_amount("10071.43", "10000"), gateway_amount("10000.50", None)
    assert uneven is not None
    assert (uneven.net, uneven.fee, uneven.is_exact) == (10_000, 71, True)
    assert odd is not None
    assert (odd.net, odd.fee, odd.is_exact) == (10_000, 0, False)


def test_what_went_back_is_what_was_told_all_of_it_without_a_word_and_never_more_than_was_paid() -> None:
    gross = Rupiah(10_000)
    assert given_back("settlement", gross, Rupiah(5)) == 0
    assert given_back("refund", gross, None) == given_back("chargeback", gross, Rupiah(99_999)) == gross
    assert given_back("partial_refund", gross, Rupiah(4_000)) == 4_000
    assert given_back("partial_chargeback", gross, None) == 1, "some of it: somebody is told to look"


def test_an_attempts_name_at_the_gateway_is_its_invoice_and_number() -> None:
    assert len(gateway_order_id(INVOICE, 999)) <= 50, "the provider's limit"
    assert attempt_named(gateway_order_id(INVOICE, 12)) == (INVOICE, 12)
    for other in (INVOICE, f"{INVOICE}-0", f"{INVOICE}-01", f"{INVOICE}-1000", f"{INVOICE.upper()}-1", "TRX-1", ""):
        assert attempt_named(other) is None, other


def test_r35_money_is_seen_within_a_minute_while_the_payer_is_there_though_every_notification_be_lost() -> None:
    assert all(seconds_to_next_ask(age) < 60 for age in range(0, 24 * 3600, 5)), "a link lives for a day at most"
    assert [seconds_to_late_ask(age) for age in (0, 60, 3600, 10**6)] == [60, 600, 6 * 3600, None]
    assert [retry_seconds(tries) for tries in (0, 1, 2, 3, 99)] == [3, 3, 6, 12, 120]


def test_r37_a_signature_is_compared_in_constant_time_only() -> None:
    folder = Path(__file__).parents[2] / "app" / "adapters" / "gateway"
    sources = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
    assert "hmac.compare_digest(" in sources["midtrans_words.py"]
    for name, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
                assert "signature" not in ast.unparse(node), f"{name}: {ast.unparse(node)}"
