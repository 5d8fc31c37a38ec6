"""What a bar's card says: days, money, deadline or return, what has to be done, and a double claim."""

import datetime as dt
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.screens.calendar_bar_facts import MOST_FACTS, bar_facts
from app.desktop.widgets.month_grid_content import GridContent
from app.domain.days import Days
from app.usecases.rows import Bar, PaidMark
from tests.desktop.calendar_samples import NOW, TODAY, ZONE, bar, days_around, fleet, masks_of

UNIT = fleet()[0]
WINDOW = days_around(-4, 26)


def facts(*rows: Bar, at: int = 0, window: Days = WINDOW) -> dict[str, str]:
    content = GridContent(
        window=window,
        today=TODAY,
        now=NOW,
        fleet=(UNIT,),
        masks=masks_of((UNIT,), rows, window),
        holidays={},
        bars=rows,
    )
    return dict(bar_facts(UNIT, content.spans(UNIT)[at], ZONE, NOW, content))


@pytest.fixture(autouse=True)
def _words(qapp: QApplication) -> None:
    """Texts are translated by an application."""


def test_a_paid_booking_says_unit_days_money_and_when_it_is_back() -> None:
    assert facts(bar(UNIT, "LB", 4, 6, "Siti R.")) == {
        "Unit": "Avanza G · B 1200 XYZ putih",
        "Hari": "Jum 4 – Min 6 Des · 3 hari",
        "Bayar": "lunas",
        "Kembali": "Min 6 Des 20.00 WIB",
    }


def test_an_overdue_rental_says_by_how_much_and_what_to_do() -> None:
    found = facts(bar(UNIT, "TL", -4, -1, "Yoga P.", PaidMark.PART))
    assert found["Tindakan"] == "hubungi pelanggan, terima kembali"
    assert found["Kembali"].endswith("terlambat 2 jam")


def test_a_rental_under_way_says_which_day_it_is() -> None:
    assert facts(bar(UNIT, "DS", -2, 2, "Rina M."))["Hari"] == "Sab 28 Nov – Rab 2 Des · 5 hari, hari ini ke-3"


def test_an_unpaid_hold_says_when_it_is_let_go() -> None:
    assert facts(bar(UNIT, "MB", 4, 5, "Hadi", PaidMark.UNPAID))["Batas"] == "14.15.10, lalu unit dilepas otomatis"


def test_an_asked_extension_names_the_extra_days_and_lets_only_them_go() -> None:
    row = replace(bar(UNIT, "PP", -3, 3, "CV Mitra"), extended_from=TODAY + dt.timedelta(days=2))
    for at in (0, 1):
        found = facts(row, at=at)
        assert found["Tambahan"] == "Rab 2 – Kam 3 Des, menunggu bayar"
        assert found["Batas"] == "14.15.10 (10:00), lalu hari tambahan dilepas"


def test_past_its_time_an_asked_extension_is_late_only_if_it_is_not_paid() -> None:
    row = replace(
        bar(UNIT, "PP", -3, 3, "CV Mitra", PaidMark.PART),
        extended_from=TODAY + dt.timedelta(days=1),
        rented=Days(TODAY - dt.timedelta(days=3), TODAY),
        due_at=NOW - dt.timedelta(minutes=16),
    )
    found = facts(row)
    assert found["Kembali"].endswith(" · lewat 16 mnt, tidak terlambat bila tambahannya dibayar")
    assert found["Bayar"] == "sebagian; tambahannya belum dibayar"


def test_whoever_is_to_be_called_has_a_number() -> None:
    late = replace(bar(UNIT, "TL", -4, -1, "Yoga P."), customer_phone="+6281234567890")
    assert facts(late)["Tindakan"] == "hubungi 0812-3456-7890"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("LB", "siapkan dan serahkan unit"),
        ("SR", "serahkan unit ke pelanggan"),
        ("PR", "periksa unit"),
        ("SG", "selesaikan denda"),
    ],
)
def test_what_has_to_be_done_today_is_said(code: str, words: str) -> None:
    assert facts(bar(UNIT, code, 0, 2, "Siti R."))["Tindakan"] == words


def test_c32_the_card_of_a_doubled_bar_names_both_claims_first() -> None:
    one, other = bar(UNIT, "LB", 2, 6, "Siti R.", number="BK-1"), bar(UNIT, "LB", 5, 9, "Budi", number="BK-2")
    for at in (0, 1):
        found = facts(one, other, at=at)
        assert next(iter(found.items())) == ("Bentrok", "Siti R. (BK-1) dan Budi (BK-2)")
        assert len(found) <= MOST_FACTS


def test_a_block_has_no_money_and_no_return() -> None:
    assert set(facts(bar(UNIT, "PW", 3, 5, "servis rutin"))) == {"Unit", "Hari"}
