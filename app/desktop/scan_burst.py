"""How a burst of keys is told from typing: by the time between the keys, never by the clock of this program. Pure."""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

LEAST_SIGNS = 6
MOST_SIGNS = 80
GAP_MS = 35
SAME_AGAIN_MS = 3000


class Verdict(Enum):
    """What becomes of a key. BREAK: what was held is typing after all; then this key is held."""

    PASS = auto()
    HOLD = auto()
    BREAK = auto()


class Burst:
    """The signs held back so far. A burst begins after a pause only, so that it is never the rest of a longer code.

    `gap_ms` is the longest time between two keys of a scanner. A text that begins with `prefix` (when one is set in the
    scanner) is a scan whatever its length.
    """

    def __init__(self, gap_ms: int = GAP_MS, prefix: str = "") -> None:
        self.gap_ms = gap_ms
        self._prefix = prefix
        self._last: int | None = None
        self.text = ""

    def judge(self, at: int) -> Verdict:
        """What a printable key at this time would be; changes nothing."""
        is_near = self._last is not None and at - self._last <= self.gap_ms
        if self.text:
            return Verdict.HOLD if is_near and len(self.text) < MOST_SIGNS else Verdict.BREAK
        return Verdict.PASS if is_near else Verdict.HOLD

    def sign(self, sign: str, at: int) -> Verdict:
        """A printable key came."""
        verdict = self.judge(at)
        self._last = at
        if verdict is Verdict.BREAK:
            self.text = sign
        elif verdict is Verdict.HOLD:
            self.text += sign
        return verdict

    def is_scan(self, at: int) -> bool:
        """Enter or Tab at this time ends a scan."""
        is_near = self._last is not None and at - self._last <= self.gap_ms
        return is_near and (len(self.text) >= LEAST_SIGNS or self.is_prefixed())

    def is_prefixed(self) -> bool:
        """It begins as the scanner was told to begin: a scan even without an Enter."""
        return bool(self._prefix) and self.text.startswith(self._prefix) and len(self.text) > len(self._prefix)

    def take(self) -> str:
        """The code, without the prefix; nothing is held any more."""
        self._last = None
        code, self.text = self.text.removeprefix(self._prefix) if self._prefix else self.text, ""
        return code.strip()

    def release(self) -> None:
        """What was held goes on as typing."""
        self.text = ""


class CodeKind(StrEnum):
    """What a printed code stands for, by its first two signs."""

    UNIT = "U-"
    BOOKING = "B-"
    INVOICE = "I-"
    CUSTOMER = "C-"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    kind: CodeKind
    value: str


def code_of(text: str) -> Code:
    """`U-uuid-avanza-001` is a unit; a text of no family is a text to search. Caps Lock may have turned the letters."""
    for kind in CodeKind:
        if kind is not CodeKind.UNKNOWN and text[:2].upper() == kind.value and len(text) > 2:
            return Code(kind=kind, value=text[2:].strip())
    return Code(kind=CodeKind.UNKNOWN, value=text.strip())


class Repeats:
    """The same code again within three seconds is the same scan."""

    def __init__(self) -> None:
        self._code, self._at = "", 0

    def is_repeat(self, code: str, at: int) -> bool:
        """Remembers one that is not: three seconds after the one that was answered, the code is answered again."""
        if code == self._code and 0 <= at - self._at < SAME_AGAIN_MS:
            return True
        self._code, self._at = code, at
        return False
