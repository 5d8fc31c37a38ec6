"""Where contracts and quotations lie on this PC: named by booking number, language, revision and copy."""

from pathlib import Path

from app.desktop.documents.contract import Contract, contract_pdf
from app.desktop.documents.files import file_stem, write_whole
from app.desktop.documents.quotation import Quotation, quotation_pdf
from app.desktop.formats import Language


def write_contract(contract: Contract, folder: Path) -> Path:
    """Write this printing; the same one again replaces its own file and no other."""
    parts = ["KONTRAK", file_stem(contract.number)]
    if contract.language is not Language.ID:
        parts.append(contract.language.value)
    if contract.printed.revision:
        parts.append(f"PERUBAHAN-{contract.printed.revision}")
    if contract.printed.copy:
        parts.append(f"SALINAN-{contract.printed.copy}")
    path = folder / f"{'-'.join(parts)}.pdf"
    write_whole(path, contract_pdf(contract))
    return path


def write_quotation(quotation: Quotation, folder: Path) -> Path:
    """Write it anew: a quotation is not counted, the newest is the one that holds."""
    language = "" if quotation.language is Language.ID else f"-{quotation.language.value}"
    path = folder / f"PENAWARAN-{file_stem(quotation.number)}{language}.pdf"
    write_whole(path, quotation_pdf(quotation))
    return path
