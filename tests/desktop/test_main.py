"""The entry point says what is missing before Qt could abort, and refuses what it does not know."""

import pytest

from app.desktop import main as entry


def test_a_missing_library_is_one_line_to_run() -> None:
    line = entry.missing_line(lambda name: name != "libEGL.so.1", offscreen=True, platform="linux")
    assert line == "sudo apt-get install -y --no-install-recommends libegl1"


def test_a_window_needs_more_than_a_picture() -> None:
    def can_load(name: str) -> bool:
        return not name.startswith("libxcb-cursor")

    assert entry.missing_line(can_load, offscreen=True, platform="linux") == ""
    assert entry.missing_line(can_load, offscreen=False, platform="linux").endswith(" libxcb-cursor0")


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_bring_their_libraries(platform: str) -> None:
    assert entry.missing_line(lambda _: False, offscreen=False, platform=platform) == ""


def test_a_missing_library_ends_with_3_before_qt_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(entry, "loads", lambda _: False)
    monkeypatch.setattr(entry.sys, "platform", "linux")
    assert entry.main([]) == 3
    assert capsys.readouterr().err.startswith("sudo apt-get install -y --no-install-recommends libgl1 ")


def test_an_unknown_argument_is_usage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(entry, "loads", lambda _: True)
    assert entry.main(["--no-such"]) == 2
    assert "--no-such" in capsys.readouterr().err
