"""Indonesian public holidays and joint leave days of a window, by name."""

import datetime as dt
from collections.abc import Mapping

from app.desktop.formats import Language
from app.domain.days import Days


def holidays_in(window: Days, spoken: Language) -> Mapping[dt.date, str]:
    """Holidays by day; joint leave ("cuti bersama") counts, because branches close and demand rises alike."""
    import holidays  # here, because it is slow to import: call this outside the GUI thread

    years = range(window.first.year, window.last.year + 1)
    words = "id" if spoken is Language.ID else "en_US"
    found = holidays.country_holidays("ID", years=years, language=words, categories=("public", "government"))
    return {day: str(name) for day, name in found.items() if day in window}
