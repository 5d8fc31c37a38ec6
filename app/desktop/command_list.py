"""Every command that is valid now, in groups: the one list behind the key overlay (F1) and the palette (Ctrl+K).

Commands are the actions of the screen in front, of its parts and of the window; nothing is written down twice.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.screen import Screen
from app.desktop.shell_keys import action_key, actions_now


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """`works_here`: its key is heard where the focus is now. By name it can be run from anywhere."""

    text: str
    key: str
    run: Callable[[], object]
    works_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGroup:
    title: str
    commands: tuple[Command, ...]


def commands_now(
    screen: Screen | None, everywhere: Iterable[QAction], places: Iterable[QAction], focus: QWidget | None
) -> tuple[CommandGroup, ...]:
    """The screen's own first, then its parts', the window's, and the way to other screens. A key is listed once."""
    groups: list[tuple[str, list[Command]]] = []
    seen: set[str] = set()
    if screen is not None:
        idle = screen.idle_keys()
        for part, title in _parts(screen):
            found = [
                _command(action, part, focus)
                for action in actions_now(part.actions())
                if action_key(action) not in seen and action_key(action) not in idle
            ]
            seen |= {command.key for command in found}
            _add(groups, title, found)
    places = tuple(places)
    window = [action for action in everywhere if action not in places]
    _add(groups, QCoreApplication.translate("Commands", "Di semua layar"), _shared(window, seen))
    _add(groups, QCoreApplication.translate("Commands", "Pindah layar"), _shared(places, seen))
    return tuple(CommandGroup(title=title, commands=tuple(found)) for title, found in groups if found)


def keys_here(groups: Iterable[CommandGroup]) -> tuple[CommandGroup, ...]:
    """Only what a key press reaches from where the focus is; a second key for the same thing is left out."""
    found = []
    for group in groups:
        first = {item.text: item for item in reversed(group.commands) if item.works_here}
        commands = tuple(item for item in group.commands if first.get(item.text) is item)
        found.append(CommandGroup(title=group.title, commands=commands))
    return tuple(group for group in found if group.commands)


def _parts(screen: Screen) -> Iterator[tuple[QWidget, str]]:
    """The screen and its visible parts, each with the heading its keys stand under."""
    yield screen, screen.title()
    for part in screen.findChildren(QWidget):
        if part.actions() and part.isVisibleTo(screen):
            yield part, part.accessibleName() or screen.title()


def _command(action: QAction, part: QWidget, focus: QWidget | None) -> Command:
    only_there = action.shortcutContext() == Qt.ShortcutContext.WidgetShortcut
    return Command(
        text=action.text(),
        key=action_key(action),
        run=action.trigger,
        works_here=focus is part if only_there else True,
    )


def _shared(actions: Iterable[QAction], seen: set[str]) -> list[Command]:
    return [
        Command(text=action.text(), key=action_key(action), run=action.trigger, works_here=True)
        for action in actions_now(actions)
        if action_key(action) not in seen
    ]


def _add(groups: list[tuple[str, list[Command]]], title: str, found: list[Command]) -> None:
    """Parts without a name of their own stand under the screen's."""
    for known, commands in groups:
        if known == title:
            commands.extend(found)
            return
    groups.append((title, found))
