"""The theme file holds what was promised: readable text, visible borders, states that colour-blind eyes tell apart."""

import itertools

import pytest
from PySide6.QtGui import QFontInfo, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.states import GRID_STATES, ShownState
from app.desktop.theme import BannerKind, TextRole, Theme, theme, theme_source, use_theme
from tests.desktop.colours import as_seen, contrast, distance

THEMES = [pytest.param(Theme.light, id="light"), pytest.param(Theme.dark, id="dark")]
# DISPATCHED and EXTENSION_PENDING share their neighbours' fills on purpose and differ by a bar and a tail.
OWN_FILL = [s for s in GRID_STATES if s not in (ShownState.DISPATCHED, ShownState.EXTENSION_PENDING)]
TEXT, BORDER, APART = 4.5, 3.0, 10.0


@pytest.fixture(params=THEMES)
def look(request: pytest.FixtureRequest) -> Theme:
    made: Theme = request.param()
    return made


@pytest.mark.parametrize("state", list(ShownState))
def test_state_text_is_readable_and_its_border_visible(look: Theme, state: ShownState) -> None:
    style = look.state(state)
    assert contrast(style.text, style.fill) >= TEXT
    for background in (look.surface, look.weekend):
        assert contrast(style.border, background) >= BORDER


@pytest.mark.parametrize("kind", list(BannerKind))
def test_banner_text_is_readable(look: Theme, kind: BannerKind) -> None:
    style = look.banner(kind)
    assert contrast(style.text, style.fill) >= TEXT


@pytest.mark.parametrize("ground", ["app", "surface", "sunken", "head", "soft"])
@pytest.mark.parametrize("ink", ["text", "muted"])
def test_text_is_readable_on_every_ground(look: Theme, ink: str, ground: str) -> None:
    assert contrast(getattr(look, ink), getattr(look, ground)) >= TEXT


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("on_accent", "accent"),
        ("on_soft", "soft"),
        ("accent", "surface"),
        ("accent", "soft"),
        ("accent", "app"),
        ("disabled_text", "head"),
        ("disabled_text", "surface"),
        ("error", "surface"),
        ("error", "app"),
        ("success", "surface"),
        ("warning", "surface"),
        ("on_today", "today"),
        ("surface", "text"),
    ],
)
def test_words_in_colour_are_readable(look: Theme, ink: str, ground: str) -> None:
    assert contrast(getattr(look, ink), getattr(look, ground)) >= TEXT


@pytest.mark.parametrize(
    "mark", ["control", "accent", "today", "error", "online", "warning_mark", "selection", "conflict"]
)
def test_lines_and_marks_that_mean_something_are_visible(look: Theme, mark: str) -> None:
    assert contrast(getattr(look, mark), look.surface) >= BORDER


def test_heat_text_is_readable_at_every_step() -> None:
    look = Theme.light()
    for step, fill in enumerate(look.heat):
        assert contrast(look.text if step < 4 else look.surface, fill) >= TEXT


@pytest.mark.parametrize("eyes", ["normal", "protan", "deutan", "tritan"])
def test_grid_states_are_told_apart_by_all_eyes(look: Theme, eyes: str) -> None:
    seen = {state: as_seen(look.state(state).fill, eyes) for state in OWN_FILL}
    assert len(seen) == 9
    for one, other in itertools.combinations(OWN_FILL, 2):
        assert distance(seen[one], seen[other]) >= APART, (one, other)


def test_the_colour_distance_is_ciede2000() -> None:
    """A pair of the published test data (Sharma, Wu, Dalal 2005)."""
    assert distance((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert distance((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514)) == pytest.approx(0.9082, abs=1e-4)


def test_states_differ_without_colour(look: Theme) -> None:
    """No two states share code, and no two share all of outline, pattern, bar, tail, strike, shape, sign and fill."""
    codes = [look.state(state).code for state in ShownState]
    assert len(set(codes)) == len(codes)
    drawn = [
        (s.outline, s.pattern, s.bottom_bar, s.dashed_tail, s.struck, s.square, s.sign, s.fill.name())
        for s in map(look.state, ShownState)
    ]
    assert len(set(drawn)) == len(drawn)


def test_dashes_are_drawn_in_the_text_colour_where_the_border_would_vanish() -> None:
    for state in (ShownState.PENDING_PAYMENT, ShownState.WAITLIST_HOLD):
        style = Theme.dark().state(state)
        assert contrast(style.outline_colour, style.fill) >= BORDER


@pytest.mark.parametrize("role", list(TextRole))
@pytest.mark.parametrize("weight", [400, 500, 600, 700])
def test_every_type_role_is_drawn_in_the_bundled_font(role: TextRole, weight: int) -> None:
    info = QFontInfo(theme().font(role, weight))
    assert info.family() == "Inter"
    assert info.pixelSize() == theme().type[role].size
    assert info.weight() == weight


def test_digits_are_of_equal_width() -> None:
    metrics = QFontMetricsF(theme().font(TextRole.COUNTDOWN))
    widths = [metrics.horizontalAdvance(digit * 8) for digit in "0123456789"]
    assert max(widths) - min(widths) < 0.5


def test_changing_the_theme_sets_the_palette_and_tells(qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme_source().changed, timeout=20_000):
        use_theme(Theme.dark(), qapp)
    assert theme().is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window) == Theme.dark().app
    assert qapp.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == Theme.dark().disabled_text
    assert qapp.style().objectName() == "fusion"
