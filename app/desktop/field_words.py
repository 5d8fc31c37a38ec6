"""What a field says when it does not understand what was typed: it names itself and shows what it would understand."""

from PySide6.QtCore import QCoreApplication


def not_a_day(name: str) -> str:
    text = QCoreApplication.translate("FieldWords", "{0}: bukan tanggal. Contoh 30/11, besok, sen, +3.")
    return text.format(name)


def not_an_amount(name: str) -> str:
    text = QCoreApplication.translate("FieldWords", "{0}: bukan jumlah rupiah. Contoh 1.250.000, 1,25jt, 500rb.")
    return text.format(name)


def not_a_phone(name: str) -> str:
    text = QCoreApplication.translate("FieldWords", "{0}: perlu 9-13 angka, contoh 0812-3456-7890.")
    return text.format(name)
