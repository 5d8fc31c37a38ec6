"""C-75: no fraction anywhere in the money path. Each rule is shown to catch a bad sample before the program is read."""

import re
from pathlib import Path

import pytest

from app.desktop.documents.contract import Contract, contract_document
from app.desktop.documents.kwitansi import kwitansi_document
from app.desktop.documents.money_files import page_of
from app.desktop.documents.quotation import quotation_document
from app.desktop.documents.receipt import receipt_document
from app.desktop.formats import Language, money
from app.usecases.rows_contracts import Printed
from tests import money_rules as rules
from tests.desktop.contract_samples import facts, quotation
from tests.desktop.money_samples import money_papers
from tests.desktop.test_documents import paid
from tests.project_rules import Source

APP = Path(__file__).resolve().parents[1] / "app"
TIME = {"domain/lock.py", "domain/waitlist.py"}
"""Seconds of a lock, the score of a place in the waitlist: no money."""
TIME_TOO = {"domain/gateway.py"}
"""Money, and how long something is waited for."""
PAINTED = {"desktop/screens/shift_ends_card.py"}
"""Draws a sign in the middle of its place."""
AMOUNT = re.compile(r"Rp[\u00a0 ]?[\d.,]+")


def sources(*patterns: str) -> list[Source]:
    found = [
        Source(path=path.relative_to(APP).as_posix(), text=path.read_text(encoding="utf-8"))
        for pattern in patterns
        for path in sorted(APP.glob(pattern))
    ]
    assert found, patterns
    return [source for source in found if source.path not in TIME]


@pytest.mark.parametrize(
    "line", ["x = a / 2", "x /= 3", "x = 0.5", "x = float(y)", "x = round(y)", "def f(x: float): ...", "x: float = 1"]
)
def test_c75_a_fraction_in_the_rules_of_money_is_found(line: str) -> None:
    assert rules.fractions(Source(path="bad.py", text=line))


def test_c75_no_rule_of_the_domain_knows_a_fraction() -> None:
    assert rules.fractions(Source(path="good.py", text="x = half_up(a * 11, 12) + a // 2 + folder / 'a'")) == []
    assert [
        line
        for source in sources("domain/*.py")
        for line in rules.fractions(source, seconds_too=source.path in TIME_TOO)
    ] == []


def test_c75_nothing_between_the_rules_and_the_tables_makes_a_fraction() -> None:
    assert rules.fractions(Source(path="bad.py", text="x = total / 2"), seconds_too=True)
    assert rules.fractions(Source(path="good.py", text="def wait(seconds: float = 0.5): ..."), seconds_too=True) == []
    between = sources(
        "usecases/*.py", "adapters/postgres/r*.py", "adapters/postgres/tx_*.py", "admin_do*.py", "json_values.py"
    )
    between += sources("desktop/typed.py")
    till = sources(
        "desktop/documents/tender_words.py",
        "desktop/documents/shift_rows.py",
        "desktop/money_printing.py",
        "desktop/screens/shift_*.py",
        "desktop/screens/tax_month_viewmodel.py",
    )
    assert len(till) > 12
    between += [source for source in till if source.path not in PAINTED]
    assert [line for source in between for line in rules.fractions(source, seconds_too=True)] == []


def test_c75_money_is_divided_nowhere_in_the_program() -> None:
    for line in ("x = bill.total_paid / 2", "x = round(amount * 1.1)", "x = float(unit_price)"):
        assert rules.divided_money(Source(path="bad.py", text=line)), line
    assert rules.divided_money(Source(path="good.py", text="x = width / 2; y = amount // 2")) == []
    assert [found for source in sources("**/*.py") for found in rules.divided_money(source)] == []


@pytest.mark.parametrize(
    "line",
    [
        "CREATE TABLE t (a bigint,\n    price numeric NOT NULL);",
        "ALTER TABLE t ADD COLUMN price numeric(12, 2);",
        "CREATE TABLE t (price money);",
        "SELECT price::float / 2;",
        "DECLARE price double precision;",
        "CREATE FUNCTION f(price float8) RETURNS void;",
    ],
)
def test_c75_a_type_that_holds_fractions_is_found_in_sql(line: str) -> None:
    assert rules.inexact_sql(Source(path="bad.sql", text=line))


def test_c75_no_table_and_no_function_of_the_database_has_a_fraction() -> None:
    good = "-- real money\nCREATE TABLE t (price bigint, real_name text);\nDECLARE exact numeric;\nSELECT 'float';"
    assert rules.inexact_sql(Source(path="good.sql", text=good)) == []
    written = sources("adapters/postgres/migrations/sql/*.sql")
    assert [line for source in written for line in rules.inexact_sql(source)] == []


@pytest.mark.parametrize("language", list(Language), ids=str)
def test_c75_every_amount_that_is_printed_is_whole(language: Language) -> None:
    told = facts(5, language=language.value)
    printed = Contract(facts=told, printed=Printed(revision=1, copy=0), printed_by="Siti", counter="Kasir 1")
    papers = {
        "contract": contract_document(printed),
        "quotation": quotation_document(quotation(5, language=language.value)),
        "kwitansi": kwitansi_document(paid(997_500, 1_000_000, language)),
        "receipt": receipt_document(paid(997_500, 1_000_000, language)),
        **{name: page_of(paper)[1]() for name, paper in money_papers(language).items()},
    }
    thousands = "." if language is Language.ID else ","
    whole = re.compile(rf"Rp[\u00a0 ]?(0|[1-9]\d{{0,2}}(?:\{thousands}\d{{3}})*)")
    for name, paper in papers.items():
        amounts = [found.rstrip(".,") for found in AMOUNT.findall(paper.toPlainText())]
        assert len(amounts) >= (1 if name in ("refund", "x") else 3), name
        assert [amount for amount in amounts if not whole.fullmatch(amount)] == [], name


@pytest.mark.parametrize("amount", [0, 1, 999, 997_500, 9_999_999_999_999, -50_000])
def test_c75_an_amount_is_written_as_its_digits_and_nothing_else(amount: int) -> None:
    for language in Language:
        assert int(re.sub(r"[^\d-]", "", money(amount, language))) == amount
