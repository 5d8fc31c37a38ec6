"""The calendar's title: which days are shown, in words that always fit the same room."""

import datetime as dt

from PySide6.QtGui import QFontMetrics

from app.desktop.formats import MONTHS_LONG, MONTHS_SHORT, Language, day_short, window_title


def title_room(metrics: QFontMetrics, language: Language) -> int:
    """The width of the widest title within a year: what stands behind a title never moves with it."""
    stretches = (f"28 {month} – 28 {month} 2026" for month in MONTHS_SHORT[language])
    months = (f"{month} 2026" for month in MONTHS_LONG[language])
    return max(metrics.horizontalAdvance(title) for title in (*stretches, *months)) + 2


def window_words(first: dt.date, last: dt.date, language: Language, metrics: QFontMetrics, room: int) -> str:
    """`26 Nov – 26 Des 2026`; over a year's end `26 Nov – 26 Jan 2027`, the first year only where it fits."""
    whole = window_title(first, last, language)
    if metrics.horizontalAdvance(whole) <= room:
        return whole
    return f"{first.day} {MONTHS_SHORT[language][first.month - 1]} – {day_short(last, language)}"
