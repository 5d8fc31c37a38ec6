"""The language of the screens, switched live. Indonesian texts stand in the code, English in a file."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QTranslator

from app.desktop.formats import Language
from app.desktop.resources import resource


@dataclass(slots=True)
class _Spoken:
    language: Language = Language.ID
    translator: QTranslator | None = None


_spoken = _Spoken()


def language() -> Language:
    """The language in use; formatters take it as their last argument."""
    return _spoken.language


def use_language(new: Language) -> None:
    """Switch all texts. Every widget gets a LanguageChange event and sets its texts again.

    Raises FileNotFoundError when the translation file was not built.
    """
    path = resource("i18n", f"sentra_{new.value}.qm")
    translator = QTranslator()
    if not translator.load(str(path)):
        raise FileNotFoundError(path)
    if _spoken.translator is not None:
        QCoreApplication.removeTranslator(_spoken.translator)
    _spoken.language = new
    _spoken.translator = translator
    QCoreApplication.installTranslator(translator)
