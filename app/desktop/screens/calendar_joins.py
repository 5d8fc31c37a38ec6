"""How the calendar's parts hear of each other: refused changes, and cards that open cards."""

from dataclasses import replace

from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.screen import BannerContent, Shell
from app.desktop.screens.calendar_banner import conflict_banner, index_banner
from app.desktop.screens.calendar_doubled import DoubledClaims
from app.desktop.screens.calendar_drawer import Drawer
from app.desktop.screens.calendar_filters import Filters
from app.desktop.screens.calendar_hands import Hands
from app.desktop.screens.calendar_pointing import Pointing
from app.desktop.screens.calendar_reads import Source
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.refusal_desk import RefusalDesk
from app.desktop.screens.walk_in_waiting import join_waiting
from app.desktop.viewmodel import Failure, ViewModel
from app.domain.errors import Refusal, RefusalCode


class SourceBanner:
    """The calendar's banners: the index is away (its time follows each reading), a unit is claimed twice."""

    def __init__(self, model: CalendarViewModel, shell: Shell) -> None:
        self._model, self._shell = model, shell
        self._shown: dict[str, BannerContent | None] = {}
        self._claims = DoubledClaims(model, model)
        self._claims.found_changed.connect(self.show)

    def show(self) -> None:
        """Bring them up to date."""
        self._put("calendar-index", index_banner(self._model) if self._model.source is Source.DATABASE else None)
        self._put("calendar-conflict", conflict_banner(self._model, self._claims))

    def _put(self, name: str, new: BannerContent | None) -> None:
        # What a button runs is made anew each time and is no difference to see.
        old = self._shown.get(name)
        if _seen(new) == _seen(old):
            return
        self._shown[name] = new
        if new is not None:
            self._shell.show_banner(name, new)
        else:
            self._shell.hide_banner(name)


def _seen(content: BannerContent | None) -> tuple[BannerContent, tuple[str, ...]] | None:
    if content is None:
        return None
    return replace(content, actions=()), tuple(action.text for action in content.actions)


def join_hands(
    hands: Hands,
    refusals: RefusalDesk,
    pointing: Pointing,
    drawer: Drawer,
    filters: Filters,
    model: CalendarViewModel,
) -> None:
    """A refusal's next actions go where they are done; a card that is left goes back to the refusal behind it."""
    refusals.change_wanted.connect(hands.changes.take_action)
    refusals.waitlist_wanted.connect(hands.demand.ask_for)
    join_waiting(drawer.panel, drawer.panel.model, hands.demand.ask_for)
    refusals.elsewhere_wanted.connect(hands.demand.ask_elsewhere)
    hands.demand.closed.connect(refusals.show_again)
    hands.demand.changed.connect(refusals.forget)
    hands.demand.branch_wanted.connect(refusals.forget)
    hands.demand.branch_wanted.connect(filters.use)
    hands.refused.connect(refusals.show_change)
    hands.changed.connect(model.load)
    hands.changes.everything_wanted.connect(lambda: filters.use(CalendarFilter()))
    pointing.days_lost.connect(refusals.show_lost)
    refusals.lost_shown.connect(hands.work.demand.record_lost)
    hands.work.demand.told_who.connect(refusals.tell_who)
    refusals.stretch_wanted.connect(drawer.book_stretch)
    pointing.form_wanted.connect(drawer.book_instead)
    drawer.panel.model.let_gone.connect(model.load)
    drawer.panel.hold_page.add_step(hands.ends.longer_button)


def tell_problems(shell: Shell, model: CalendarViewModel, *others: ViewModel) -> None:
    """What the calendar was refused, and what went wrong anywhere in it, in a short message."""

    def refused(refusal: object) -> None:
        if isinstance(refusal, Refusal) and refusal.code is not RefusalCode.UNREACHABLE:
            shell.toast(refusal_sentence(refusal, model.who.branch.zone).whole)

    def failed(failure: object) -> None:
        if isinstance(failure, Failure):
            shell.toast(failure_sentence(failure).whole)

    model.refused.connect(refused)
    for each in (model, *others):
        each.failed.connect(failed)
