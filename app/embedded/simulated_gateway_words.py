"""How the simulated gateway speaks: the provider's documented answers and notifications, all marked SIMULASI.

Interface: docs.midtrans.com (Core API, Snap, HTTP notification). The QRIS text follows EMVCo's merchant-presented mode.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

from app.embedded.simulated_gateway_book import Deal, Page

MARK = "SIMULASI"
MARK_HEADER = "X-Sentra-Simulation"
MERCHANT = "G000000000"
_WIB = dt.timezone(dt.timedelta(hours=7))


def gross_of(deal: Deal) -> str:
    """The whole amount with the fee on top, as the provider writes it."""
    return f"{deal.amount + deal.fee}.00"


def answer_of(deal: Deal, *, status: str | None = None, code: str | None = None) -> dict[str, Any]:
    """A transaction as charge, status and notification tell it."""
    said: dict[str, Any] = {
        "status_code": code or deal.code,
        "status_message": f"{MARK}: {status or deal.status}",
        "transaction_id": deal.transaction_id,
        "order_id": deal.order_id,
        "merchant_id": MERCHANT,
        "gross_amount": gross_of(deal),
        "currency": "IDR",
        "payment_type": deal.payment_type,
        "transaction_time": _time(deal.made_at),
        "transaction_status": status or deal.status,
        "fraud_status": "accept",
        "expiry_time": _time(deal.expires_at),
        "simulation": MARK,
    }
    if deal.fee:
        said["metadata"] = {
            "extra_info": {
                "gross_amount_info": {
                    "original_amount": str(deal.amount),
                    "gross_amount": str(deal.amount + deal.fee),
                    "customer_imposed_payment_fee": str(deal.fee),
                }
            }
        }
    if deal.refunded:
        said["refund_amount"] = f"{deal.refunded}.00"
    return said


def charged(deal: Deal, base: str) -> dict[str, Any]:
    """The answer to a charge, with what is needed to pay it."""
    said = answer_of(deal, code="201")
    if deal.payment_type in ("qris", "gopay"):
        said["acquirer"] = "gopay"
        said["qr_string"] = qris_text(deal.order_id, deal.amount)
        said["actions"] = [
            {
                "name": "generate-qr-code",
                "method": "GET",
                "url": f"{base}/v2/{deal.payment_type}/{deal.transaction_id}/qr-code",
            }
        ]
    return said


def page_made(page: Page, base: str) -> dict[str, Any]:
    """The answer of Snap to a new page."""
    return {
        "token": page.token,
        "redirect_url": f"{base}/snap/v3/redirection/{page.token}",
        "simulation": MARK,
    }


def signed(said: dict[str, Any], server_key: str) -> dict[str, Any]:
    """With the signature of a notification."""
    words = f"{said['order_id']}{said['status_code']}{said['gross_amount']}{server_key}"
    return {**said, "signature_key": hashlib.sha512(words.encode()).hexdigest()}


def qris_text(order_id: str, amount: int) -> str:
    """A dynamic QRIS of this amount that no bank takes: its merchant is the simulation."""
    reference = hashlib.sha256(order_id.encode()).hexdigest()[:20]
    body = "".join(
        (
            _field("00", "01"),
            _field("01", "12"),
            _field("26", _field("00", "ID.CO.SIMULASI.WWW") + _field("01", "936000000000000000")),
            _field("52", "7512"),  # car rental
            _field("53", "360"),
            _field("54", str(amount)),
            _field("58", "ID"),
            _field("59", MARK),
            _field("60", "JAKARTA"),
            _field("62", _field("01", reference)),
            "6304",
        )
    )
    return body + f"{_crc(body.encode()):04X}"


def _field(tag: str, value: str) -> str:
    return f"{tag}{len(value):02d}{value}"


def _crc(text: bytes) -> int:
    """CRC-16/CCITT-FALSE, which EMVCo asks for."""
    found = 0xFFFF
    for byte in text:
        found ^= byte << 8
        for _ in range(8):
            found = ((found << 1) ^ 0x1021 if found & 0x8000 else found << 1) & 0xFFFF
    return found


def _time(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, _WIB).strftime("%Y-%m-%d %H:%M:%S")
