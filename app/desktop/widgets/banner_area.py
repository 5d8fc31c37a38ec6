"""The place of the banners under the top bar: one per name, in the order they came; it is as high as they are."""

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.screen import BannerContent
from app.desktop.theme import BannerKind
from app.desktop.widgets.banner import Banner


class BannerArea(QWidget):
    """Shows, replaces and removes banners by name and has new ones read aloud."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._banners: dict[str, Banner] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    def shown(self, name: str) -> Banner | None:
        return self._banners.get(name)

    def standing(self) -> str:
        """What the banners say of the connection: the first that says anything."""
        return next((found for banner in self._banners.values() if (found := banner.content().standing)), "")

    def put(self, name: str, content: BannerContent) -> None:
        """Show a banner, or another content in its place; a primary button takes the focus."""
        old = self._banners.get(name)
        said = old.content().title if old is not None else None
        if old is not None and old.say(content):
            if said != content.title:
                announce(self, old.accessibleName(), assertive=content.kind is BannerKind.ERROR)
            return
        place = self._column.indexOf(old) if old is not None else self._column.count()
        self.remove(name)
        banner = Banner(content, self)
        self._column.insertWidget(place, banner)
        self._banners[name] = banner
        banner.show()
        self.show()
        if said != content.title:
            announce(self, banner.accessibleName(), assertive=content.kind is BannerKind.ERROR)
        if content.primary and banner.buttons:
            banner.buttons[-1].setFocus()

    def remove(self, name: str) -> None:
        banner = self._banners.pop(name, None)
        if banner is not None:
            self._column.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.setVisible(bool(self._banners))
