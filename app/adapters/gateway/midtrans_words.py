"""What Midtrans sends: JSON read with every number as it was written, its signature, and a transaction out of it.

Interface: docs.midtrans.com, "HTTP(S) Notification / Webhooks" and "Get Transaction Status".
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from app.domain.gateway import GatewayAmount, gateway_amount, given_back, rounded_down, status_of
from app.domain.money import Rupiah
from app.usecases.ports_gateway import NoticeForged, NoticeMalformed
from app.usecases.rows_gateway import GatewayTold

_SHORT = {"order_id": 100, "transaction_id": 40, "transaction_status": 30, "status_code": 10, "gross_amount": 30}
_MOST_SIGNATURE = 200
_MOST_BODY = 65_536


def read_object(body: bytes) -> Mapping[str, Any]:
    """The JSON object of a body, numbers as the text they were written in. A name that stands twice has two meanings:
    Malformed, like anything that is no object."""
    try:
        found = json.loads(
            body.decode("utf-8"),
            parse_float=str,
            parse_int=str,
            parse_constant=_refuse_constant,
            object_pairs_hook=_once,
        )
    except (ValueError, RecursionError) as no:
        raise NoticeMalformed(f"no JSON: {type(no).__name__}") from None
    if not isinstance(found, dict):
        raise NoticeMalformed("no object")
    return found


class MidtransNotices:
    """`GatewayNotices` of the merchant with this server key."""

    def __init__(self, server_key: str) -> None:
        self._server_key = server_key

    def read(self, body: bytes) -> GatewayTold:
        """NoticeMalformed when a field is missing or is no text, NoticeForged when the signature is another."""
        given = read_object(body)
        signature = given.get("signature_key")
        if not isinstance(signature, str) or len(signature) > _MOST_SIGNATURE:
            raise NoticeMalformed("signature_key")
        told = told_of(given, body)
        wanted = signature_of(told.order_id, told.code, given["gross_amount"], self._server_key)
        if not hmac.compare_digest(wanted.encode(), signature.encode("utf-8", "surrogatepass")):
            raise NoticeForged(told.order_id)
        return told


def told_of(given: Mapping[str, Any], body: bytes) -> GatewayTold:
    """A transaction out of a notification or a status answer."""
    words = {name: _text(given, name, most) for name, most in _SHORT.items()}
    fraud = given.get("fraud_status")
    kind = given.get("payment_type")
    amount = _amount(given)
    return GatewayTold(
        order_id=words["order_id"],
        transaction_id=words["transaction_id"],
        status=status_of(words["transaction_status"], fraud if isinstance(fraud, str) else ""),
        word=words["transaction_status"],
        code=words["status_code"],
        amount=amount,
        payment_type=kind if isinstance(kind, str) and len(kind) <= 40 else "",
        body=body.decode("utf-8").replace("\x00", "")[:_MOST_BODY],
        said=words["gross_amount"],
        given_back=_back(given, words["transaction_status"], amount),
    )


def signature_of(order_id: str, code: str, gross: str, server_key: str) -> str:
    """SHA-512 over the texts as they were sent."""
    return hashlib.sha512(f"{order_id}{code}{gross}{server_key}".encode()).hexdigest()


def _amount(given: Mapping[str, Any]) -> GatewayAmount | None:
    # The gateway's "automatic fee imposition": what was asked for stands deep in the metadata.
    inside: object = given.get("metadata")
    for name in ("extra_info", "gross_amount_info", "original_amount"):
        inside = inside.get(name) if isinstance(inside, dict) else None
    return gateway_amount(given["gross_amount"], inside if isinstance(inside, str) else None)


def _back(given: Mapping[str, Any], word: str, amount: GatewayAmount | None) -> Rupiah:
    # The sum of all refunds so far; in the list of them where the sum is missing.
    told = [given.get("refund_amount"), given.get("chargeback_amount")]
    parts = given.get("refunds")
    if told == [None, None] and isinstance(parts, list):
        each = [_rupiah(part.get("refund_amount")) for part in parts if isinstance(part, dict)]
        back: Rupiah | None = Rupiah(sum(item for item in each if item is not None))
    else:
        back = _rupiah(told[0]) if told[0] is not None else _rupiah(told[1])
    return given_back(word, Rupiah(0) if amount is None else amount.gross, back)


def _rupiah(said: object) -> Rupiah | None:
    return rounded_down(said) if isinstance(said, str) else None


def _text(given: Mapping[str, Any], name: str, most: int) -> str:
    found = given.get(name)
    if not isinstance(found, str) or not 0 < len(found) <= most or not found.isprintable() or not found.isascii():
        raise NoticeMalformed(name)
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")
