"""Makes the calendar screen of a logged-in counter: models, change hints, and the way to the settlement."""

from pathlib import Path

from app.bootstrap import Counter, Subscription
from app.desktop.changes import ChangeFeed
from app.desktop.screen import ScreenKey, Shell
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.settings import default_data_dir


def calendar_screen(counter: Counter, shell: Shell, folder: Path | None = None) -> CalendarScreen:
    """The screen, hearing hints where a Redis is configured; drafts are kept in `folder` (the data folder)."""
    clock = ServerClock()
    read = counter.store.read
    model = CalendarViewModel(counter, read.now, clock)
    walk_in = WalkInViewModel(
        counter,
        clock,
        folder or default_data_dir(),
        find_order=read.order,
        find_booking=read.booking,
        new_id=counter.new_id,
    )
    screen = CalendarScreen(model, walk_in, shell)
    feed = ChangeFeed(screen)
    subscription = counter.subscribe(feed)
    model.follow(feed if subscription is not None else None)
    feed.changed.connect(lambda change: walk_in.note_change(change.id) if change.what == "booking" else None)
    if subscription is not None:
        _Ear(model, feed, subscription, counter.who.branch.id, screen)
    screen.pay_requested.connect(lambda invoice_id: shell.go(ScreenKey.INVOICES, invoice_id))
    return screen


class _Ear:
    """Keeps the subscription on the SKUs that are shown, and ends it with the screen."""

    def __init__(
        self,
        model: CalendarViewModel,
        feed: ChangeFeed,
        subscription: Subscription,
        branch: str,
        screen: CalendarScreen,
    ) -> None:
        self._ended = False
        self._model = model
        self._feed = feed
        self._subscription = subscription
        self._branch = branch
        self._skus: frozenset[str] = frozenset()
        model.content_replaced.connect(self._follow)
        screen.closing.connect(self._end)
        screen.destroyed.connect(self._end)
        self._follow()

    def _follow(self) -> None:
        skus = frozenset(unit.sku.code for unit in self._model.fleet)
        if skus != self._skus or not skus:
            self._skus = skus
            self._subscription.follow(skus=sorted(skus), branches=(self._branch,))

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._feed.close()
            self._subscription.close()
