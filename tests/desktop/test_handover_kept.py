"""A hand-over that is kept on this PC: sections in any order, a kill in the middle, a line that is away, sent once."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.desktop.screens.handover_form import HandoverForm, Section, section_of
from app.desktop.screens.handover_kept import KeptHandovers, send, send_waiting
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.inspection import CHECKLISTS, REQUIRED_ANGLES, Angle, InspectionKind, Signature, Template
from app.usecases.rows_handovers import HandedBooking
from tests.support.world import World
from tests.usecases.handover_rig import SIGNED, mark, prepared, promise

pytest_plugins = ("tests.support.world_fixtures",)

AT = dt.datetime(2027, 3, 1, 2, 0, tzinfo=dt.UTC)


def begun(
    booking_id: str = "b-1", kind: InspectionKind = InspectionKind.OUT, template: Template = Template.CAR
) -> HandoverForm:
    return HandoverForm(
        booking_id=booking_id,
        kind=kind,
        template=template,
        inspection_id=str(uuid.uuid4()),
        handing_id=str(uuid.uuid4()),
    )


def photographed(form: HandoverForm) -> HandoverForm:
    for angle in REQUIRED_ANGLES[form.template]:
        form = form.with_photo(promise(angle.value, angle))
    return form


def whole(form: HandoverForm) -> HandoverForm:
    return replace(photographed(form).with_all_good(), odometer=1_000, fuel=8, signature=SIGNED)


def test_what_a_form_lacks_is_told_in_the_order_of_its_sections() -> None:
    form = replace(begun(), damages=(mark(),))
    parts = form.missing()
    assert [section_of(part) for part in parts] == sorted(section_of(part) for part in parts)
    assert {section_of(part) for part in parts} == set(Section) - {Section.GATE}
    assert parts[0] == "odometer"
    assert whole(begun()).missing() == ()
    signed = replace(whole(begun()), signature=Signature(signed=True))
    assert signed.missing() == ("signature",)
    assert signed.with_photo(promise("name", Angle.SIGNATURE)).missing() == ()
    assert replace(whole(begun()), signature=None, hands_over=False).missing() == (), "a delivery is signed later"
    assert replace(whole(begun(kind=InspectionKind.IN)), signature=None, hands_over=False).missing() == ("signature",)
    meter = begun(template=Template.EQUIPMENT).missing()
    assert meter[:2] == ("hours", "accessories")


def test_the_whole_list_is_good_only_after_the_photos_and_what_was_said_stays() -> None:
    form = begun().with_check("jack", good=False, note="hilang")
    assert form.with_all_good() is form
    done = photographed(form).with_all_good()
    assert [check.item for check in done.checks] == list(CHECKLISTS[Template.CAR])
    assert [(check.item, check.note) for check in done.checks if not check.good] == [("jack", "hilang")]
    assert done.with_check("jack", good=None).missing() == ("odometer", "fuel", "checks.jack", "signature")


def test_an_angle_has_its_newest_photo_and_a_damage_all_of_its_own() -> None:
    scratch = mark()
    first, second = promise("a", Angle.FRONT), promise("b", Angle.FRONT)
    near, far = (promise(name, Angle.DAMAGE, scratch.id) for name in ("near", "far"))
    form = replace(begun(), damages=(scratch,))
    for photo in (first, near, second, far, far):
        form = form.with_photo(photo)
    assert set(form.photos) == {second, near, far}
    assert form.without_damage(scratch.id).photos == (second,)
    assert form.without_damage(scratch.id).damages == ()


def test_a_form_comes_back_whole_after_a_kill_and_a_finished_one_does_not_change(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    form = replace(whole(begun()), damages=(mark(),), true_at=AT - dt.timedelta(hours=1), note="antar ke rumah")
    assert KeptHandovers(folder, "dedi").put(form, AT)
    again = KeptHandovers(folder, "dedi")
    assert again.all() == (form,)
    assert again.begin("b-1", InspectionKind.OUT, begun) == form
    assert again.find("b-1", InspectionKind.IN) is None
    with pytest.raises(ValueError, match=r"damages\.1\.photo"):
        again.finish(form, AT)
    complete = form.with_photo(promise("near", Angle.DAMAGE, form.damages[0].id))
    assert again.finish(complete, AT)
    killed = KeptHandovers(folder, "dedi")
    assert killed.waiting() == (replace(complete, finished_at=AT),)
    assert not killed.put(replace(complete, fuel=1), AT)
    assert killed.waiting()[0].fuel == 8
    assert KeptHandovers(folder, "siti").all() == ()
    again.path.write_text(again.path.read_text().replace('"kind": "OUT"', '"kind": "SIDEWAYS"'))
    assert KeptHandovers(folder, "dedi").all() == (), "a damaged form is not sent"


def test_what_was_finished_without_the_line_goes_out_and_back_once_though_killed_after_every_section(
    world: World, tmp_path: Path
) -> None:
    dedi = world.counter("dedi").rentals.handovers
    mine = prepared(world)
    folder = tmp_path / "drafts"
    kept = KeptHandovers(folder, "dedi")
    form = begun(mine)
    for step in _steps():
        form = step(form)
        assert kept.put(form, world.now())
        kept = KeptHandovers(folder, "dedi")  # killed after every section
    assert kept.finish(form, world.now())
    away = _Away()
    (no,) = send_waiting(away, kept)
    assert isinstance(no, Refusal)
    assert no.code is RefusalCode.UNREACHABLE
    assert dedi.basis(mine).state is BookingState.PAID_APPROVED, "the unit is out when the server says so"
    sent_but_unheard = send(dedi, KeptHandovers(folder, "dedi").waiting()[0])
    (done,) = send_waiting(dedi, KeptHandovers(folder, "dedi"))
    assert isinstance(done, HandedBooking)
    assert (done.state, done.version) == (BookingState.ACTIVE_RENTAL, sent_but_unheard.version)
    assert KeptHandovers(folder, "dedi").all() == ()
    world.after(hours=5)
    home = replace(whole(begun(mine, InspectionKind.IN)), odometer=1_080)
    kept = KeptHandovers(folder, "dedi")
    assert kept.finish(replace(home, odometer=900), world.now())
    (lower,) = send_waiting(dedi, kept)
    assert isinstance(lower, Refusal)
    assert lower.field == "odometer"
    assert kept.waiting() == (), "what was refused is open again"
    assert kept.finish(home, world.now())
    first = send(dedi, kept.waiting()[0])
    (back,) = send_waiting(dedi, kept)
    assert isinstance(back, HandedBooking)
    assert (back.state, back.version) == (BookingState.RETURNED_PENDING_CHECK, first.version)
    looks = dedi.basis(mine).inspections
    assert [(row.kind, row.inspection.id) for row in looks] == [
        (InspectionKind.OUT, form.inspection_id),
        (InspectionKind.IN, home.inspection_id),
    ]
    promised = {row.promise.id for row in looks[0].photos}
    assert {photo.id for photo in form.photos} <= promised
    assert len(looks[0].photos) == len(promised) == len(form.photos)


class _Away:
    """A server that does not answer."""

    def check_out(self, *_: object, **__: object) -> HandedBooking:
        raise Refusal(RefusalCode.UNREACHABLE, next=(), reason="database")

    def check_in(self, *_: object, **__: object) -> HandedBooking:
        raise Refusal(RefusalCode.UNREACHABLE, next=(), reason="database")


def _steps() -> tuple[Callable[[HandoverForm], HandoverForm], ...]:
    """The sections of a check-out in an order that nobody prescribes."""
    return (
        photographed,
        lambda form: replace(form, fuel=8),
        HandoverForm.with_all_good,
        lambda form: replace(form, signature=SIGNED),
        lambda form: replace(form, odometer=1_000),
    )
