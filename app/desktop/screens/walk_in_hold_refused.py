"""What was refused while something is held: there is no form to say it in, so it is said in a short message."""

from app.desktop.errors import refusal_sentence
from app.desktop.screen import Shell
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.domain.errors import Refusal, RefusalCode


def tell_hold_refusals(walk_in: WalkInViewModel, shell: Shell) -> None:
    """Say it and look at the hold once more: somebody may have moved or ended it. The last check before a hold expires
    asks by itself until the server answers; that it does not yet is shown there.
    """

    def refused(refusal: Refusal) -> None:
        is_asking_anyway = walk_in.stage is Stage.CHECKING and refusal.code is RefusalCode.UNREACHABLE
        if walk_in.stage is Stage.FORM or is_asking_anyway:
            return
        shell.toast(refusal_sentence(refusal, walk_in.who.branch.zone).whole, seconds=10)
        if refusal.code is RefusalCode.BOOKING_STATE:
            walk_in.check()

    walk_in.refused.connect(refused)
