"""The simulated gateway's pages: what is open, and a button that pays it. Each says SIMULASI in large type."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from app.embedded.simulated_gateway_book import OPEN, Deal, Page

_WORDS = {
    "pending": "menunggu",
    "settlement": "dibayar",
    "expire": "kedaluwarsa",
    "cancel": "dibatalkan",
    "deny": "ditolak",
    "refund": "dikembalikan",
    "partial_refund": "dikembalikan sebagian",
}

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1d2433}
header{background:#b42318;color:#fff;padding:14px 24px;font-weight:700;letter-spacing:.04em}
main{max-width:860px;margin:24px auto;padding:0 24px}
section{background:#fff;border-radius:10px;padding:20px 24px;margin-bottom:16px;box-shadow:0 1px 3px #0002}
table{width:100%;border-collapse:collapse}td,th{padding:8px 6px;text-align:left;border-bottom:1px solid #e4e7ec}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:13px;word-break:break-all}
button{font:inherit;padding:8px 18px;border:0;border-radius:8px;background:#1d4ed8;color:#fff;cursor:pointer}
button.quiet{background:#e4e7ec;color:#1d2433}form{display:inline}.sum{font-size:30px;font-weight:700}"""


def listing(deals: Sequence[Deal], pages: Sequence[Page]) -> str:
    """Everything that was begun, the newest first, and pages on which nothing was begun yet."""
    waiting = "".join(
        f"<tr><td><code>{escape(page.order_id)}</code></td><td class=n>{rupiah(page.amount)}</td>"
        f'<td>tautan belum dibuka</td><td><a href="/snap/v3/redirection/{escape(page.token)}">Buka</a></td></tr>'
        for page in pages
    )
    rows = "".join(
        f"<tr><td><code>{escape(deal.order_id)}</code></td><td class=n>{rupiah(deal.amount + deal.fee)}</td>"
        f"<td>{escape(_WORDS.get(deal.status, deal.status))} · {escape(deal.payment_type)}</td>"
        f"<td>{_buttons(deal)}</td></tr>"
        for deal in deals
    )
    nothing = '<tr><td colspan="4">Belum ada pembayaran.</td></tr>'
    table = f"<table><tr><th>Nomor<th>Jumlah<th>Keadaan<th></tr>{waiting}{rows or ('' if waiting else nothing)}</table>"
    return _page("Pembayaran", f"<section>{table}</section>")


def paying(page: Page, deal: Deal | None, is_over: bool) -> str:
    """The page behind a link."""
    body = f"<p class=sum>{rupiah(page.amount)}</p><p><code>{escape(page.order_id)}</code></p>"
    if deal is not None and deal.status != OPEN:
        body += f"<p>{escape(_WORDS.get(deal.status, deal.status)).capitalize()}.</p>"
    elif is_over and deal is None:
        body += "<p>Tautan ini sudah kedaluwarsa.</p>"
    else:
        body += (
            f'<form method=post action="/simulasi/pay-page/{escape(page.token)}">'
            "<button autofocus>Bayar (simulasi)</button></form>"
        )
    return _page("Tautan pembayaran", f"<section>{body}</section>")


def code(deal: Deal, text: str) -> str:
    """The page behind a QR code's picture: its text, and the button that pays it."""
    body = (
        f"<p class=sum>{rupiah(deal.amount)}</p><p>{escape(_WORDS.get(deal.status, deal.status))}</p>"
        f"<p><code>{escape(text)}</code></p>{_buttons(deal)}"
    )
    return _page("QRIS", f"<section>{body}</section>")


def rupiah(amount: int) -> str:
    """Rp 1.497.500"""
    return "Rp " + f"{amount:,}".replace(",", ".")


def _buttons(deal: Deal) -> str:
    ways: tuple[tuple[str, str, str], ...] = ()
    if deal.status == OPEN:
        ways = (("pay", "Bayar", ""), ("deny", "Tolak", " class=quiet"))
    elif deal.status == "expire":
        ways = (("pay-late", "Bayar terlambat", " class=quiet"),)
    return " ".join(
        f'<form method=post action="/simulasi/{action}/{escape(deal.order_id)}"><button{style}>{name}</button></form>'
        for action, name, style in ways
    )


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="id"><meta charset="utf-8"><title>SIMULASI · {title}</title><style>{_STYLE}</style>'
        f"<header>SIMULASI · tidak ada uang sungguhan · {title}</header><main>{body}"
        '<p><a href="/">Semua pembayaran</a></p></main></html>'
    )
