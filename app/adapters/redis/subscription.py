"""A counter's ear: one thread that waits for change hints and says when it has gone deaf and hears again."""

from __future__ import annotations

import logging
import select
import socket
import threading
from collections.abc import Callable, Iterable

import redis

from app.adapters.redis.changes import BRANCH_CHANNEL, SKU_CHANNEL, AvailabilityHint, ChangeHint, read_hint
from app.adapters.redis.connection import connect, means_away
from app.adapters.redis.ear import Deaf, Ear
from app.domain.days import YearMonth

log = logging.getLogger(__name__)

_IDLE_S = 10.0  # silence after which the server is asked whether it is there
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 2.0

OnAvailability = Callable[[str, YearMonth, int, int], None]
OnChange = Callable[[str, str, str, str], None]


class Subscription:
    """Hears `chg:<SKU>` and `changes:<branch>` from `start()` to `close()`.

    The callbacks run in this object's thread, one at a time; one that raises is logged and the next goes on.
    `on_lost` is called once when hints can no longer arrive (also when the server was never there), `on_restored` once
    when every channel is confirmed again: what was changed in between has to be read again by then.
    """

    def __init__(
        self,
        url: str,
        *,
        on_availability: OnAvailability,
        on_change: OnChange,
        on_lost: Callable[[], None],
        on_restored: Callable[[], None],
        idle_s: float = _IDLE_S,
        first_pause_s: float = _FIRST_PAUSE_S,
    ) -> None:
        # Waiting is done by select, so that reads stay bounded even where a stopped server owes half an answer.
        self._client = connect(url, again_when_broken=False)
        self._on_availability = on_availability
        self._on_change = on_change
        self._on_lost = on_lost
        self._on_restored = on_restored
        self._idle_s = idle_s
        self._first_pause_s = first_pause_s
        self._wanted: frozenset[str] = frozenset()
        self._heard: frozenset[str] = frozenset()
        self._changed = threading.Condition()
        self._closing = False
        self._lost = False
        self._wake_sender, self._wake_receiver = socket.socketpair()
        self._wake_receiver.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="change-hints", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def follow(self, *, skus: Iterable[str], branches: Iterable[str]) -> None:
        """From now on hear these SKUs and branches and no others. May be called at any time, from any thread."""
        wanted = {f"{SKU_CHANNEL}{sku}" for sku in skus} | {f"{BRANCH_CHANNEL}{branch}" for branch in branches}
        with self._changed:
            self._wanted = frozenset(wanted)
        self._wake()

    def wait_until_heard(self, seconds: float) -> bool:
        """True once the server confirmed every channel asked for; False after `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._wanted) and self._heard >= self._wanted, seconds)

    def close(self, seconds: float = 2.0) -> None:
        """End the thread; it is woken, so this takes no longer than a callback that is running."""
        with self._changed:
            self._closing = True
        self._wake()
        if self._thread.is_alive():
            self._thread.join(seconds)
        if not self._thread.is_alive():
            self._wake_sender.close()
            self._wake_receiver.close()
        self._client.close()

    def _wake(self) -> None:
        try:
            self._wake_sender.send(b"w")
        except OSError as error:
            log.debug("the ear is closed already: %s", error)

    def _run(self) -> None:
        pause_s = self._first_pause_s
        while not self._closing:
            try:
                self._listen()
            except (Deaf, redis.exceptions.RedisError, OSError) as error:
                if self._heard_anything():
                    pause_s = self._first_pause_s
                self._note_lost(error)
                self._pause(pause_s)
                pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    def _listen(self) -> None:
        """Until closed; raises when the server goes away. Nothing is asked of it before there is something to hear."""
        while not self._closing and not self._wanted:
            self._pause(None)
        if self._closing:
            return
        ear = Ear(self._client)
        try:
            self._hear(ear)
        finally:
            ear.close()

    def _hear(self, ear: Ear) -> None:
        asked: frozenset[str] = frozenset()
        confirmed: set[str] = set()
        silent = False
        while not self._closing:
            with self._changed:
                wanted = self._wanted
            asked = _ask(ear, asked, wanted)
            here, woken = ear.wait(self._wake_receiver, self._idle_s)
            if woken:
                self._wake_receiver.recv(4096)
            if here:
                silent = False
                for message in ear.messages():
                    if self._take(message, confirmed):
                        self._note_heard(asked, confirmed)
            elif not woken:
                if silent:
                    raise Deaf("no answer to a ping")
                ear.ping()
                silent = True

    def _pause(self, seconds: float | None) -> None:
        ready, _, _ = select.select([self._wake_receiver], [], [], seconds)
        if ready:
            self._wake_receiver.recv(4096)

    def _take(self, message: list[object], confirmed: set[str]) -> bool:
        """Hand a hint over; true when the message was about which channels are heard."""
        match message:
            case [b"message", bytes(channel), bytes(payload)]:
                hint = read_hint(channel, payload)
                if isinstance(hint, AvailabilityHint):
                    self._call(self._on_availability, hint.sku, hint.month, hint.slot, hint.mask)
                elif isinstance(hint, ChangeHint):
                    self._call(self._on_change, hint.branch, hint.what, hint.id, hint.by)
                return False
            case [b"subscribe", bytes(channel), _]:
                confirmed.add(channel.decode())
            case [b"unsubscribe", bytes(channel), _]:
                confirmed.discard(channel.decode())
            case _:
                return False
        return True

    def _heard_anything(self) -> bool:
        with self._changed:
            return bool(self._heard)

    def _note_heard(self, asked: frozenset[str], confirmed: set[str]) -> None:
        with self._changed:
            self._heard = frozenset(confirmed)
            whole = confirmed >= asked
            restored = self._lost and whole
            if restored:
                self._lost = False
            self._changed.notify_all()
        if restored:
            log.info("change hints arrive again")
            self._call(self._on_restored)

    def _note_lost(self, error: Exception) -> None:
        if not isinstance(error, (Deaf, OSError)) and not means_away(error):
            log.warning("the subscription was refused: %s", error)
        with self._changed:
            self._heard = frozenset()
            first = not self._lost and not self._closing
            self._lost = True
        if first:
            log.warning("change hints stopped: %s", error)
            self._call(self._on_lost)

    def _call(self, callback: Callable[..., None], *arguments: object) -> None:
        try:
            callback(*arguments)
        except Exception:
            log.exception("a change hint could not be used")


def _ask(ear: Ear, asked: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
    """Subscribe to what is new and leave what is no longer wanted."""
    if new := wanted - asked:
        ear.subscribe(sorted(new))
    if old := asked - wanted:
        ear.unsubscribe(sorted(old))
    return wanted
