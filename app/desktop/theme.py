"""The theme: every colour, size and type role of the screens, read from one file, and the palette made from it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.desktop.resources import resource
from app.desktop.states import ShownState

FONT_FAMILY = "Inter"
FONT_FILES = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf")


class TextRole(StrEnum):
    """The eight type roles; no other sizes exist."""

    RAIL = "rail"
    CAPTION = "caption"
    SECONDARY = "secondary"
    BASE = "base"
    SECTION = "section"
    COUNTDOWN = "countdown"
    AMOUNT = "amount"
    TOTAL = "total"


class BannerKind(StrEnum):
    INFO = "info"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"


class Outline(StrEnum):
    SOLID = "solid"
    DASH = "dash"
    DOT = "dot"


class Pattern(StrEnum):
    NONE = "none"
    CHEVRONS = "chevrons"
    VERTICAL = "vertical"
    CROSS = "cross"
    DIAGONAL = "diagonal"
    DOTS = "dots"


class ThemeChoice(Enum):
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateStyle:
    """How one booking state is drawn, on the grid and in chips. Every state also has a cue that is not a colour."""

    code: str
    fill: QColor
    text: QColor
    border: QColor
    outline_colour: QColor
    outline: Outline
    pattern: Pattern
    weight: int
    bottom_bar: bool
    dashed_tail: bool
    struck: bool
    square: bool
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerStyle:
    fill: QColor
    text: QColor
    line: QColor


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeStyle:
    """Pixel size, line height in pixels, weight."""

    size: int
    line: int
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """All lengths in device-independent pixels."""

    space_1: int
    space_2: int
    space_3: int
    space_4: int
    space_6: int
    space_8: int
    radius_cell: int
    radius_bar: int
    radius_control: int
    radius_card: int
    top_bar: int
    toolbar: int
    grid_header: int
    grid_row: int
    list_row: int
    table_head: int
    legend: int
    status_bar: int
    banner: int
    banner_tall: int
    footer_totals: int
    field: int
    field_small: int
    field_amount: int
    button: int
    button_small: int
    button_row: int
    button_primary: int
    button_pay: int
    rail: int
    rail_item: int
    rail_icon: int
    drawer: int
    panel: int
    drawer_head: int
    key_cap: int
    state_chip: int
    tag: int
    badge: int
    progress: int
    ring: int
    ring_gap: int
    unit_column: int
    day_column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One complete look. Colours are shared objects: never change one in place, make a copy."""

    choice: ThemeChoice
    app: QColor
    surface: QColor
    sunken: QColor
    head: QColor
    weekend: QColor
    line: QColor
    line_strong: QColor
    control: QColor
    text: QColor
    muted: QColor
    disabled_text: QColor
    accent: QColor
    on_accent: QColor
    soft: QColor
    on_soft: QColor
    error: QColor
    success: QColor
    online: QColor
    warning: QColor
    warning_mark: QColor
    today: QColor
    on_today: QColor
    selection: QColor
    conflict: QColor
    stale: QColor
    action_corner: QColor
    banners: Mapping[BannerKind, BannerStyle]
    heat: tuple[QColor, ...]
    states: Mapping[ShownState, StateStyle]
    type: Mapping[TextRole, TypeStyle]
    sizes: Sizes

    @property
    def is_dark(self) -> bool:
        return self.choice is ThemeChoice.DARK

    @staticmethod
    def light() -> "Theme":
        return _load(ThemeChoice.LIGHT)

    @staticmethod
    def dark() -> "Theme":
        return _load(ThemeChoice.DARK)

    def banner(self, kind: BannerKind) -> BannerStyle:
        return self.banners[kind]

    def state(self, state: ShownState) -> StateStyle:
        return self.states[state]

    def font(self, role: TextRole = TextRole.BASE, weight: int | None = None) -> QFont:
        """The bundled font in a role's pixel size, digits of equal width; `weight` (400 to 700) overrides."""
        style = self.type[role]
        font = QFont(FONT_FAMILY)
        font.setPixelSize(style.size)
        font.setWeight(QFont.Weight(weight or style.weight))
        font.setFeature(QFont.Tag("tnum"), 1)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if role is TextRole.TOTAL:
            font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, -0.3)
        return font

    def palette(self) -> QPalette:
        """The palette of the whole program. It is always set, never read back from the desktop's scheme."""
        palette = QPalette()
        role = QPalette.ColorRole
        for colour_role, colour in (
            (role.Window, self.app),
            (role.WindowText, self.text),
            (role.Base, self.surface),
            (role.AlternateBase, self.sunken),
            (role.Text, self.text),
            (role.PlaceholderText, self.muted),
            (role.Button, self.surface),
            (role.ButtonText, self.text),
            (role.BrightText, self.error),
            (role.Midlight, self.line),
            (role.Mid, self.line_strong),
            (role.Dark, self.control),
            (role.Light, self.surface),
            (role.Shadow, self.control),
            (role.Highlight, self.soft),
            (role.HighlightedText, self.text),
            (role.Link, self.accent),
            (role.LinkVisited, self.accent),
            (role.Accent, self.accent),
            (role.ToolTipBase, self.surface),
            (role.ToolTipText, self.text),
        ):
            palette.setColor(colour_role, colour)
        for colour_role in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
            palette.setColor(QPalette.ColorGroup.Disabled, colour_role, self.disabled_text)
        palette.setColor(QPalette.ColorGroup.Disabled, role.Base, self.head)
        palette.setColor(QPalette.ColorGroup.Disabled, role.Button, self.head)
        return palette


