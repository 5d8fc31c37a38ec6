"""Contracts and quotations on paper, by worker threads. A printer's trouble never makes a booking look failed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from app.bootstrap import Counter
from app.desktop.commands import call, command
from app.desktop.documents.contract import Contract, contract_document, contract_running, contract_title
from app.desktop.documents.order_files import write_contract, write_quotation
from app.desktop.documents.quotation import Quotation, quotation_document, quotation_running, quotation_title
from app.desktop.language import language
from app.desktop.printers import Pages, Printers, Sent
from app.desktop.viewmodel import ViewModel
from app.usecases.contracts import fingerprint
from app.usecases.rows_contracts import ContractFacts, Printed

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPaper:
    """A file on this PC. `printed` counts a contract's printing, None for a quotation."""

    path: Path
    printed: Printed | None


class TellsContracts(Protocol):
    """The part of `Contracts` that printing needs."""

    def contract(self, order_id: str, language: str) -> ContractFacts: ...

    def count_printing(self, facts: ContractFacts, printing_id: str) -> Printed: ...

    def letterhead(self, language: str) -> str: ...


class ContractPrinting(ViewModel):
    """`written` carries a WrittenPaper, before any printer is asked; `sent` it again and what the printer did;
    `unwritten` why there is no file."""

    written = Signal(object)
    sent = Signal(object, object)
    unwritten = Signal(str)

    def __init__(
        self,
        contracts: TellsContracts,
        new_id: Callable[[], str],
        who: str,
        counter: str,
        folder: Path,
        printers: Printers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._contracts = contracts
        self._new_id = new_id
        self._who = who
        self.counter = counter
        self.folder = folder
        self._printers = printers
        self._unfinished: dict[str, str] = {}

    @command
    async def print_contract(self, wanted: str, spoken: str = "") -> None:
        """The contract of an order, by its own id or a booking's, in `spoken` or the language of the screens.

        A printing that was counted and not written (a full disk, a lost answer) is the same one at the next press.
        """
        facts = await call(self._contracts.contract, wanted, spoken or language().value)
        key = f"{facts.order_id} {facts.language} {fingerprint(facts)}"
        printing = self._unfinished.setdefault(key, self._new_id())
        printed = await call(self._contracts.count_printing, facts, printing)
        contract = self._contract(facts, printed)
        path = await self._written(write_contract, contract)
        if path is None:
            return
        self._unfinished.pop(key, None)
        self._hand_over(
            WrittenPaper(path=path, printed=printed),
            Pages(
                title=contract_title(contract),
                document=lambda: contract_document(contract),
                running=contract_running(contract),
            ),
        )

    @command
    async def print_quotation(self, quotation: Quotation) -> None:
        """A price on paper under the branch's letterhead; nothing is counted, held or booked."""
        head = await call(self._contracts.letterhead, quotation.language.value)
        quotation = replace(quotation, letterhead=head)
        path = await self._written(write_quotation, quotation)
        if path is None:
            return
        self._hand_over(
            WrittenPaper(path=path, printed=None),
            Pages(
                title=quotation_title(quotation),
                document=lambda: quotation_document(quotation),
                running=quotation_running(quotation),
            ),
        )

    @command
    async def send(self, paper: WrittenPaper, pages: Pages) -> None:
        """Ask the printer; as long as it does not answer, further pages stay files."""
        self.sent.emit(paper, await call(self._printers.send, pages))

    async def _written(self, write: Callable[[T, Path], Path], paper: T) -> Path | None:
        """The file; None when there is none and `unwritten` has said why."""
        try:
            return await call(write, paper, self.folder)
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
            return None

    def _hand_over(self, paper: WrittenPaper, pages: Pages) -> None:
        self.written.emit(paper)
        if not self.send(paper, pages) and not self.is_closed:
            self.sent.emit(paper, Sent.REFUSED)

    def _contract(self, facts: ContractFacts, printed: Printed) -> Contract:
        return Contract(facts=facts, printed=printed, printed_by=self._who, counter=self.counter)


def contract_printing(counter: Counter, folder: Path, printers: Printers) -> ContractPrinting:
    """For a logged-in person; files lie in `documents` of the data folder."""
    return ContractPrinting(
        counter.contracts, counter.new_id, counter.who.name, counter.counter_name, folder / "documents", printers
    )
