"""Numbers of papers in drafts: sealed in the file, back in the form, masked in lists; no key, no number."""

import datetime as dt
import json
import logging
import stat
import sys
from pathlib import Path

import pytest

from app.desktop.draft_box import KEY_FILE, DraftBox
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields
from app.desktop.screens.walk_in_kept import KeptForms
from app.desktop.screens.walk_in_parked import parked_name

NIK = "3275013012900012"
AT = dt.datetime(2026, 11, 30, 7, 5, tzinfo=dt.UTC)


def typed() -> WalkInForm:
    return WalkInForm(order_id="o-1", customer_text="0813-9999-1234", is_new=True, new_name="Wahyu", new_nik=NIK)


def on_disk(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.json"))


def test_a_draft_gives_every_number_back_and_its_files_hold_none(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    sent = WalkInForm(order_id="o-2", customer_text="3275 0130-1290.0012", was_sent=True)
    form = typed()
    store, kept = DraftStore(folder, "siti"), KeptForms(folder, "siti", 1)
    assert store.save(Draft(fields=to_fields(form), saved_at=AT))
    assert kept.put(sent, AT)
    register = DraftStore(folder, "siti", form="customers")
    texts = {"nik": "3275", "passport": "A1234567", "licence_number": "9001", "name": "Wahyu", "note": f"KTP {NIK}"}
    assert register.save(Draft(fields={"forms": [{"id": "c-1", "texts": texts}]}, saved_at=AT))
    for said in ("3275", "A1234567", "9001", "0130-1290"):
        assert said not in on_disk(folder)
    assert {"Wahyu", "0813-9999-1234"} <= {
        text for text in (form.new_name, form.customer_text) if text in on_disk(folder)
    }, "what is no number of papers stays readable"
    draft, card = DraftStore(folder, "siti").load(), DraftStore(folder, "siti", form="customers").load()
    assert draft is not None
    assert card is not None
    assert from_fields(draft.fields) == form
    assert card.fields == {"forms": [{"id": "c-1", "texts": texts}]}
    assert KeptForms(folder, "siti", 1).all() == (sent,)


def test_a_sent_draft_still_knows_that_it_was_sent_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    form = typed()
    form = WalkInForm(
        order_id="o-1",
        customer_text=form.customer_text,
        is_new=True,
        new_name="Wahyu",
        new_nik=NIK,
        was_sent=True,
        sent_content=form.content,
    )
    DraftStore(folder, "siti").save(Draft(fields=to_fields(form), saved_at=AT))
    draft = DraftStore(folder, "siti").load()
    assert draft is not None
    assert from_fields(draft.fields).is_as_sent
    assert NIK not in on_disk(folder)


def test_a_clear_number_of_an_older_version_is_sealed_as_soon_as_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    folder.mkdir()
    store = DraftStore(folder, "siti")
    old = {"v": 2, "form": "walk_in", "staff": "siti", "fields": to_fields(typed()), "saved_at": AT.isoformat()}
    store.path.write_text(json.dumps(old), encoding="utf-8")
    draft = store.load()
    assert draft is not None
    assert from_fields(draft.fields) == typed()
    assert NIK not in on_disk(folder)
    assert DraftStore(folder, "siti").load() == draft


def test_without_its_key_a_draft_comes_back_without_its_numbers_and_says_none_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "drafts"
    DraftStore(folder, "siti").save(Draft(fields=to_fields(typed()), saved_at=AT))
    key = tmp_path / KEY_FILE
    if sys.platform != "win32":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.write_bytes(b"x" * 32)
    with caplog.at_level(logging.INFO):
        draft = DraftStore(folder, "siti").load()
    assert draft is not None
    form = from_fields(draft.fields)
    assert (form.new_nik, form.new_name, form.customer_text) == ("", "Wahyu", "0813-9999-1234")
    assert "new_nik" in caplog.text
    assert "3275" not in caplog.text


def test_where_no_key_can_be_made_a_number_is_left_out_rather_than_written_in_clear(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    box = DraftBox(tmp_path / "file" / "drafts")
    sealed = box.sealed(to_fields(typed()))
    assert NIK not in json.dumps(sealed)
    assert from_fields(box.opened(sealed)).new_nik == ""


def test_a_sealed_field_serves_for_no_other_one(tmp_path: Path) -> None:
    box = DraftBox(tmp_path / "drafts")
    sealed = box.sealed({"new_nik": NIK})
    assert box.opened({"new_name": sealed["new_nik"]}) == {"new_name": ""}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (NIK, "3275 01 •••••• 0012"),
        ("3275 0130 1290 001", "•" * 15),
        ("0812-3456-7890", "0812-3456-7890"),
        ("Budi", "Budi"),
    ],
)
def test_a_list_of_drafts_never_shows_the_number_somebody_is_looked_for_by(text: str, shown: str) -> None:
    assert parked_name(WalkInForm(order_id="o-1", customer_text=text)) == shown
