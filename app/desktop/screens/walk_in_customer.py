"""The customer part of the drawer: suggestions while typing, the picked person, the name of a new one."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.desktop.formats import phone
from app.desktop.icons import paint_icon
from app.desktop.theme import BannerKind, TextRole, theme, theme_source
from app.desktop.widgets.paint import BoxStyle, key_cap_width, paint_box, paint_key_cap, paint_tag, tag_width
from app.usecases.rows import CustomerHit

_HIT_HEIGHT = 46
_NEW_HEIGHT = 28
MOST_HITS = 6


class CustomerHits(QWidget):
    """Suggestions under the field; the field keeps the focus and moves the choice. The last row adds somebody new."""

    picked = Signal(object)
    new_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[CustomerHit, ...] = ()
        self._text = ""
        self._at = self._top = 0
        self._most = MOST_HITS
        self.setMouseTracking(True)
        theme_source().changed.connect(self.update)
        self.hide()

    def show_hits(self, hits: Sequence[CustomerHit], text: str) -> None:
        """Show these for the typed text; the first one is chosen, "new" when there is none."""
        self._hits = tuple(hits[:MOST_HITS])
        self._text = text.strip()
        self._at = self._top = 0
        self.setFixedHeight(self.sizeHint().height())
        self._describe()
        self.update()

    def set_room(self, height: int) -> None:
        """Show no more at once than fit; the arrows bring the others into sight."""
        self._most = max(1, min(MOST_HITS, (height - _NEW_HEIGHT - 3) // _HIT_HEIGHT))
        self.setFixedHeight(self.sizeHint().height())
        self._follow()

    def hits(self) -> tuple[CustomerHit, ...]:
        return self._hits

    def seen(self) -> tuple[CustomerHit, ...]:
        """Those that are shown now, where not all have room."""
        return self._hits[self._top : self._top + self._rows()]

    def chosen(self) -> CustomerHit | None:
        """The marked person; None when "new" is marked."""
        return self._hits[self._at] if self._at < len(self._hits) else None

    def step(self, by: int) -> None:
        self._at = max(0, min(len(self._hits), self._at + by))
        self._follow()
        self._describe()
        self.update()

    def take(self) -> None:
        """Enter: pick what is marked."""
        hit = self.chosen()
        if hit is not None:
            self.picked.emit(hit)
        else:
            self.new_wanted.emit()

    def sizeHint(self) -> QSize:
        return QSize(288, self._rows() * _HIT_HEIGHT + _NEW_HEIGHT + 3)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._row_at(event.position().y())
        if at != self._at:
            self._at = at
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._at = self._row_at(event.position().y())
        self.take()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._describe()
            self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _rows(self) -> int:
        """How many people are seen at once."""
        return min(len(self._hits), self._most)

    def _follow(self) -> None:
        """Keep the marked person among those that are seen."""
        if self._at < len(self._hits):
            self._top = min(max(self._top, self._at - self._rows() + 1), self._at)
        self._top = max(0, min(self._top, len(self._hits) - self._rows()))

    def _row_at(self, y: float) -> int:
        row = int((y - 1) // _HIT_HEIGHT)
        return len(self._hits) if row >= self._rows() else self._top + max(0, row)

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        box = QRectF(self.rect())
        paint_box(painter, box, BoxStyle(fill=look.surface, line=look.control, radius=look.sizes.radius_control))
        painter.fillRect(QRectF(4, box.bottom() - 2, box.width() - 8, 1), look.control)
        seen = range(self._top, self._top + self._rows())
        for number, index in enumerate(seen):
            area = QRectF(1, 1 + number * _HIT_HEIGHT, box.width() - 2, _HIT_HEIGHT)
            self._paint_hit(painter, area, self._hits[index], index)
        row = QRectF(1, 1 + len(seen) * _HIT_HEIGHT, box.width() - 2, _NEW_HEIGHT)
        chosen = self._at == len(self._hits)
        if chosen:
            painter.fillRect(row.adjusted(0, 0, 0, -1), look.soft)
            painter.fillRect(QRectF(row.left(), row.top(), 3, row.height() - 1), look.accent)
        paint_icon(painter, QRectF(row.left() + 11, row.center().y() - 7, 14, 14), "plus", look.accent)
        painter.setFont(look.font(TextRole.SECONDARY, 500))
        painter.setPen(look.accent)
        text = self._new_text()
        place = row.adjusted(32, 0, -60 if chosen else -8, 0)
        shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        if chosen:
            paint_key_cap(painter, row.right() - 10 - key_cap_width("Enter"), row.center().y(), "Enter")

    def _paint_hit(self, painter: QPainter, row: QRectF, hit: CustomerHit, index: int) -> None:
        look = theme()
        chosen = index == self._at
        if chosen:
            painter.fillRect(row, look.soft)
            painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), look.accent)
        painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), look.line)
        right = row.right() - 9
        if chosen:
            right -= key_cap_width("Enter")
            paint_key_cap(painter, right, row.top() + 13, "Enter")
            right -= 6
        font = look.font(TextRole.BASE, 600 if chosen else 400)
        beside = right - self._facts_width(hit) - (row.left() + 11)
        if hit.masked or QFontMetricsF(font).horizontalAdvance(hit.customer.name) <= beside:
            right = self._paint_facts(painter, right, row.top() + 13, hit)
        else:  # the name is more than what is known of its person, and the second line has room
            self._paint_facts(painter, row.right() - 9, row.top() + 33, hit)
        painter.setFont(font)
        painter.setPen(look.text)
        room = right - (row.left() + 11)
        name = QFontMetricsF(font).elidedText(hit.customer.name, Qt.TextElideMode.ElideRight, room)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(row.left() + 11, row.top() + 3, room + 2, 20), left, name)
        at = QPointF(row.left() + 11, row.top() + 37)
        at.setX(self._paint_phone(painter, at, phone(hit.customer.phone)))
        if hit.masked:
            painter.setFont(look.font(TextRole.CAPTION))
            painter.setPen(look.muted)
            known = QFontMetricsF(painter.font()).elidedText(
                f" · NIK {hit.masked}", Qt.TextElideMode.ElideRight, row.right() - 9 - at.x()
            )
            painter.drawText(at, known)

    def _facts_width(self, hit: CustomerHit) -> float:
        if hit.open_invoices:
            return _warning_width(self.tr("%n tagihan belum lunas", "", hit.open_invoices)) + 6
        return tag_width(self.tr("{0}x sewa").format(hit.rentals)) + 6 if hit.rentals else 0

    def _paint_facts(self, painter: QPainter, right: float, middle: float, hit: CustomerHit) -> float:
        """Unpaid bills before anything else, else how often they rented. Answers where the name has to end."""
        look = theme()
        if hit.open_invoices:
            text = self.tr("%n tagihan belum lunas", "", hit.open_invoices)
            style = look.banner(BannerKind.WARNING)
            box = QRectF(right - _warning_width(text), middle - 9, _warning_width(text), 18)
            paint_box(painter, box, BoxStyle(fill=style.fill, line=style.line, radius=4))
            paint_icon(painter, QRectF(box.left() + 5, middle - 6, 12, 12), "warning", style.text)
            painter.setFont(look.font(TextRole.CAPTION, 600))
            painter.setPen(style.text)
            place = box.adjusted(19, 0, 0, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            return box.left() - 6
        if hit.rentals:
            text = self.tr("{0}x sewa").format(hit.rentals)
            paint_tag(painter, right - tag_width(text), middle, text)
            return right - tag_width(text) - 6
        return right

    def _paint_phone(self, painter: QPainter, at: QPointF, text: str) -> float:
        """The phone with the typed digits underlined; answers where it ends."""
        look = theme()
        plain, bold = look.font(TextRole.SECONDARY), look.font(TextRole.SECONDARY, 600)
        first, last = _match(text, self._text)
        x = at.x()
        for part, strong in ((text[:first], False), (text[first:last], True), (text[last:], False)):
            if not part:
                continue
            painter.setFont(bold if strong else plain)
            painter.setPen(look.text if strong else look.muted)
            painter.drawText(QPointF(x, at.y()), part)
            width = QFontMetricsF(painter.font()).horizontalAdvance(part)
            if strong:
                painter.fillRect(QRectF(x, at.y() + 2, width, 2), QColor(look.accent))
            x += width
        return x

    def _new_text(self) -> str:
        return self.tr("Pelanggan baru {0}").format(self._text).strip()

    def _describe(self) -> None:
        hit = self.chosen()
        if hit is None:
            self.setAccessibleName(self._new_text())
            return
        parts = [hit.customer.name, phone(hit.customer.phone)]
        if hit.open_invoices:
            parts.append(self.tr("%n tagihan belum lunas", "", hit.open_invoices))
        elif hit.rentals:
            parts.append(self.tr("{0}x sewa").format(hit.rentals))
        self.setAccessibleName(", ".join(parts))


class PersonLine(QWidget):
    """The picked customer: name, phone, how often they rented."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = self._phone = self._masked = ""
        self._rentals = 0
        self.setFixedHeight(46)
        theme_source().changed.connect(self.update)

    def show_person(self, name: str, phone_number: str, rentals: int, masked: str = "") -> None:
        self._name, self._phone, self._rentals, self._masked = name, phone_number, rentals, masked
        self.setAccessibleName(", ".join(part for part in (name, self._second()) if part))
        self.update()

    def _second(self, between: str = ", ") -> str:
        """The phone, and the masked number of the identity card where one is known."""
        known = f"NIK {self._masked}" if self._masked else ""
        return between.join(part for part in (phone(self._phone) if self._phone else "", known) if part)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            start = float(self.contentsRect().left())
            right = float(self.contentsRect().right() + 1)
            if self._rentals:
                text = self.tr("{0}x sewa").format(self._rentals)
                right -= tag_width(text)
                paint_tag(painter, right, 12, text)
                right -= 6
            font = look.font(TextRole.BASE, 600)
            name = QFontMetricsF(font).elidedText(self._name, Qt.TextElideMode.ElideRight, right - start)
            painter.setFont(font)
            painter.setPen(look.text)
            painter.drawText(QRectF(start, 2, right - start, 20), left, name)
            painter.setFont(look.font(TextRole.SECONDARY))
            painter.setPen(look.muted)
            painter.drawText(QRectF(start, 22, self.width() - start, 18), left, self._second(" · "))
        finally:
            painter.end()


def _match(shown: str, typed: str) -> tuple[int, int]:
    """Where the typed digits stand in a formatted phone; (0, 0) when they do not."""
    digits = re.sub(r"\D", "", typed)
    digits = "0" + digits[2:] if digits.startswith("62") else digits
    if len(digits) < 2:
        return 0, 0
    places = [index for index, sign in enumerate(shown) if sign.isdigit()]
    at = "".join(shown[index] for index in places).find(digits)
    # Beginnings are no news; the last typed digits tell the people apart.
    if at < 0:
        return 0, 0
    begin = at + max(0, len(digits) - 2) if at == 0 else at
    return places[begin], places[at + len(digits) - 1] + 1


def _warning_width(text: str) -> float:
    return QFontMetricsF(theme().font(TextRole.CAPTION, 600)).horizontalAdvance(text) + 25
