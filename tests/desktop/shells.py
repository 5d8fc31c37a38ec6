"""A shell that records what a screen asks of it; for tests of single screens."""

from collections.abc import Callable

from app.desktop.screen import BannerContent, ScreenKey, Words


class QuietShell:
    """Implements Shell without a window."""

    def __init__(self) -> None:
        self.online = True
        self.went: list[tuple[ScreenKey, object]] = []
        self.banners: dict[str, BannerContent] = {}
        self.toasts: list[str] = []
        self.undo: Callable[[], object] | None = None
        self.badges: dict[ScreenKey, int] = {}
        self.facts: dict[str, str] = {}
        self.shift_refreshes = 0

    def go(self, key: ScreenKey, argument: object = None) -> None:
        self.went.append((key, argument))

    def show_banner(self, name: str, content: BannerContent) -> None:
        self.banners[name] = content

    def hide_banner(self, name: str) -> None:
        self.banners.pop(name, None)

    def toast(
        self, text: Words, *, undo: Callable[[], object] | None = None, seconds: int = 0, detail: str = ""
    ) -> None:
        self.toasts.append(text if isinstance(text, str) else text())
        self.undo = undo

    def withdraw(self, undo: Callable[[], object]) -> None:
        self.undo = None if self.undo is undo else self.undo

    def set_badge(self, key: ScreenKey, count: int) -> None:
        self.badges[key] = count

    def is_online(self) -> bool:
        return self.online

    def refresh_shift(self) -> None:
        self.shift_refreshes += 1

    def set_fact(self, name: str, text: str) -> None:
        self.facts[name] = text
