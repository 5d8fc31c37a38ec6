"""A document's own language: what it says does not follow the language of the screens."""

from PySide6.QtCore import QTranslator

from app.desktop.formats import Language
from app.desktop.resources import resource


class Spoken:
    """Texts in one language. Made for one document and safe outside the GUI thread.

    Raises FileNotFoundError when the translation file was not built.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self._translator: QTranslator | None = None
        if language is not Language.ID:  # the texts in the code are Indonesian
            path = resource("i18n", f"sentra_{language.value}.qm")
            self._translator = QTranslator()
            if not self._translator.load(str(path)):
                raise FileNotFoundError(path)

    def translate(self, context: str, text: str) -> str:
        """The text in this language; one without translation stays Indonesian."""
        if self._translator is None:
            return text
        return self._translator.translate(context, text) or text
