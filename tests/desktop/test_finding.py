"""F2, the scanner, Ctrl+K and F1: finding things without leaving what is being typed."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.palette_wish import typed_wish
from app.desktop.screens.walk_in_form import Stage
from app.desktop.widgets.overlays import CommandPalette
from app.domain.booking import BookingState
from app.domain.catalogue import Sku
from app.domain.days import Days
from app.domain.money import Rupiah
from app.usecases.rows_search import SearchHit, SearchKind
from tests.desktop.calendar_fakes import BUDI
from tests.desktop.calendar_samples import BRANCH, ELSEWHERE, TODAY
from tests.desktop.finding_desk import CONTROL, CUSTOMER_HIT, FindingDesk, unit_hit
from tests.desktop.runners import HeldRunner

DAY = dt.timedelta(days=1)


@pytest.fixture
def desk(tmp_path: Path, qtbot: QtBot) -> Iterator[FindingDesk]:
    made = FindingDesk(tmp_path, qtbot)
    yield made
    made.close()


def booking_hit(desk: FindingDesk, plate: str, name: str) -> SearchHit:
    """The bar with this customer, as the search answers it."""
    unit = desk.unit(plate)
    bar = next(row for row in desk.counter.branch.rows if row.unit_id == unit.unit.id and row.customer_name == name)
    return replace(
        unit_hit(unit),
        kind=SearchKind.BOOKING,
        id=bar.booking_id or "",
        title=bar.number or "",
        booking_id=bar.booking_id,
        number=bar.number or "",
        days=bar.days,
        customer_name=name,
        state=bar.state,
    )


# --- F2 ---------------------------------------------------------------------------------------------------------------


def test_a_unit_is_reached_by_a_few_figures_and_the_day_by_ctrl_g_within_ten_keys(desk: FindingDesk) -> None:
    desk.knows("1201", unit_hit(desk.unit("B 1201 XYZ")))
    desk.press(Qt.Key.Key_F2)
    desk.type("1201")
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_G, CONTROL)
    desk.type("5")
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Space)
    assert desk.here() == ("B 1201 XYZ", dt.date(2026, 12, 5))
    assert desk.screen.pointing.preview.isVisible()
    assert "Bagus P." in desk.screen.pointing.preview.accessibleName()
    assert desk.keys <= 10


def test_enter_before_the_answer_goes_there_when_it_comes(desk: FindingDesk, held_runner: HeldRunner) -> None:
    desk.knows("1203", unit_hit(desk.unit("B 1203 XYZ")))
    desk.press(Qt.Key.Key_F2)
    desk.type("1203")
    desk.press(Qt.Key.Key_Return)
    before = desk.here()
    while held_runner.waiting:
        held_runner.go_on()
    assert before[0] != "B 1203 XYZ"
    assert desk.here() == ("B 1203 XYZ", TODAY)


def test_an_answer_for_an_older_text_is_dropped(desk: FindingDesk, held_runner: HeldRunner) -> None:
    desk.knows("12", unit_hit(desk.unit("B 1200 XYZ")))
    desk.knows("1203", unit_hit(desk.unit("B 1203 XYZ")))
    desk.press(Qt.Key.Key_F2)
    desk.type("12")
    desk.pause()
    desk.type("03")
    held_runner.go_on()
    assert not desk.finding.search.panel.isVisible()
    desk.pause()
    held_runner.go_on()
    assert [hit.title for hit in desk.finding.search.model.hits] == ["B 1203 XYZ"]


def test_the_arrows_choose_while_the_typing_goes_on(desk: FindingDesk) -> None:
    desk.knows("120", unit_hit(desk.unit("B 1200 XYZ")), unit_hit(desk.unit("B 1201 XYZ")))
    desk.press(Qt.Key.Key_F2)
    desk.type("120")
    desk.pause()
    panel = desk.finding.search.panel
    assert panel.isVisible()
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Down)
    assert desk.window.top.search.edit.hasFocus()
    desk.press(Qt.Key.Key_Return)
    assert not panel.isVisible()
    assert desk.here()[0] == "B 1201 XYZ"
    assert desk.window.top.search.text() == ""


def test_f2_leaves_a_field_as_it_is_and_escape_goes_back_into_it(desk: FindingDesk) -> None:
    desk.press(Qt.Key.Key_N, CONTROL)
    field = desk.screen.panel.form.customer
    desk.type("0812")
    desk.press(Qt.Key.Key_F2)
    desk.type("zz")
    desk.pause()
    desk.press(Qt.Key.Key_Escape)
    assert (field.text(), desk.window.top.search.text()) == ("0812", "")
    assert field.edit.hasFocus()
    assert desk.screen.drawer.is_open()


def test_a_booking_is_reached_on_its_day_with_its_card_open(desk: FindingDesk) -> None:
    hit = booking_hit(desk, "B 1200 XYZ", "PT Arunika")
    desk.knows("arunika", hit)
    desk.press(Qt.Key.Key_F2)
    desk.type("arunika")
    desk.press(Qt.Key.Key_Return)
    assert desk.here() == ("B 1200 XYZ", TODAY + 12 * DAY)
    assert desk.screen.pointing.preview.isVisible()


def test_a_booking_outside_the_window_brings_its_days(desk: FindingDesk) -> None:
    hit = booking_hit(desk, "B 1200 XYZ", "PT Arunika")
    far = Days(TODAY + 200 * DAY, TODAY + 203 * DAY)
    rows = desk.counter.branch.rows
    rows[:] = [replace(row, days=far) if row.booking_id == hit.booking_id else row for row in rows]
    desk.knows("bk", replace(hit, days=far))
    desk.press(Qt.Key.Key_F2)
    desk.type("bk")
    desk.press(Qt.Key.Key_Return)
    assert desk.here() == ("B 1200 XYZ", far.first)
    assert not desk.finding.search.arrival(desk.screen).is_arriving()


def test_a_filter_that_hides_the_unit_is_taken_off(desk: FindingDesk) -> None:
    desk.screen.model.set_filter("hiace")
    desk.knows("1201", unit_hit(desk.unit("B 1201 XYZ")))
    desk.press(Qt.Key.Key_F2)
    desk.type("1201")
    desk.press(Qt.Key.Key_Return)
    assert desk.here()[0] == "B 1201 XYZ"


def test_a_unit_of_another_branch_is_shown_there_to_be_read(desk: FindingDesk) -> None:
    other = desk.counter.calendar.fleet(ELSEWHERE.id)[0]
    desk.knows("dd", replace(unit_hit(other), branch_id=ELSEWHERE.id, branch_name=ELSEWHERE.name))
    desk.press(Qt.Key.Key_F2)
    desk.type("dd")
    desk.pause()
    desk.press(Qt.Key.Key_Return)
    assert desk.here()[0] == other.unit.plate
    assert desk.screen.model.is_elsewhere


def test_a_customer_goes_into_the_form_that_waits_for_one_else_into_the_register(desk: FindingDesk) -> None:
    desk.knows("budi", CUSTOMER_HIT)
    desk.press(Qt.Key.Key_F2)
    desk.type("budi")
    desk.press(Qt.Key.Key_Return)
    assert desk.window.current() is desk.customers
    assert desk.customers.arguments == [BUDI.customer.id]
    desk.press(Qt.Key.Key_1, CONTROL)
    desk.press(Qt.Key.Key_N, CONTROL)
    desk.press(Qt.Key.Key_F2)
    desk.type("budi")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.walk_in.form.customer_id == BUDI.customer.id


def test_nothing_found_says_so_and_keeps_the_text(desk: FindingDesk) -> None:
    desk.press(Qt.Key.Key_F2)
    desk.type("zzz")
    desk.press(Qt.Key.Key_Return)
    assert desk.window.top.search.text() == "zzz"
    assert desk.finding.search.panel.spoken() == "Tidak ditemukan: zzz"
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.finding.search.panel.spoken() == "Not found: zzz"


def test_without_the_server_the_grid_is_searched_as_it_stands(desk: FindingDesk) -> None:
    desk.counter.branch.away = True
    for _ in range(3):
        desk.window.connection.tick()
    desk.press(Qt.Key.Key_F2)
    desk.type("b1201xyz")
    desk.press(Qt.Key.Key_Return)
    assert desk.here()[0] == "B 1201 XYZ"
    assert desk.search.asked == []


@pytest.mark.parametrize("language", list(Language))
def test_every_hit_is_read_whole_in_both_languages(desk: FindingDesk, language: Language) -> None:
    use_language(language)
    paid = booking_hit(desk, "B 1201 XYZ", "Rina M.")
    desk.knows("12", replace(paid, kind=SearchKind.UNIT, title="B 1201 XYZ"), paid, CUSTOMER_HIT)
    desk.press(Qt.Key.Key_F2)
    desk.type("12")
    desk.pause()
    panel = desk.finding.search.panel
    spoken = [panel.list.item(row).text() for row in range(panel.list.count())]
    today = {"id": "hari ini Rina M. s.d. Rab 2 Des", "en": "today Rina M. until Wed 2 Dec"}[language.value]
    kind = {"id": "Pelanggan", "en": "Customer"}[language.value]
    assert spoken[0] == f"Unit, B 1201 XYZ, Avanza G · {today}"
    assert spoken[2] == f"{kind}, Budi Santoso, 0812-3456-7890"


def test_a_longer_list_says_that_it_is_the_first_and_a_unit_that_is_back_is_not_out_today(desk: FindingDesk) -> None:
    back = replace(
        booking_hit(desk, "B 1201 XYZ", "Rina M."), kind=SearchKind.UNIT, state=BookingState.RETURNED_PENDING_CHECK
    )
    plates = ["B 1200 XYZ", "B 1203 XYZ", "B 1204 XYZ", "B 1207 XYZ", "B 1209 XYZ", "B 1211 XYZ"]
    desk.knows("12", back, *(unit_hit(desk.unit(plate)) for plate in plates))
    desk.press(Qt.Key.Key_F2)
    desk.type("12")
    desk.pause()
    panel = desk.finding.search.panel
    assert panel.list.count() == 6
    assert panel._count.text() == "6 yang pertama; ketik lebih lengkap"
    assert panel.list.item(0).text().endswith("Avanza G · sudah kembali dari Rina M.")
    use_language(Language.EN)
    QApplication.processEvents()
    assert panel._count.text() == "the first 6; type more of it"
    assert panel.list.item(0).text().endswith("Avanza G · returned by Rina M.")


def test_a_search_that_takes_long_says_so_instead_of_showing_rows_of_an_older_text(
    desk: FindingDesk, qtbot: QtBot
) -> None:
    desk.knows("12", unit_hit(desk.unit("B 1201 XYZ")))
    desk.knows("1203")
    panel = desk.finding.search.panel
    desk.press(Qt.Key.Key_F2)
    desk.type("12")
    desk.pause()
    assert panel.list.count() == 1
    runner = HeldRunner()
    before = use_runner(runner)
    try:
        desk.type("03")
        desk.pause()
        qtbot.waitUntil(lambda: panel.list.count() == 0, timeout=60_000)
        assert panel._empty.text() == "Mencari…"
        assert panel.hit() is None
        runner.go_on()
        assert panel._empty.text() == "Tidak ditemukan: 1203"
    finally:
        use_runner(before)


# --- scanner ----------------------------------------------------------------------------------------------------------


def _booking(desk: FindingDesk, first: int, days: int) -> None:
    desk.press(Qt.Key.Key_N, CONTROL)
    desk.screen.walk_in.set_sku("TOY-AVNZ-G")
    desk.screen.walk_in.set_first(TODAY + first * DAY)
    desk.screen.walk_in.set_days(days)


def test_a_scanned_unit_that_is_free_is_chosen_for_the_booking(desk: FindingDesk) -> None:
    _booking(desk, 0, 2)
    desk.scan(f"U-{desk.unit('B 1200 XYZ').unit.id}")
    assert desk.screen.walk_in.form.unit_id == desk.unit("B 1200 XYZ").unit.id
    assert desk.finding.scans.flash.is_good
    assert desk.finding.scans.flash.isVisible()


def test_c05_a_scanned_unit_promised_to_another_is_refused_naming_it_and_offers_another(desk: FindingDesk) -> None:
    _booking(desk, 3, 3)
    before = desk.screen.walk_in.form
    desk.scan(f"U-{desk.unit('B 1200 XYZ').unit.id}")
    card = desk.screen.refusals.card
    assert desk.screen.walk_in.form == before, "nothing that was typed is touched"
    assert card.isVisible()
    assert "Siti R." in card.accessibleName()
    assert not desk.finding.scans.flash.is_good
    facts = desk.screen.refusals.facts
    assert facts is not None
    assert [action.action.action for action in facts.actions][:1] == ["use_unit"]


def test_a_scanned_unit_of_another_branch_is_refused_with_the_way_on(desk: FindingDesk) -> None:
    _booking(desk, 0, 2)
    unit = desk.unit("B 1201 XYZ")
    desk.scans.elsewhere.add(unit.unit.id)
    desk.scan(f"U-{unit.unit.id}")
    banner = desk.window.banners.shown("scan")
    assert banner is not None
    assert "milik cabang lain" in banner.content().title
    banner.buttons[-1].click()
    assert (desk.screen.walk_in.form.sku, desk.screen.walk_in.form.unit_id) == (unit.sku.code, None)
    assert desk.window.banners.shown("scan") is None


def test_a_scanned_booking_is_reached_and_an_unknown_code_lands_in_the_search(desk: FindingDesk) -> None:
    desk.knows("BK-77", booking_hit(desk, "B 1201 XYZ", "Rina M."))
    desk.scan("B-BK-77")
    assert desk.here() == ("B 1201 XYZ", TODAY)
    assert desk.finding.scans.flash.is_good
    desk.knows("8991", replace(unit_hit(desk.unit("B 1200 XYZ")), is_exact=False))
    desk.finding.scans.flash.hide()
    desk.scan("8991")
    assert desk.finding.scans.flash.isVisible()
    assert desk.window.top.search.text() == "8991"
    assert desk.finding.search.panel.isVisible()
    toast = desk.window.shown_toast()
    assert toast is not None
    assert toast.text() == "Kode 8991 tidak dikenal."


def test_a_scan_never_touches_what_is_being_typed(desk: FindingDesk) -> None:
    desk.press(Qt.Key.Key_N, CONTROL)
    desk.type("0812")
    desk.scan("X-nobody-1")
    assert desk.screen.panel.form.customer.text() == "0812"


# --- Ctrl+K and F1 ----------------------------------------------------------------------------------------------------


def _palette(desk: FindingDesk) -> CommandPalette:
    desk.press(Qt.Key.Key_K, CONTROL)
    palette = desk.window.overlay()
    assert isinstance(palette, CommandPalette)
    return palette


def test_one_line_in_the_palette_fills_the_booking(desk: FindingDesk) -> None:
    palette = _palette(desk)
    desk.type("ava 5/12 3h 081234567890")
    assert palette.shown()[0].text == "Booking baru: Avanza G · Sab 5 Des · 3 hari · 0812-3456-7890"
    desk.press(Qt.Key.Key_Return)
    form = desk.screen.walk_in.form
    assert (form.sku, form.first_day, form.days) == ("TOY-AVNZ-G", dt.date(2026, 12, 5), 3)
    assert form.customer_text == "081234567890"
    assert desk.screen.walk_in.stage is Stage.FORM
    assert desk.screen.panel.form.customer.edit.hasFocus()


def test_a_booking_in_the_palette_puts_another_draft_aside(desk: FindingDesk) -> None:
    desk.press(Qt.Key.Key_N, CONTROL)
    desk.type("0899111222")
    _palette(desk)
    desk.type("ava besok 2h")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.walk_in.form.customer_text == ""
    assert desk.screen.walk_in.form.first_day == TODAY + DAY
    assert desk.screen.walk_in.draft_count == 1


def test_the_palette_lists_the_letters_of_the_grid_by_name_and_runs_them(desk: FindingDesk) -> None:
    desk.screen.model.pan(40)
    desk.press(Qt.Key.Key_N, CONTROL)
    palette = _palette(desk)
    desk.type("hari ini")
    assert (palette.shown()[0].text, palette.shown()[0].key) == ("Hari ini", "T")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.model.window is not None
    assert TODAY in desk.screen.model.window


def test_f1_lists_a_letter_only_while_the_grid_has_the_focus(desk: FindingDesk) -> None:
    def keys() -> dict[str, str]:
        return {hint.key: hint.text for _, hints in desk.window.keys_now() for hint in hints}

    desk.screen.grid.setFocus()
    assert keys()["T"] == "Hari ini"
    assert keys()["F2"] == "Cari / pindai"
    desk.press(Qt.Key.Key_N, CONTROL)
    assert "T" not in keys()
    assert "Ctrl+G" in keys()


def test_f1_leaves_out_what_would_only_say_no_here(desk: FindingDesk) -> None:
    def keys() -> set[str]:
        return {hint.key for _, hints in desk.window.keys_now() for hint in hints}

    column = desk.screen.grid.content.column_of(TODAY + 5 * DAY)  # type: ignore[union-attr]
    assert desk.screen.grid.go_to(desk.unit("B 1200 XYZ").unit.id, column)  # type: ignore[arg-type]
    desk.screen.grid.setFocus()
    assert {"X", "P", "Spasi"} <= keys(), "a paid booking"
    column = desk.screen.grid.content.column_of(TODAY + 9 * DAY)  # type: ignore[union-attr]
    assert desk.screen.grid.go_to(desk.unit("B 1200 XYZ").unit.id, column)  # type: ignore[arg-type]
    assert not {"X", "Shift+X", "P", "Del", "Spasi"} & keys(), "a free day"
    assert "M" in keys()


def test_every_key_stands_in_the_overlay_once(desk: FindingDesk) -> None:
    desk.screen.grid.setFocus()
    listed = [hint.key for _, hints in desk.window.keys_now() for hint in hints]
    assert len(listed) == len(set(listed))
    groups = [title for title, _ in desk.window.keys_now()]
    assert groups[0] == "Kalender"
    assert groups[-2:] == ["Di semua layar", "Pindah layar"]


def test_f1_lists_the_arrows_and_enter_of_the_grid_as_they_work_now(desk: FindingDesk) -> None:
    def listed() -> dict[str, str]:
        return {hint.key: hint.text for _, hints in desk.window.keys_now() for hint in hints}

    desk.screen.grid.setFocus()
    now = listed()
    assert now["Enter"] == "Pesan hari itu / buka bar / lipat SKU"
    assert {"←→↑↓", "Shift+←→"} <= now.keys()
    column = desk.screen.grid.content.column_of(TODAY + 5 * DAY)  # type: ignore[union-attr]
    assert desk.screen.grid.go_to(desk.unit("B 1200 XYZ").unit.id, column)  # type: ignore[arg-type]
    desk.screen.hands.move()
    in_hand = listed()
    assert (in_hand["←→↑↓"], in_hand["Enter"]) == ("Geser bar", "Taruh bar")
    assert "Shift+←→" not in in_hand
    desk.press(Qt.Key.Key_Escape)
    desk.screen.toolbar.sku.edit.setFocus()
    assert "←→↑↓" not in listed()


def test_an_open_panel_speaks_the_language_that_is_chosen_and_keeps_what_was_typed(
    desk: FindingDesk, qtbot: QtBot
) -> None:
    _palette(desk)
    desk.type("ava besok 2h")
    use_language(Language.EN)
    qtbot.waitUntil(lambda: desk.window.overlay() is not None and _first_line(desk).startswith("New booking: Avanza G"))
    desk.press(Qt.Key.Key_Escape)
    desk.screen.grid.setFocus()
    desk.press(Qt.Key.Key_F1)
    use_language(Language.ID)
    qtbot.waitUntil(lambda: "Tombol yang berlaku sekarang" in _heading(desk))


def _first_line(desk: FindingDesk) -> str:
    overlay = desk.window.overlay()
    return overlay.shown()[0].text if isinstance(overlay, CommandPalette) else ""


def _heading(desk: FindingDesk) -> str:
    overlay = desk.window.overlay()
    return overlay.accessibleName() if overlay is not None else ""


# --- a booking in one line --------------------------------------------------------------------------------------------

SKUS = tuple(
    Sku(code=code, name=name, category="Mobil", daily_rate=Rupiah(1), deposit=Rupiah(1), turnaround_days=0)
    for code, name in (("TOY-AVNZ-G", "Avanza G"), ("TOY-HIAC-C", "HiAce Commuter"), ("HON-BEAT-R", "Honda Beat"))
)


@pytest.mark.parametrize(
    ("text", "sku", "day", "days", "customer"),
    [
        ("ava 30/11 3h 081234567890", "TOY-AVNZ-G", (2026, 11, 30), 3, "081234567890"),
        ("ava 30/11 3h 0812", "TOY-AVNZ-G", (2026, 11, 30), 3, "0812"),
        ("hia besok 2 hari", "TOY-HIAC-C", (2026, 12, 1), 2, ""),
        ("beat +3 5", "HON-BEAT-R", (2026, 12, 3), 5, ""),
        ("ava 3h 30/11 budi santoso", "TOY-AVNZ-G", (2026, 11, 30), 3, "budi santoso"),
        ("toy-avnz-g 17 agustus", "TOY-AVNZ-G", (2027, 8, 17), None, ""),
        ("AVA 0812 3456 7890", "TOY-AVNZ-G", None, None, "0812 3456 7890"),
        ("avnz sen 1d +62 812", "TOY-AVNZ-G", (2026, 12, 7), 1, "+62 812"),
    ],
)
def test_a_line_is_understood_as_a_booking(
    text: str, sku: str, day: tuple[int, int, int] | None, days: int | None, customer: str
) -> None:
    wish = typed_wish(text, SKUS, TODAY)
    assert wish is not None
    assert (wish.sku.code, wish.days, wish.customer) == (sku, days, customer)
    assert wish.first_day == (dt.date(*day) if day else None)


@pytest.mark.parametrize(
    "text",
    ["", "a", "ava", "ava budi", "zzz 30/11", "hari ini", "ava 31/2", "ava 29/11/2026", "ava \0", "💰 30/11",
     "30/11 ava", "ava " + "9" * 400, "ava ' OR 1=1", "ava 30/11 x5y"],
)  # fmt: skip
def test_what_is_no_booking_is_none(text: str) -> None:
    assert typed_wish(text, SKUS, TODAY) is None


def test_the_own_branch_needs_no_name_in_the_list_and_another_has_one(desk: FindingDesk) -> None:
    near = unit_hit(desk.unit("B 1200 XYZ"))
    far = unit_hit(desk.counter.calendar.fleet(ELSEWHERE.id)[0])
    desk.knows(
        "xyz",
        replace(near, branch_name=BRANCH.name),
        replace(far, branch_id=ELSEWHERE.id, branch_name=ELSEWHERE.name),
    )
    desk.press(Qt.Key.Key_F2)
    desk.type("xyz")
    desk.pause()
    panel = desk.finding.search.panel
    spoken = [panel.list.item(row).text() for row in range(panel.list.count())]
    assert [BRANCH.name in spoken[0], ELSEWHERE.name in spoken[1]] == [False, True]
