"""What this counter remembers on its own disk: language, theme, the people who logged in here, the window's size."""

import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from app.desktop.formats import Language
from app.desktop.theme import ThemeChoice

log = logging.getLogger(__name__)

FILE_NAME = "counter.json"
MOST_PEOPLE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedPerson:
    """Somebody who logged in at this counter before: a tile on the login screen. Never a password."""

    login: str
    name: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterMemory:
    """`language` None means: as the settings file says."""

    language: Language | None = None
    theme: ThemeChoice = ThemeChoice.LIGHT
    people: tuple[RememberedPerson, ...] = ()
    branch_name: str = ""
    drawer: str = ""

    def with_person(self, person: RememberedPerson) -> "CounterMemory":
        """The person first, the others in their order, at most six."""
        others = tuple(other for other in self.people if other.login != person.login)
        return replace(self, people=(person, *others)[:MOST_PEOPLE])


class SettingsStore:
    """Reads and writes the memory. A missing or damaged file reads as the defaults; a write replaces the whole file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self.memory = self._read()

    def save(self, memory: CounterMemory) -> None:
        """Remember; a disk that refuses is logged and costs only the memory."""
        self.memory = memory
        text = json.dumps(_plain(memory), ensure_ascii=False, indent=1)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=FILE_NAME)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(self._path)
        except OSError as problem:
            log.warning("the counter's memory was not written: %s", problem.strerror)

    def _read(self) -> CounterMemory:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
            language = values.get("language")
            return CounterMemory(
                language=Language(language) if language else None,
                theme=ThemeChoice(values.get("theme", ThemeChoice.LIGHT.value)),
                people=tuple(
                    RememberedPerson(login=str(p["login"]), name=str(p["name"]), roles=tuple(map(str, p["roles"])))
                    for p in values.get("people", [])[:MOST_PEOPLE]
                ),
                branch_name=str(values.get("branch_name", "")),
                drawer=str(values.get("drawer", "")),
            )
        except FileNotFoundError:
            return CounterMemory()
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as problem:
            log.warning("the counter's memory could not be read and starts anew: %s", type(problem).__name__)
            return CounterMemory()


def _plain(memory: CounterMemory) -> dict[str, object]:
    values = asdict(memory)
    values["language"] = memory.language.value if memory.language else None
    values["theme"] = memory.theme.value
    return values
