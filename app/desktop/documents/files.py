"""Where documents lie on this PC: named by their number, written whole or not at all, copies counted by their names."""

import os
import re
from dataclasses import replace
from pathlib import Path

from app.desktop.documents.kwitansi import Kwitansi, kwitansi_document, title_of
from app.desktop.documents.paper import A5, ROLL_80, pdf_bytes
from app.desktop.documents.receipt import receipt_document


def file_stem(number: str) -> str:
    """`INV/JKT/202611/00017` as `INV-JKT-202611-00017`: safe as a file name on every system."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", number).strip("-.") or "tanpa-nomor"


def write_original(receipt: Kwitansi, folder: Path) -> Path:
    """Write the 80 mm receipt and the kwitansi. One that exists is kept: the same payment, answered twice, is one."""
    path = original_of(receipt, folder)
    if not path.exists():
        strip = folder / f"{file_stem(receipt.number)}-80mm.pdf"
        write_whole(strip, pdf_bytes(receipt_document(receipt), ROLL_80, title_of(receipt)))
        write_whole(path, pdf_bytes(kwitansi_document(receipt), A5, title_of(receipt)))
    return path


def write_next(receipt: Kwitansi, folder: Path) -> tuple[Path, int]:
    """Print again: a SALINAN and its count; the original and 0 where none was written, the counter died before it."""
    if original_of(receipt, folder).exists():
        return write_copy(receipt, folder)
    return write_original(receipt, folder), 0


def write_counted(receipt: Kwitansi, folder: Path, copy: int) -> Path:
    """Write the printing that the branch counted as this copy, 0 is the original; the same again replaces it."""
    if copy == 0:
        return write_original(receipt, folder)
    path = folder / f"{file_stem(receipt.number)}-SALINAN-{copy}.pdf"
    numbered = replace(receipt, copy=copy)
    write_whole(path, pdf_bytes(kwitansi_document(numbered), A5, title_of(numbered)))
    return path


def original_of(receipt: Kwitansi, folder: Path) -> Path:
    """Where the original lies once it is written; it is written last of all."""
    return folder / f"{file_stem(receipt.number)}.pdf"


def write_copy(receipt: Kwitansi, folder: Path) -> tuple[Path, int]:
    """Write the next SALINAN; answers its file and its count, which starts at 1 and is never given twice."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = file_stem(receipt.number)
    count = 1
    while True:
        path = folder / f"{stem}-SALINAN-{count}.pdf"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            count += 1
            continue
        break
    numbered = replace(receipt, copy=count)
    try:
        write_whole(path, pdf_bytes(kwitansi_document(numbered), A5, title_of(numbered)))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path, count


def write_whole(path: Path, content: bytes) -> None:
    """The whole file or nothing under that name; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(content)
    os.replace(part, path)
