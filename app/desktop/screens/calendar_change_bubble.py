"""What stands beside a bar in the hand: where it would go, what that costs, and what is in the way."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import day_count, day_with_weekday, money, period_with_weekdays
from app.desktop.language import language
from app.desktop.screens.calendar_bubbles import BUBBLE_WIDTH, BoldLead, IconLabel
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.label import KeyCap, Label, Tone
from app.desktop.widgets.month_grid_ghost import Ghost, Grip, Verdict
from app.desktop.widgets.month_grid_texts import stop_head, stop_reason
from app.desktop.widgets.popover import Popover
from app.usecases.rows_changes import ChangeQuote


class ChangeBubble(Popover):
    """It lets clicks through: the pointer under it still drags."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, see_through=True, notch=False)
        self.pad(12, 9)
        self.setFixedWidth(BUBBLE_WIDTH + 24)
        head = QHBoxLayout()
        self._who = Label("", TextRole.SECTION)
        self._price = Label("", TextRole.SECTION)
        head.addWidget(self._who)
        head.addStretch(1)
        head.addWidget(self._price)
        self.body.addLayout(head)
        self._days = Label("", TextRole.SECONDARY)
        self._unit = Label("", TextRole.SECONDARY, Tone.MUTED)
        for label in (self._days, self._unit):
            label.setWordWrap(True)
            self.body.addWidget(label)
        self._stop = QWidget()
        column = QVBoxLayout(self._stop)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(5)
        column.addWidget(Hairline())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(IconLabel("warning", "error"), 0, Qt.AlignmentFlag.AlignTop)
        self._reason = BoldLead(Tone.ERROR)
        row.addWidget(self._reason, 1)
        column.addLayout(row)
        self.body.addWidget(self._stop)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        self._arrows = KeyCap("←→")
        self._shift = Label("", TextRole.CAPTION, Tone.MUTED)
        self._enter = KeyCap("Return")
        self._put = Label("", TextRole.CAPTION, Tone.MUTED)
        self._give_up = Label("", TextRole.CAPTION, Tone.MUTED)
        for widget in (self._arrows, self._shift, self._enter, self._put, KeyCap("Esc"), self._give_up):
            foot.addWidget(widget)
        foot.addStretch(1)
        self.body.addSpacing(2)
        self.body.addLayout(foot)

    def show_ghost(self, ghost: Ghost, verdict: Verdict, quote: ChangeQuote | None, said: tuple[str, str]) -> None:
        """Fill in; `said` is what the server has against it (a bold part and the rest), empty while it has nothing."""
        self._who.setText(" ".join(part for part in (ghost.bar.number, ghost.bar.customer_name) if part))
        self._price.setText(self._price_words(verdict, quote))
        self._days.setText(self._days_words(ghost))
        if ghost.parks:
            self._unit.setText(self.tr("Ke parkir sementara; harinya tetap terpakai sampai ditaruh lagi"))
        elif ghost.unit.unit.id != ghost.home.unit.id:
            self._unit.setText(f"{ghost.home.unit.plate} → {ghost.unit.unit.plate} · {ghost.unit.sku.name}")
        else:
            self._unit.setText(f"{ghost.home.unit.plate} · {ghost.home.sku.name}")
        bold, rest = self._against(ghost, said)
        self._stop.setVisible(bool(bold or rest))
        self._reason.show_parts(bold, rest)
        # What was wrapped before is measured anew, not remembered.
        self._stop.updateGeometry()
        self._show_foot(ghost, blocked=ghost.obstacle is not None or verdict is Verdict.REFUSED)
        self.setAccessibleName(self.spoken())

    def spoken(self) -> str:
        """The bubble as one sentence."""
        parts = [self._who.text(), self._days.text().replace("→", "-"), self._unit.text().replace("→", "-")]
        parts.append(self._price.text())
        if not self._stop.isHidden():
            parts.append(self._reason.accessibleName())
        return ", ".join(part for part in parts if part)

    def price(self) -> str:
        """What the price says now."""
        return self._price.text()

    def reason(self) -> str:
        """What is in the way; empty when nothing is."""
        return self._reason.accessibleName() if not self._stop.isHidden() else ""

    def _days_words(self, ghost: Ghost) -> str:
        """What the days were and would be; of one that changes its length only the end that moves."""
        before, after = ghost.before, ghost.days
        count = day_count(after.count, language())
        if before == after:
            return f"{period_with_weekdays(after.first, after.last, language())} · {count}"
        if ghost.grip is Grip.END:
            ends = [day_with_weekday(days.last, language()) for days in (before, after)]
            moved = self.tr("Kembali {0} → {1}").format(*ends)
            return f"{moved} · {count}"
        if ghost.grip is Grip.START:
            ends = [day_with_weekday(days.first, language()) for days in (before, after)]
            moved = self.tr("Ambil {0} → {1}").format(*ends)
            return f"{moved} · {count}"
        was, will = (period_with_weekdays(days.first, days.last, language()) for days in (before, after))
        return f"{was} → {will} · {count}"

    def _price_words(self, verdict: Verdict, quote: ChangeQuote | None) -> str:
        if verdict is Verdict.CHECKING:
            return self.tr("memeriksa…")
        if verdict is Verdict.REFUSED or quote is None:
            return ""
        return difference_words(quote.difference)

    def _against(self, ghost: Ghost, said: tuple[str, str]) -> tuple[str, str]:
        if any(said):
            return said
        if ghost.parks:
            return "", ""
        if ghost.obstacle is not None:
            return self.tr("Tidak bisa:"), stop_reason(ghost.obstacle)
        if ghost.stopped is not None:
            return stop_head(ghost.stopped), stop_reason(ghost.stopped)
        return "", ""

    def _show_foot(self, ghost: Ghost, *, blocked: bool) -> None:
        """What letting go does; where something is in the way (`blocked`) the bar goes home."""
        self._arrows.setVisible(ghost.by_keys)
        self._shift.setVisible(ghost.by_keys)
        self._shift.setText(self.tr("geser"))
        self._enter.setVisible(ghost.by_keys)
        resizing = ghost.grip in (Grip.START, Grip.END)
        if ghost.by_keys:
            self._put.setText(self.tr("ubah") if resizing else self.tr("taruh"))
        elif ghost.parks:
            self._put.setText(self.tr("Lepas = parkir"))
        elif blocked:
            self._put.setText(self.tr("Lepas = tetap di {0}").format(ghost.home.unit.plate))
        else:
            self._put.setText(self.tr("Lepas = ubah") if resizing else self.tr("Lepas = pindah"))
        self._give_up.setText(self.tr("batal"))


def difference_words(difference: int) -> str:
    """`+Rp 350.000`, `-Rp 350.000`, or that the price stays."""
    if difference == 0:
        return QCoreApplication.translate("ChangeBubble", "harga sama")
    sign = "+" if difference > 0 else ""
    return f"{sign}{money(difference, language())}"
