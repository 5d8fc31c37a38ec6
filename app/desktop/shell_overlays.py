"""The panels over the window: the keys that work now (F1) and every command by name (Ctrl+K)."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.command_list import CommandGroup, commands_now, keys_here
from app.desktop.screen import KeyHint, Screen
from app.desktop.shell_keys import action_key
from app.desktop.widgets.key_overlay import KeyOverlay
from app.desktop.widgets.overlays import CommandPalette, Overlay, PaletteEntry

Offers = Callable[[str], Sequence[PaletteEntry]]


class ShellOverlays:
    """At most one is open. `offers` answers what a text means beyond the names of commands, such as a booking."""

    def __init__(
        self, window: QWidget, screen: Callable[[], Screen | None], actions: Callable[[], Iterable[QAction]]
    ) -> None:
        self._window, self._screen, self._actions = window, screen, actions
        self._open_one: Overlay | None = None
        self.places: Sequence[QAction] = ()
        self.offers: Offers = lambda text: ()

    def shown(self) -> Overlay | None:
        return self._open_one

    def close(self) -> bool:
        """False when none was open."""
        if self._open_one is None:
            return False
        self._open_one.finish()
        return True

    def commands(self) -> tuple[CommandGroup, ...]:
        return commands_now(self._screen(), self._actions(), self.places, self._window.window().focusWidget())

    def keys_now(self) -> tuple[tuple[str, tuple[KeyHint, ...]], ...]:
        """The keys that work where the focus is, by group."""
        screen = self._screen()
        heading, plain = screen.plain_keys() if screen is not None else ("", ())
        found: dict[str, tuple[KeyHint, ...]] = {
            group.title: tuple(KeyHint(key=item.key, text=item.text) for item in group.commands)
            for group in keys_here(self.commands())
        }
        if plain:
            found[heading] = (*plain, *found.get(heading, ()))
        return tuple(found.items())

    def retranslate(self, show_keys: Callable[[], object], show_palette: Callable[[], object]) -> None:
        """What is open is opened again in the new language, with what was typed."""
        overlay = self._open_one
        if overlay is None:
            return
        typed = overlay.field.text() if isinstance(overlay, CommandPalette) else ""
        overlay.finish()
        (show_palette if isinstance(overlay, CommandPalette) else show_keys)()
        if isinstance(self._open_one, CommandPalette):
            self._open_one.type(typed)

    def show_keys(self, title: str) -> None:
        """Open the list of keys; close it when it is open."""
        if isinstance(self._open_one, KeyOverlay):
            self._open_one.finish()
            return
        self._open(KeyOverlay(title, self.keys_now(), self._window))

    def show_palette(self, title: str, placeholder: str, but_not: QAction | None) -> None:
        """Every command that can run now, except the palette itself."""
        own = action_key(but_not) if but_not is not None else ""
        entries = [
            PaletteEntry(text=item.text, key=item.key, run=item.run, group=group.title)
            for group in self.commands()
            for item in group.commands
            if item.key != own
        ]
        self._open(CommandPalette(title, placeholder, entries, self._window, offers=self.offers))

    def _open(self, overlay: Overlay) -> None:
        self.close()
        self._open_one = overlay
        overlay.closed.connect(self._closed)
        overlay.open()

    def _closed(self) -> None:
        self._open_one = None
