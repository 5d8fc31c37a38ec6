"""Months and the e-Faktur export: files in a chosen folder, what needs a hand, and a month closed for good."""

import datetime as dt
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.screens.tax_month_page import TaxMonthPage
from app.desktop.screens.tax_month_viewmodel import TaxMonthViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.staff import StaffMember
from app.usecases.rows_till import NumberedMonth
from app.usecases.tax_months import TaxMonth
from tests.desktop.shift_fakes import DEWI, MAYA

IDENTITY = {"npwp": "0012345678901000", "idtku": "0012345678901000000000", "name": "PT Sentra"}


class Months:
    """Two months; nothing is exported before the branch has said who sells."""

    def __init__(self) -> None:
        self.known = [_month("202612", 3), _month("202611", 44)]
        self.settings: dict[str, object] = {"tax_identity": IDENTITY}
        self.exported: list[str] = []

    def months(self) -> tuple[NumberedMonth, ...]:
        return tuple(self.known)

    def close_month(self, month: str) -> NumberedMonth:
        at = dt.datetime(2026, 12, 1, 2, tzinfo=dt.UTC)
        self.known = [_month(one.month, one.last, at if one.month == month else one.closed_at) for one in self.known]
        return next(one for one in self.known if one.month == month)

    def export_tax_month(self, month: str) -> TaxMonth:
        if "tax_identity" not in self.settings:
            raise Refusal(RefusalCode.FIELD_INVALID, field="tax_identity", reason="missing")
        self.exported.append(month)
        return TaxMonth(
            month=month,
            xml=b"<TaxInvoiceBulk/>",
            csv=b"TrxCode;VAT",
            count=44,
            base=Rupiah(40_000_000),
            dpp=Rupiah(36_666_667),
            ppn=Rupiah(4_400_000),
            incomplete=("INV/BDG/202611/00003",),
            voided=("INV/BDG/202611/00007",),
            corrected=(),
        )

    def set_till_setting(self, key: str, value: object) -> None:
        self.settings[key] = value


def _month(month: str, last: int, closed_at: dt.datetime | None = None) -> NumberedMonth:
    return NumberedMonth(
        month=month, last=last, closed_at=closed_at, closed_by_name=None if closed_at is None else "Maya"
    )


@pytest.fixture
def months() -> Months:
    return Months()


def opened(qtbot: QtBot, months: Months, folder: Path, who: StaffMember = MAYA) -> TaxMonthPage:
    page = TaxMonthPage(TaxMonthViewModel(months, who, folder))
    qtbot.addWidget(page)
    page.show()
    page.activate()
    return page


def test_a_month_is_written_as_xml_and_csv_into_the_chosen_folder_and_says_what_needs_a_hand(
    qtbot: QtBot, months: Months, tmp_path: Path
) -> None:
    page = opened(qtbot, months, tmp_path)
    assert page.facts() == "3 nomor tagihan. Bulan masih terbuka."
    page._choose("202611")
    page.folder.set_text(str(tmp_path / "pajak"))
    page.export_button.click()
    assert sorted(path.name for path in (tmp_path / "pajak").iterdir()) == [
        "efaktur-BDG-202611.csv",
        "efaktur-BDG-202611.xml",
    ]
    assert (tmp_path / "pajak" / "efaktur-BDG-202611.xml").read_bytes() == b"<TaxInvoiceBulk/>"
    for wanted in ("44 tagihan", "Rp\u00a036.666.667", "Rp\u00a04.400.000", "INV/BDG/202611/00003", "00007"):
        assert wanted in page.message(), wanted


def test_without_a_tax_identity_it_is_asked_for_once_in_place_and_the_export_goes_on(
    qtbot: QtBot, months: Months, tmp_path: Path
) -> None:
    del months.settings["tax_identity"]
    page = opened(qtbot, months, tmp_path)
    page.export_button.click()
    assert page.npwp.isVisible()
    assert months.exported == []
    for field, text in zip((page.npwp, page.idtku, page.seller), IDENTITY.values(), strict=True):
        field.set_text(f" {text} ")
    page.identity_button.click()
    assert months.settings["tax_identity"] == IDENTITY
    assert months.exported == ["202612"]
    assert not page.npwp.isVisible()


def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_half_there(
    qtbot: QtBot, months: Months, tmp_path: Path
) -> None:
    blocked = tmp_path / "no-folder"
    blocked.write_text("a file")
    page = opened(qtbot, months, tmp_path)
    page.folder.set_text(str(blocked))
    page.export_button.click()
    assert page.message().startswith("Berkas tidak bisa ditulis")
    page.folder.set_text("  ")
    page.export_button.click()
    assert page.folder.edit.hasFocus() or page.message()
    assert months.exported == ["202612"]


def test_a_month_is_closed_by_a_second_press_because_nothing_takes_it_back(
    qtbot: QtBot, months: Months, tmp_path: Path
) -> None:
    page = opened(qtbot, months, tmp_path)
    page._choose("202611")
    page.close_button.click()
    assert months.known[1].closed_at is None
    assert "Tekan lagi" in page.message()
    page._choose("202612")
    page._choose("202611")
    page.close_button.click()
    assert months.known[1].closed_at is None, "another month was looked at meanwhile: it is asked again"
    page.close_button.click()
    assert months.known[1].closed_at is not None
    assert "Ditutup 1 Des 2026 oleh Maya" in page.facts()
    assert not page.close_button.isEnabled()


def test_a_cashier_reads_why_the_buttons_do_nothing(qtbot: QtBot, months: Months, tmp_path: Path) -> None:
    page = opened(qtbot, months, tmp_path, DEWI)
    for button in (page.export_button, page.close_button):
        assert not button.isEnabled()
        assert button.reason() == "Perlu peran Manajer."
