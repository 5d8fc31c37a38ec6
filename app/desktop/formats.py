"""How money, days, times, phones and plates are written, in Indonesian and English. Pure: no Qt, no clock."""

import datetime as dt
import math
import re
from enum import StrEnum
from zoneinfo import ZoneInfo

NBSP = "\u00a0"


class Language(StrEnum):
    ID = "id"
    EN = "en"


Zone = str | ZoneInfo
_ID, _EN = Language.ID, Language.EN
MONTHS_SHORT = {
    _ID: ("Jan", "Feb", "Mar", "Apr", "Mei", "Jun", "Jul", "Agu", "Sep", "Okt", "Nov", "Des"),
    _EN: ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}
MONTHS_LONG = {
    _ID: (
        "Januari",
        "Februari",
        "Maret",
        "April",
        "Mei",
        "Juni",
        "Juli",
        "Agustus",
        "September",
        "Oktober",
        "November",
        "Desember",
    ),
    _EN: (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
}
WEEKDAYS_SHORT = {
    _ID: ("Sen", "Sel", "Rab", "Kam", "Jum", "Sab", "Min"),
    _EN: ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
WEEKDAYS_LONG = {
    _ID: ("Senin", "Selasa", "Rabu", "Kamis", "Jumat", "Sabtu", "Minggu"),
    _EN: ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
_ZONES = {
    "Asia/Jakarta": "WIB",
    "Asia/Pontianak": "WIB",
    "Asia/Makassar": "WITA",
    "Asia/Ujung_Pandang": "WITA",
    "Asia/Jayapura": "WIT",
}
_TOGETHER = re.compile(
    r"(?:\b(?:{weekdays}),? )?\b\d{{1,2}}(?:–\d{{1,2}})? (?:{months})\b(?: \d{{4}}\b)?"
    r"|\b(?:{weekdays}) \d{{1,2}}\b"
    r"|\b\d+ (?:{units})\b(?: \d+ (?:mnt|min)\b)?"
    r"|\b\d{{1,2}}[.:]\d\d(?:[.:]\d\d)? (?:{zones})\b"
    r"|\b[A-Z]{{1,2}} \d{{1,4}} [A-Z]{{1,3}}\b".format(
        weekdays="|".join(sorted({word for spoken in WEEKDAYS_SHORT.values() for word in spoken})),
        months="|".join(
            sorted(
                {word for spoken in (MONTHS_LONG, MONTHS_SHORT) for words in spoken.values() for word in words},
                key=len,
                reverse=True,
            )
        ),
        units="hari|jam|mnt|dtk|unit|days|day|h|min|s",
        zones="WIB|WITA|WIT",
    )
)
"""What is read as one: dates, lengths of time, times with their zone, plates."""
_PLATE = re.compile(r"([A-Z]{1,2})[ -]*(\d{1,4})[ -]*([A-Z]{0,3})")


def number(value: int, language: Language = _ID) -> str:
    """`1250000` as `1.250.000` (id) or `1,250,000` (en)."""
    text = f"{value:,}"
    return text.replace(",", ".") if language is _ID else text


def money(amount: int, language: Language = _ID) -> str:
    """Whole rupiah with a no-break space: `Rp 1.250.000`, `-Rp 50.000`."""
    sign = "-" if amount < 0 else ""
    return f"{sign}Rp{NBSP}{number(abs(amount), language)}"


def money_words(amount: int, language: Language = _ID) -> str:
    """The amount spelled out: `satu juta dua ratus lima puluh ribu rupiah`."""
    from num2words import num2words  # here, because it is slow to import and rarely the first thing needed

    words = str(num2words(abs(amount), lang=language.value))
    if language is _ID and abs(amount) // 1000 % 1000 == 1:
        # WORKAROUND: the library says "satu ribu" behind a million; Indonesian says "seribu" for one thousand always.
        words = words.replace(" satu ribu", " seribu")
    minus = "minus " if amount < 0 else ""
    return f"{minus}{' '.join(words.split())} rupiah"


def day_short(day: dt.date, language: Language = _ID) -> str:
    """`30 Nov 2026`."""
    return f"{day.day} {MONTHS_SHORT[language][day.month - 1]} {day.year}"


def day_long(day: dt.date, language: Language = _ID) -> str:
    """`Senin, 30 November 2026`."""
    weekday = WEEKDAYS_LONG[language][day.weekday()]
    return f"{weekday}, {day.day} {MONTHS_LONG[language][day.month - 1]} {day.year}"


def day_with_weekday(day: dt.date, language: Language = _ID) -> str:
    """`Kam 3 Des`: the echo after every typed date."""
    return f"{weekday_short(day, language)} {day.day} {MONTHS_SHORT[language][day.month - 1]}"


def weekday_short(day: dt.date, language: Language = _ID) -> str:
    """`Sen`; never one letter."""
    return WEEKDAYS_SHORT[language][day.weekday()]


def month_title(day: dt.date, language: Language = _ID) -> str:
    """`November 2026`."""
    return f"{MONTHS_LONG[language][day.month - 1]} {day.year}"


def period_short(first: dt.date, last: dt.date, language: Language = _ID) -> str:
    """`3–5 Des`, `30 Nov – 2 Des`, one day as `3 Des`; the year only when the ends differ in it."""
    months = MONTHS_SHORT[language]
    end = f"{last.day} {months[last.month - 1]}"
    if first == last:
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{end}"
    if first.year == last.year:
        return f"{first.day} {months[first.month - 1]} – {end}"
    return f"{day_short(first, language)} – {day_short(last, language)}"


def period_with_weekdays(first: dt.date, last: dt.date, language: Language = _ID) -> str:
    """`Rab 2 – Jum 4 Des`, `Sen 30 Nov – Rab 2 Des`."""
    end = day_with_weekday(last, language)
    if first == last:
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{weekday_short(first, language)} {first.day} – {end}"
    return f"{day_with_weekday(first, language)} – {end}"


def window_title(first: dt.date, last: dt.date, language: Language = _ID) -> str:
    """The title of a stretch of days: `26 Nov – 26 Des 2026`."""
    start = f"{first.day} {MONTHS_SHORT[language][first.month - 1]}"
    if first.year != last.year:
        start = day_short(first, language)
    return f"{start} – {day_short(last, language)}"


def zone_label(zone: Zone, at: dt.datetime) -> str:
    """`WIB`, `WITA`, `WIT`; any other zone by its offset at that moment, such as `UTC+8`."""
    name = zone if isinstance(zone, str) else zone.key
    if name in _ZONES:
        return _ZONES[name]
    offset = at.astimezone(_zone_info(zone)).utcoffset() or dt.timedelta()
    hours, rest = divmod(abs(int(offset.total_seconds())) // 60, 60)
    return f"UTC{'-' if offset < dt.timedelta() else '+'}{hours}" + (f":{rest:02d}" if rest else "")


def clock(at: dt.datetime, zone: Zone, language: Language = _ID, *, seconds: bool = False) -> str:
    """An aware time on the branch's clock: `14.05` (id), `14:05` (en), with seconds `14.05.10`."""
    separator = "." if language is _ID else ":"
    return at.astimezone(_zone_info(zone)).strftime(separator.join(("%H", "%M", "%S") if seconds else ("%H", "%M")))


def time_of_day(at: dt.datetime, zone: Zone, language: Language = _ID, *, seconds: bool = False) -> str:
    """`14.05 WIB`."""
    return f"{clock(at, zone, language, seconds=seconds)} {zone_label(zone, at)}"


def moment(at: dt.datetime, zone: Zone, language: Language = _ID) -> str:
    """`Sen 30 Nov 14.00`, on the branch's clock."""
    return f"{day_with_weekday(at.astimezone(_zone_info(zone)).date(), language)} {clock(at, zone, language)}"


def day_count(days: int, language: Language = _ID) -> str:
    """`3 hari`, `1 day`, `3 days`."""
    if language is _ID:
        return f"{days} hari"
    return f"{days} day" if days == 1 else f"{days} days"


def span(seconds: float, language: Language = _ID) -> str:
    """A length of time in its two largest units: `1 jam 53 mnt`, `12 mnt`, `40 dtk`, `2 hari`."""
    total = max(0, math.floor(seconds))
    if total < 60:
        return f"{total} {'dtk' if language is _ID else 's'}"
    minutes = total // 60
    if minutes < 60:
        return f"{minutes} {'mnt' if language is _ID else 'min'}"
    hours, rest = divmod(minutes, 60)
    if hours < 24:
        hour_text = f"{hours} {'jam' if language is _ID else 'h'}"
        return f"{hour_text} {rest} {'mnt' if language is _ID else 'min'}" if rest else hour_text
    return day_count(hours // 24, language)


def until(at: dt.datetime, now: dt.datetime, language: Language = _ID) -> str:
    """For a due time: `2 jam lagi` before it, `terlambat 1 jam 20 mnt` after it."""
    seconds = (at - now).total_seconds()
    length = span(abs(seconds), language)
    if seconds >= 0:
        return f"{length} lagi" if language is _ID else f"in {length}"
    return f"terlambat {length}" if language is _ID else f"{length} late"


def ago(at: dt.datetime, now: dt.datetime, language: Language = _ID) -> str:
    """For something that happened: `4 mnt lalu`, `4 min ago`."""
    length = span((now - at).total_seconds(), language)
    return f"{length} lalu" if language is _ID else f"{length} ago"


def countdown(seconds: float) -> str:
    """`12:41`, `06:43`; from 100 minutes `1:40:00`. Whole seconds that are surely left; never below `00:00`."""
    total = max(0, math.floor(seconds))
    if total >= 6000:
        return f"{total // 3600}:{total // 60 % 60:02d}:{total % 60:02d}"
    return f"{total // 60:02d}:{total % 60:02d}"


def bar_countdown(seconds: float, language: Language = _ID) -> str:
    """A countdown in the room of `12:41`: from 100 minutes on whole hours that are surely left, `4 j` or `4 h`."""
    if seconds < 6000:
        return countdown(seconds)
    return f"{math.floor(seconds / 3600)} {'j' if language is _ID else 'h'}"


def lock_countdown(seconds: float) -> str:
    """The short form for a lock: `0:52`, `1:00`."""
    total = max(0, math.floor(seconds))
    return f"{total // 60}:{total % 60:02d}"


def tied(text: str) -> str:
    """The same text with no-break spaces inside dates, times, lengths of time and plates: `Sen 30 Nov` stays on one
    line. Dashes of a period are left to break at.
    """
    return _TOGETHER.sub(lambda found: found.group().replace(" ", NBSP), text)


def milliseconds(value: float, language: Language = _ID) -> str:
    """`38 ms`; from one second on `1,7 dtk` (id), `1.7 s` (en)."""
    if value < 1000:
        return f"{round(value)} ms"
    text = f"{value / 1000:.1f}"
    return f"{text.replace('.', ',')} dtk" if language is _ID else f"{text} s"


def phone(number_text: str) -> str:
    """`+6281234567890` or `081234567890` as `0812-3456-7890`; numbers of other countries stay in their own groups."""
    digits = "".join(sign for sign in number_text if sign.isdigit())
    if number_text.strip().startswith("+") and not digits.startswith("62"):
        return _foreign_phone(number_text)
    if digits.startswith("62"):
        digits = "0" + digits[2:]
    return "-".join(part for part in (digits[:4], digits[4:8], digits[8:]) if part)


def wa_link(number_text: str) -> str:
    """`wa.me/6281234567890` for a number in its stored form (`+62…`): what opens a chat, without a plus or a zero."""
    return f"wa.me/{number_text.removeprefix('+')}"


def masked_nik(nik: str) -> str:
    """`3275 01 •••••• 0012`: what a screen may show of a 16-digit identity number; anything else is masked whole."""
    if len(nik) != 16 or not nik.isdigit():
        return "•" * len(nik)
    return f"{nik[:4]} {nik[4:6]} •••••• {nik[12:]}"


def plate(text: str) -> str:
    """Upper case with spaces: `b1234xyz` as `B 1234 XYZ`; what is no plate stays as typed, in upper case."""
    upper = " ".join(text.upper().split())
    match = _PLATE.fullmatch(upper)
    return " ".join(part for part in match.groups() if part) if match else upper


def _zone_info(zone: Zone) -> ZoneInfo:
    return ZoneInfo(zone) if isinstance(zone, str) else zone


def _foreign_phone(text: str) -> str:
    import phonenumbers  # here, because foreign numbers are rare and the library is slow to import

    try:
        parsed = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        return text.strip()
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
