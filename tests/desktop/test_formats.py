"""Money, days, times, phones and plates are written as the counter writes them, in both languages."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from app.desktop import formats
from app.desktop.formats import Language

ID, EN = Language.ID, Language.EN
UTC = dt.UTC
NOON = dt.datetime(2026, 11, 30, 7, 5, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("amount", "language", "text"),
    [
        (0, ID, "Rp\u00a00"),
        (500, ID, "Rp\u00a0500"),
        (1_250_000, ID, "Rp\u00a01.250.000"),
        (1_250_000, EN, "Rp\u00a01,250,000"),
        (-50_000, ID, "-Rp\u00a050.000"),
        (-50_000, EN, "-Rp\u00a050,000"),
        (999_999_999_999, ID, "Rp\u00a0999.999.999.999"),
    ],
)
def test_money_has_a_no_break_space_and_the_languages_groups(amount: int, language: Language, text: str) -> None:
    assert formats.money(amount, language) == text


@pytest.mark.parametrize(
    ("amount", "language", "text"),
    [
        (1_250_000, ID, "satu juta dua ratus lima puluh ribu rupiah"),
        (1_000, ID, "seribu rupiah"),
        (111, ID, "seratus sebelas rupiah"),
        (0, ID, "nol rupiah"),
        (-500, ID, "minus lima ratus rupiah"),
        (2_500_000, EN, "two million, five hundred thousand rupiah"),
    ],
)
def test_amounts_are_spelled_out(amount: int, language: Language, text: str) -> None:
    assert formats.money_words(amount, language) == text


@pytest.mark.parametrize(
    ("day", "language", "short", "long", "echo"),
    [
        (dt.date(2026, 11, 30), ID, "30 Nov 2026", "Senin, 30 November 2026", "Sen 30 Nov"),
        (dt.date(2026, 11, 30), EN, "30 Nov 2026", "Monday, 30 November 2026", "Mon 30 Nov"),
        (dt.date(2026, 5, 1), ID, "1 Mei 2026", "Jumat, 1 Mei 2026", "Jum 1 Mei"),
        (dt.date(2026, 8, 2), ID, "2 Agu 2026", "Minggu, 2 Agustus 2026", "Min 2 Agu"),
        (dt.date(2026, 10, 3), ID, "3 Okt 2026", "Sabtu, 3 Oktober 2026", "Sab 3 Okt"),
        (dt.date(2026, 12, 31), ID, "31 Des 2026", "Kamis, 31 Desember 2026", "Kam 31 Des"),
        (dt.date(2026, 12, 31), EN, "31 Dec 2026", "Thursday, 31 December 2026", "Thu 31 Dec"),
    ],
)
def test_days_are_written_day_before_month(day: dt.date, language: Language, short: str, long: str, echo: str) -> None:
    assert formats.day_short(day, language) == short
    assert formats.day_long(day, language) == long
    assert formats.day_with_weekday(day, language) == echo


@pytest.mark.parametrize(
    ("first", "last", "short", "weekdays", "title"),
    [
        ((2026, 12, 3), (2026, 12, 5), "3–5 Des", "Kam 3 – Sab 5 Des", "3 Des – 5 Des 2026"),
        ((2026, 12, 3), (2026, 12, 3), "3 Des", "Kam 3 Des", "3 Des – 3 Des 2026"),
        ((2026, 11, 30), (2026, 12, 2), "30 Nov – 2 Des", "Sen 30 Nov – Rab 2 Des", "30 Nov – 2 Des 2026"),
        ((2026, 11, 26), (2026, 12, 26), "26 Nov – 26 Des", "Kam 26 Nov – Sab 26 Des", "26 Nov – 26 Des 2026"),
        (
            (2026, 12, 30),
            (2027, 1, 2),
            "30 Des 2026 – 2 Jan 2027",
            "Rab 30 Des – Sab 2 Jan",
            "30 Des 2026 – 2 Jan 2027",
        ),
    ],
)
def test_periods_say_the_month_once(
    first: tuple[int, int, int], last: tuple[int, int, int], short: str, weekdays: str, title: str
) -> None:
    begin, end = dt.date(*first), dt.date(*last)
    assert formats.period_short(begin, end) == short
    assert formats.period_with_weekdays(begin, end) == weekdays
    assert formats.window_title(begin, end) == title


@pytest.mark.parametrize(
    ("zone", "language", "text"),
    [
        ("Asia/Jakarta", ID, "14.05 WIB"),
        ("Asia/Jakarta", EN, "14:05 WIB"),
        ("Asia/Makassar", ID, "15.05 WITA"),
        ("Asia/Jayapura", ID, "16.05 WIT"),
        (ZoneInfo("Asia/Jayapura"), ID, "16.05 WIT"),
        ("Asia/Kathmandu", ID, "12.50 UTC+5:45"),
        ("America/New_York", EN, "02:05 UTC-5"),
    ],
)
def test_times_stand_on_the_branchs_clock(zone: formats.Zone, language: Language, text: str) -> None:
    assert formats.time_of_day(NOON, zone, language) == text


def test_a_time_of_another_offset_is_the_same_moment() -> None:
    elsewhere = NOON.astimezone(ZoneInfo("America/New_York"))
    assert formats.clock(elsewhere, "Asia/Jakarta", seconds=True) == "14.05.10"
    assert formats.moment(elsewhere, "Asia/Jakarta") == "Sen 30 Nov 14.05"


@pytest.mark.parametrize(
    ("seconds", "indonesian", "english"),
    [
        (7200, "2 jam lagi", "in 2 h"),
        (6780, "1 jam 53 mnt lagi", "in 1 h 53 min"),
        (125, "2 mnt lagi", "in 2 min"),
        (0, "0 dtk lagi", "in 0 s"),
        (-4800, "terlambat 1 jam 20 mnt", "1 h 20 min late"),
        (-90_000, "terlambat 1 hari", "1 day late"),
        (3 * 86400, "3 hari lagi", "in 3 days"),
    ],
)
def test_due_times_are_relative(seconds: int, indonesian: str, english: str) -> None:
    at = NOON + dt.timedelta(seconds=seconds)
    assert formats.until(at, NOON) == indonesian
    assert formats.until(at, NOON, EN) == english


def test_past_events_are_relative() -> None:
    assert formats.ago(NOON - dt.timedelta(minutes=4), NOON) == "4 mnt lalu"
    assert formats.ago(NOON - dt.timedelta(hours=3), NOON, EN) == "3 h ago"


@pytest.mark.parametrize(
    ("seconds", "text", "lock"),
    [
        (761, "12:41", "12:41"),
        (52.9, "00:52", "0:52"),
        (60, "01:00", "1:00"),
        (0.2, "00:00", "0:00"),
        (-5, "00:00", "0:00"),
    ],
)
def test_countdowns_show_whole_seconds_that_are_surely_left(seconds: float, text: str, lock: str) -> None:
    assert formats.countdown(seconds) == text
    assert formats.lock_countdown(seconds) == lock


def test_long_countdowns_show_hours() -> None:
    assert formats.countdown(86_399) == "23:59:59"


def test_in_a_bar_a_long_countdown_is_the_whole_hours_that_are_surely_left() -> None:
    assert formats.bar_countdown(5_999) == "99:59"
    assert formats.bar_countdown(86_399) == "23 j"
    assert formats.bar_countdown(86_399, formats.Language.EN) == "23 h"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("+6281234567890", "0812-3456-7890"),
        ("081234567890", "0812-3456-7890"),
        ("6281234567890", "0812-3456-7890"),
        ("08123456", "0812-3456"),
        ("0812", "0812"),
        ("", ""),
        ("+6591234567", "+65 9123 4567"),
        ("+x", "+x"),
    ],
)
def test_phones_are_grouped(text: str, shown: str) -> None:
    assert formats.phone(text) == shown


@pytest.mark.parametrize(
    ("nik", "shown"), [("3275010101900012", "3275 01 •••••• 0012"), ("123", "•••"), ("32750101019000ab", "•" * 16)]
)
def test_identity_numbers_are_masked(nik: str, shown: str) -> None:
    assert formats.masked_nik(nik) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("b1234xyz", "B 1234 XYZ"),
        ("dk 12 a", "DK 12 A"),
        ("B-77-", "B 77"),
        ("gns-011", "GNS-011"),
        ("  b   1234  xyz ", "B 1234 XYZ"),
        ("R2D2", "R2D2"),
    ],
)
def test_plates_get_capitals_and_spaces(text: str, shown: str) -> None:
    assert formats.plate(text) == shown


@pytest.mark.parametrize(
    ("ms", "language", "text"), [(38.4, ID, "38 ms"), (999.2, ID, "999 ms"), (1700, ID, "1,7 dtk"), (2100, EN, "2.1 s")]
)
def test_latency_is_short(ms: float, language: Language, text: str) -> None:
    assert formats.milliseconds(ms, language) == text


@pytest.mark.parametrize(
    ("days", "language", "text"), [(1, ID, "1 hari"), (3, ID, "3 hari"), (1, EN, "1 day"), (3, EN, "3 days")]
)
def test_days_are_counted(days: int, language: Language, text: str) -> None:
    assert formats.day_count(days, language) == text


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (1_001_000, "satu juta seribu rupiah"),
        (1_000, "seribu rupiah"),
        (21_000, "dua puluh satu ribu rupiah"),
        (101_000, "seratus satu ribu rupiah"),
        (2_001_500, "dua juta seribu lima ratus rupiah"),
    ],
)
def test_one_thousand_is_seribu_wherever_it_stands(amount: int, words: str) -> None:
    assert formats.money_words(amount) == words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Pindah ke Sab 12 Des 2026, 3 hari", ["Pindah", "ke", "Sab\u00a012\u00a0Des\u00a02026,", "3\u00a0hari"]),
        ("Rab 2 – Jum 4 Des tetap", ["Rab\u00a02", "–", "Jum\u00a04\u00a0Des", "tetap"]),
        ("B 1200 XYZ, 14.05 WIB", ["B\u00a01200\u00a0XYZ,", "14.05\u00a0WIB"]),
        ("terlambat 18 jam 5 mnt", ["terlambat", "18\u00a0jam\u00a05\u00a0mnt"]),
        ("in 2 h 5 min, Mon 30 Nov", ["in", "2\u00a0h\u00a05\u00a0min,", "Mon\u00a030\u00a0Nov"]),
        ("12 hasil", ["12", "hasil"]),
    ],
)
def test_a_line_breaks_between_words_and_never_inside_a_date_a_length_or_a_plate(text: str, parts: list[str]) -> None:
    assert formats.tied(text).split(" ") == parts
