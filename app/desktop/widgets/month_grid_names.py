"""How a customer's name is shortened to the room of a bar: a firm keeps its kind, a person the first letters."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

_KINDS = frozenset({"PT", "CV", "UD", "PD", "KEL", "KELUARGA"})


def fitting_name(name: str, metrics: QFontMetricsF, room: float, *, whole: bool = False) -> str:
    """A customer's name in the room: whole, then `Bagus P.`, then `Bagus`, then cut; `whole` is for other texts."""
    forms = (name,) if whole else name_forms(name)
    for form in forms:
        if metrics.horizontalAdvance(form) <= room:
            return form
    shown = metrics.elidedText(forms[-1], Qt.TextElideMode.ElideRight, room)
    return "" if shown == "…" else shown


def name_forms(name: str) -> tuple[str, ...]:
    """`PT Arunika Persada`, `PT Arunika P.`, `PT Arunika`: a firm's or family's kind stays with its name."""
    words = name.split()
    kept = 2 if words and words[0].rstrip(".").upper() in _KINDS else 1
    if len(words) <= kept:
        return (name,)
    short = " ".join(words[:kept])
    return (name, f"{short} {words[kept][0]}.", short)
