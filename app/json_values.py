"""Values to plain JSON and back: for the command line's `do`, the doctor and the drafts. Strict on input."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TypeVar
from zoneinfo import ZoneInfo

from app.domain.errors import Refusal, invalid

T = TypeVar("T")


def plain(value: object) -> object:
    """Frozen rows, enums, days and moments as JSON values: days `YYYY-MM-DD`, moments ISO with their offset."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, ZoneInfo):
        return value.key
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(str(plain(item)) for item in value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def refusal_json(no: Refusal) -> dict[str, object]:
    """The contract's shape of a refusal: `{"code", "field"?, "params", "next": [{"action", "params"}]}`."""
    found: dict[str, object] = {"code": no.code.value}
    if no.field:
        found["field"] = no.field
    found["params"] = plain(no.params)
    found["next"] = [{"action": item.action, "params": plain(item.params)} for item in no.next]
    return found


def is_encodable(text: str) -> bool:
    """Whether every sign is whole: JSON and environments can smuggle half a surrogate pair into a text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class Fields:
    """Reads the fields of one JSON object; each wrong one is refused by its name, unknown ones too."""

    def __init__(self, given: object, where: str = "") -> None:
        if not isinstance(given, dict):
            raise invalid(where or "input", "not_an_object")
        self._given: dict[str, object] = given
        self._where = f"{where}." if where else ""

    def name(self, key: str) -> str:
        return f"{self._where}{key}"

    def has(self, key: str) -> bool:
        return self._given.get(key) is not None

    def text(self, key: str, *, most: int = 1000) -> str:
        value = self._of(key, str)
        if len(value) > most:
            raise invalid(self.name(key), "too_long", length=len(value), most=most)
        if "\0" in value:
            raise invalid(self.name(key), "control_characters")
        if not is_encodable(value):
            raise invalid(self.name(key), "not_text")
        return value

    def text_or_none(self, key: str, *, most: int = 1000) -> str | None:
        return self.text(key, most=most) if self.has(key) else None

    def whole(self, key: str) -> int:
        """A whole number; a bool or a float is none (no float anywhere in the money path)."""
        value = self._of(key, int)
        if isinstance(value, bool):
            raise invalid(self.name(key), "not_a_whole_number", given=value)
        return value

    def flag(self, key: str) -> bool:
        """True or false; false when it is left out."""
        return self._of(key, bool) if self.has(key) else False

    def object(self, key: str) -> Fields:
        return Fields(self._of(key, dict), self.name(key))

    def objects(self, key: str) -> list[Fields]:
        return [Fields(item, f"{self.name(key)}[{n}]") for n, item in enumerate(self._of(key, list))]

    def texts(self, key: str) -> list[str]:
        found = self._of(key, list)
        if not all(isinstance(item, str) for item in found):
            raise invalid(self.name(key), "not_texts")
        return [str(item) for item in found]

    def names(self) -> tuple[str, ...]:
        """The names that are given, where they are values of their own."""
        return tuple(map(str, self._given))

    def only(self, known: Set[str]) -> None:
        """Refuse a field outside `known`: a typing mistake must not be ignored."""
        unknown = sorted(set(self._given) - known)
        if unknown:
            raise invalid(self.name(unknown[0])[:80], "unknown_field", known=sorted(known))

    def _of(self, key: str, kind: type[T]) -> T:
        value = self._given.get(key)
        if value is None:
            raise invalid(self.name(key), "missing")
        if not isinstance(value, kind):
            raise invalid(self.name(key), f"not_{kind.__name__}", given=str(value)[:60])
        return value