class _Current(QObject):
    """Holds the theme in use; widgets that paint themselves repaint on `changed`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme = Theme.light()


@cache
def theme_source() -> _Current:
    """The object whose `changed` signal tells that `theme()` answers something else now."""
    return _Current()


def theme() -> Theme:
    """The theme in use."""
    return theme_source().theme


def use_theme(new: Theme, app: QApplication) -> None:
    """Make `new` the theme of the program: Fusion, palette, base font; then `changed` is emitted."""
    if app.style().objectName() != "fusion":
        app.setStyle(QStyleFactory.create("Fusion"))
    theme_source().theme = new
    app.setPalette(new.palette())
    app.setFont(new.font())
    theme_source().changed.emit()


def load_fonts() -> None:
    """Register the bundled font files; raises FileNotFoundError when one is missing or broken."""
    for name in FONT_FILES:
        path = resource("fonts", name)
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise FileNotFoundError(path)


@cache
def _tokens() -> dict[str, Any]:
    tokens: dict[str, Any] = json.loads(resource("theme", "sentra.json").read_text(encoding="utf-8"))
    return tokens


@cache
def _load(choice: ThemeChoice) -> Theme:
    tokens = _tokens()
    colours = dict(tokens[choice.value])
    banners = {BannerKind(kind): _banner(values) for kind, values in colours.pop("banners").items()}
    heat = tuple(QColor(value) for value in colours.pop("heat"))
    return Theme(
        choice=choice,
        banners=banners,
        heat=heat,
        states={ShownState(name): _state(name, values, choice) for name, values in tokens["states"].items()},
        type={TextRole(name): TypeStyle(size=v[0], line=v[1], weight=v[2]) for name, v in tokens["type"].items()},
        sizes=Sizes(**tokens["sizes"]),
        **{name: QColor(value) for name, value in colours.items()},
    )


def _banner(values: list[str]) -> BannerStyle:
    fill, text, line = (QColor(value) for value in values)
    return BannerStyle(fill=fill, text=text, line=line)


def _state(name: str, values: dict[str, Any], choice: ThemeChoice) -> StateStyle:
    fill, text, border = (QColor(value) for value in values[choice.value])
    outline = Outline(values["outline"])
    # In the dark theme the light border vanishes on its own fill: dashes and dots are drawn in the text colour there.
    vanishes = choice is ThemeChoice.DARK and name in ("PENDING_PAYMENT", "WAITLIST_HOLD")
    return StateStyle(
        code=values["code"],
        fill=fill,
        text=text,
        border=border,
        outline_colour=text if vanishes else border,
        outline=outline,
        pattern=Pattern(values["pattern"]),
        weight=values["weight"],
        bottom_bar=values.get("bottom_bar", False),
        dashed_tail=values.get("dashed_tail", False),
        struck=values.get("struck", False),
        square=values.get("square", False),
        sign=values.get("sign", ""),
    )
