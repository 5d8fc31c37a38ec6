"""The sentences of the settlement screen: lock chip, message area, banners. All of them in one place, translated."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject

from app.desktop.errors import refusal_sentence
from app.desktop.formats import clock, lock_countdown, moment, money
from app.desktop.language import language
from app.desktop.screens.settlement_phase import Notice, Phase
from app.desktop.screens.settlement_tendering import CODE_DIGITS, LAST4_DIGITS
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.desktop.widgets.label import Tone
from app.desktop.widgets.lock_chip import ChipContent, Urgency
from app.domain.errors import Refusal
from app.domain.lock import TTL_SECONDS, LockState
from app.domain.staff import Role
from app.domain.tender import Tender, TenderKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The message area: a bold fact and what follows from it."""

    title: str = ""
    text: str = ""
    icon: str = "info"
    tone: Tone = Tone.MUTED


class SettlementTexts(QObject):
    """Words only; what is true comes from the view model."""

    def __init__(self, model: SettlementViewModel) -> None:
        super().__init__(model)
        self._model = model

    # --- the lock chip -----------------------------------------------------------------------------------------------

    def chip(self) -> ChipContent | None:
        """None without a lock."""
        model = self._model
        left = model.lock.seconds_left()
        time, share = lock_countdown(left), left / TTL_SECONDS
        match model.lock_state():
            case None:
                return None
            case LockState.ACQUIRING:
                return ChipContent(words=self.tr("Mengunci tagihan…"), icon="hourglass")
            case LockState.HELD:
                return ChipContent(words=self.tr("Terkunci untuk Anda"), time=time, share=share)
            case LockState.RENEWING_LATE:
                words = self.tr("Memperpanjang kunci")
                return ChipContent(words=words, time=time, share=share, urgency=Urgency.WARNING, mark=True)
            case LockState.CRITICAL:
                words = self.tr("Kunci hampir habis")
                return ChipContent(words=words, time=time, share=share, urgency=Urgency.DANGER, mark=True, bold=True)
            case LockState.COMMITTING:
                return ChipContent(words=self.tr("Menyimpan pembayaran… jangan tutup"), icon="hourglass")
            case LockState.UNKNOWN_OUTCOME:
                words = self.tr("Status belum pasti")
                return ChipContent(words=words, icon="hourglass", urgency=Urgency.WARNING, bold=True)
            case LockState.PAID:
                return ChipContent(words=self.tr("Lunas, kunci dilepas"), icon="check")
            case _:
                since = self.tr("sejak {time}").format(time=self._clock(model.lost_at)) if model.lost_at else ""
                return ChipContent(
                    words=self.tr("Kunci hilang"), icon="lock_open", after=since, urgency=Urgency.DANGER, bold=True
                )

    def chip_hint(self) -> str:
        """The muted words beside the chip."""
        return self.tr("diperpanjang otomatis tiap 30 dtk") if self._model.phase is Phase.OPEN else ""

    # --- the banners -------------------------------------------------------------------------------------------------

    def lost_title(self) -> str:
        if cards := self._charged():
            return self.tr("Kunci hilang. {cards} belum tercatat.").format(cards=cards)
        return self.tr("Kunci hilang. Pembayaran belum disimpan.")

    def lost_text(self, *, times: bool = True) -> str:
        """What is safe and, with `times`, when the lock was last renewed; after a refused retry, who has it now."""
        model = self._model
        if model.refusal is not None:
            sentence = refusal_sentence(self.named(model.refusal), model.who.branch.zone)
            return " ".join((sentence.whole, self.tr("Yang Anda isi tetap ada.")))
        safe = self.tr("Yang Anda isi tetap ada. Jangan menagih ulang sebelum terkunci.")
        if self._charged():
            safe = self.tr("Jangan gesek ulang: kunci lagi, lalu F9 mencatatnya. Tersimpan juga di PC ini.")
        if model.lost_reason == "idle":
            return " ".join((safe, self.tr("Kunci dilepas setelah 15 menit tanpa ketikan.")))
        if not times:
            return safe
        beat = model.lock.beat_at
        words = self.tr("Perpanjangan terakhir {beat}, habis {end}.")
        if model.lost_reason != "expired":
            # It ended before its time: that it would have run longer is no news.
            words = self.tr("Perpanjangan terakhir {beat}.")
        return f"{safe} {words.format(beat=self._clock(beat), end=self._clock(beat + TTL_SECONDS))}"

    def unknown_title(self) -> str:
        return self.tr("Status pembayaran belum pasti.")

    def unknown_text(self) -> str:
        return self.tr("Kami memeriksa setiap 3 dtk dengan nomor yang sama. Jangan tagih ulang.")

    def named(self, refusal: Refusal) -> Refusal:
        """The refusal with this invoice's number, for its sentence."""
        told = Refusal(refusal.code, field=refusal.field, next=refusal.next)
        number = self._model.detail.row.booking_number if self._model.detail else ""
        told.params.update({"number": number, **refusal.params})
        return told

    # --- the message area --------------------------------------------------------------------------------------------

    def message(self) -> Message:
        """The one thing to know now."""
        match self._model.phase:
            case Phase.VIEWING:
                return self._viewing_message()
            case Phase.ACQUIRING:
                return Message(text=self.tr("Mengunci tagihan, sebentar."))
            case Phase.LOST:
                return self._lost_message()
            case Phase.COMMITTING:
                return Message(title=self.tr("Menyimpan pembayaran…"), text=self.tr("Jangan tutup layar ini."))
            case Phase.UNKNOWN:
                return Message(title=self.unknown_title(), text=self.unknown_text(), icon="warning", tone=Tone.WARNING)
            case Phase.PAID:
                return self._paid_message()
            case _:
                return self._open_message()

    def _viewing_message(self) -> Message:
        model = self._model
        if model.is_paid and model.detail is not None:
            paid = model.detail.payments[-1] if model.detail.payments else None
            title = self.tr("Lunas.")
            if paid is not None:
                at = moment(paid.paid_at, model.who.branch.zone, language())
                title = self.tr("Lunas {at}, diterima {cashier}.").format(at=at, cashier=paid.cashier)
            return Message(
                title=title, text=self.tr("Ctrl+P mencetak ulang kwitansinya."), icon="check", tone=Tone.SUCCESS
            )
        if Role.CASHIER not in model.who.roles:
            return Message(
                title=self.tr("Hanya dilihat: membayar hanya untuk kasir."),
                text=self.tr("Minta kasir membuka tagihan ini."),
            )
        return Message(text=self.tr("Hanya dilihat: tagihan ini tidak dikunci dan tidak bisa dibayar dari sini."))

    def _lost_message(self) -> Message:
        if self._model.notice is Notice.PAID_ELSEWHERE:
            return Message(
                title=self.tr("Tagihan ini sudah lunas lewat jalan lain."),
                text=self.tr("Pembayaran Anda tidak disimpan. Kembalikan uangnya, lalu lihat tagihannya."),
                icon="warning",
                tone=Tone.ERROR,
            )
        return Message(
            title=self.tr("Belum tersimpan."),
            text=self.tr("Laci tetap tertutup. Isian Anda tetap ada di layar ini."),
            icon="warning",
            tone=Tone.ERROR,
        )

    def _paid_message(self) -> Message:
        receipt = self._model.receipt
        number = receipt.number if receipt else ""
        title = self.tr("Lunas, nomor {number}.").format(number=number)
        text = self.tr("Tekan tombol apa saja untuk kembali ke daftar.")
        return Message(title=title, text=text, icon="check", tone=Tone.SUCCESS)

    def _open_message(self) -> Message:
        model = self._model
        if model.refusal is not None:
            sentence = refusal_sentence(self.named(model.refusal), model.who.branch.zone)
            return Message(title=sentence.title, text=sentence.text, icon="warning", tone=Tone.ERROR)
        idle_left = model.idle_left()
        if idle_left is not None:
            text = self.tr("Tekan tombol apa saja untuk tetap memegangnya.")
            title = self.tr("Tidak ada ketikan: kunci dilepas dalam {left}.").format(left=lock_countdown(idle_left))
            return Message(title=title, text=text, icon="clock", tone=Tone.WARNING)
        if model.notice is not Notice.NONE:
            return self._notice()
        if model.lock_state() is LockState.CRITICAL:
            text = self.tr("Bayar dibuka lagi setelah kunci diperpanjang.")
            return Message(title=self.tr("Kunci hampir habis."), text=text, icon="warning", tone=Tone.ERROR)
        if model.tendering.method is not TenderKind.CASH:
            return self._slip_message()
        if model.received is None:
            if model.rounding:
                text = self.tr("Tunai dibulatkan {rounding}: terima {left}, atau tekan + untuk uang pas.")
                rounding = money(model.rounding, language())
                return Message(text=text.format(rounding=rounding, left=money(model.left, language())))
            return Message(text=self.tr("Ketik jumlah yang diterima, atau tekan + untuk uang pas."))
        if model.missing:
            short = self.tr("Kurang {amount}.").format(amount=money(model.missing, language()))
            return Message(title=short, icon="warning", tone=Tone.ERROR)
        if model.is_unusual():
            text = self.tr("Periksa lagi jumlah yang diterima.")
            return Message(title=self._unusual(), text=text, icon="warning", tone=Tone.WARNING)
        return Message(text=self.tr("Uang cukup. Kwitansi dibuat setelah pembayaran tersimpan."))

    def _slip_message(self) -> Message:
        """A card, a QRIS or a transfer: what is missing, or that it can be paid."""
        model = self._model
        if model.shows_code:
            return Message(text=self.incomplete())
        if model.excess:
            title = self.tr("Lebih {amount} dari sisa tagihan.").format(amount=money(model.excess, language()))
            return Message(title=title, text=self.tr("Samakan jumlahnya."), icon="warning", tone=Tone.ERROR)
        if model.missing:
            title = self.tr("Kurang {amount}.").format(amount=money(model.missing, language()))
            text = self.tr("Ctrl+B menjadikannya satu bagian; sisanya dibayar cara lain.")
            return Message(title=title, text=text, icon="info", tone=Tone.WARNING)
        if reason := self.incomplete():
            return Message(text=reason)
        return Message(text=self.tr("Lengkap. Kwitansi dibuat setelah pembayaran tersimpan."))

    def incomplete(self) -> str:
        """What the way chosen now does not say yet; empty when it says everything."""
        model, slip = self._model, self._model.tendering.slip
        if model.shows_code:
            return self.tr("Menunggu pembayaran pelanggan. Cara lain: Alt+1, 2, 4.")
        if model.missing or model.excess:
            return self.tr("Jumlah harus sama dengan sisa tagihan.")
        match model.tendering.method:
            case TenderKind.EDC if len(slip.last4) != LAST4_DIGITS:
                return self.tr("Gesek kartu sebesar {amount}, lalu isi 4 angka terakhir kartunya.").format(
                    amount=money(model.tendering.amount(model.due, model.step), language())
                )
            case TenderKind.EDC if len(slip.code) != CODE_DIGITS:
                return self.tr("Isi kode persetujuan 6 angka dari struk EDC.")
            case TenderKind.QRIS if not slip.reference:
                return self.tr("Isi nomor referensi dari bukti QRIS pelanggan.")
            case TenderKind.QRIS if model.wants_word():
                return self.tr("Minta manajer mengisi login dan kata sandinya, lalu Enter.")
            case TenderKind.TRANSFER if not slip.reference:
                return self.tr("Isi nomor referensi transfer.")
            case TenderKind.TRANSFER if not slip.is_seen:
                return self.tr("Transfer belum terlihat di rekening. Tandai setelah terlihat, atau tahan lebih lama.")
        problem = model.tendering.problem(model.due, model.step)
        return "" if problem is None else refusal_sentence(problem, model.who.branch.zone).title

    def _charged(self) -> str:
        """The cards that the terminal has approved, each with its code."""
        words = self.tr("EDC {amount} (kode {code})")
        return ", ".join(
            words.format(amount=money(card.amount, language()), code=card.approval_code or "")
            for card in self._model.tendering.charged
        )

    def unrecorded(self, cards: Sequence[Tender]) -> str:
        """A card was charged for an invoice that was paid another way meanwhile."""
        words = self.tr("EDC {amount} (kode {code}) belum tercatat dan tagihannya sudah lunas. Serahkan ke manajer.")
        return " ".join(
            words.format(amount=money(card.amount, language()), code=card.approval_code or "") for card in cards
        )

    def _unusual(self) -> str:
        """Which amount to look at again: the change, or without much of it the cash itself."""
        model = self._model
        if model.change > 0:
            return self.tr("Kembalian {change}.").format(change=money(model.change, language()))
        return self.tr("Tunai {received}.").format(received=money(model.received or 0, language()))

    def _notice(self) -> Message:
        model = self._model
        match model.notice:
            case Notice.CONFIRM:
                text = self.tr("Tekan F9 sekali lagi untuk membayar.")
                return Message(title=self._unusual(), text=text, icon="warning", tone=Tone.WARNING)
            case Notice.SHIFT_OPENED:
                text = self.tr("Belum ada yang dibayar: tekan F9 untuk membayar.")
                return Message(title=self.tr("Shift dibuka."), text=text, icon="check", tone=Tone.SUCCESS)
            case Notice.KEPT:
                return Message(
                    title=self.tr("{cards} sudah disetujui tetapi belum tercatat.").format(cards=self._charged()),
                    text=self.tr("Jangan gesek ulang: F9 mencatatnya."),
                    icon="warning",
                    tone=Tone.WARNING,
                )
            case Notice.NOT_KEPT:
                return Message(
                    title=self.tr("Isian kartu tidak bisa disimpan di PC ini."),
                    text=self.tr("Jangan gesek kartu dulu: kosongkan ruang disk, lalu pilih EDC lagi."),
                    icon="warning",
                    tone=Tone.ERROR,
                )
            case Notice.CODE_LIVE:
                return Message(
                    title=self.tr("Kode atau tautan tagihan ini masih bisa dibayar."),
                    text=self.tr("Gateway belum menjawab. Tekan Bayar lagi bila pelanggan pasti tidak membayarnya."),
                    icon="warning",
                    tone=Tone.WARNING,
                )
            case Notice.PART | Notice.WHOLE | Notice.UNROUND | Notice.WORD:
                return Message(title=self._part_words(model.notice), icon="info", tone=Tone.WARNING)
            case Notice.NOT_WRITTEN:
                return Message(
                    title=self.tr("Sudah diperiksa: pembayaran belum tersimpan."),
                    text=self.tr("Tekan Bayar lagi. Nomor percobaannya sama, jadi tidak mungkin tercatat dua kali."),
                    icon="warning",
                    tone=Tone.WARNING,
                )
            case Notice.CLOCK_JUMPED:
                return Message(
                    title=self.tr("Jam PC ini meloncat."),
                    text=self.tr("Bayar dibuka lagi setelah kunci diperpanjang."),
                    icon="clock",
                    tone=Tone.WARNING,
                )
            case _:
                change = model.total_change
                before = money(change.before, language()) if change else ""
                after = money(change.after, language()) if change else ""
                return Message(
                    title=self.tr("Total berubah {before} menjadi {after}.").format(before=before, after=after),
                    text=self.tr("Periksa lagi jumlah yang diterima."),
                    icon="warning",
                    tone=Tone.WARNING,
                )

    def _part_words(self, notice: Notice) -> str:
        """Why Ctrl+B made no part of what stands there."""
        match notice:
            case Notice.PART:
                return self.tr("Isi dulu jumlah bagian ini, lalu Ctrl+B.")
            case Notice.WHOLE:
                return self.tr("Ini sudah menutup sisanya: F9 membayar.")
            case Notice.WORD:
                return self.tr("Bagian ini perlu persetujuan manajer dulu: isi login dan kata sandinya, Enter.")
            case _:
                step = money(self._model.step, language())
                return self.tr("Bagian tunai harus kelipatan {step}.").format(step=step)

    def _clock(self, boot: float) -> str:
        model = self._model
        if model.detail is None:
            return ""
        return clock(model.server_time(boot), model.who.branch.zone, language(), seconds=True)
