"""Play scenes and save what they look like: each language from its own beginning, themes while the state stands."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.theme import Theme, load_fonts, use_theme
from tests.screenshots.all_scenes import ALL_SCENES
from tests.screenshots.login import shoot_login
from tests.screenshots.stage import stage


def shoot(
    out: Path,
    only: str,
    scale: str,
    sizes: Mapping[str, tuple[int, int]],
    looks: Sequence[tuple[str, str]],
) -> int:
    """Write `<screen>-<state>-<lang>-<theme>-<scale>-<WxH>.png` for each; how many were written."""
    app = QApplication.instance() or QApplication(["shots"])
    if not isinstance(app, QApplication):
        raise TypeError("another kind of Qt application runs in this process")
    load_fonts()
    use_runner(InlineRunner())
    factor = int(scale) / 100
    written = 0

    now: tuple[str, str] | None = None

    def look(lang: str, theme: str) -> None:
        nonlocal now
        if now == (lang, theme):
            return  # What is said beside a cell goes with a change of language: the first picture keeps it.
        now = (lang, theme)
        use_language(Language(lang))
        use_theme(Theme.dark() if theme == "dark" else Theme.light(), app)

    for size_name, (width, height) in sizes.items():
        size = (int(width / factor), int(height / factor))
        look(*looks[0])
        if "login".startswith(only.split("-")[0]) or not only:
            for name, grab in shoot_login(size):
                for lang, theme in looks:
                    look(lang, theme)
                    grab(out / f"{name}-{lang}-{theme}-{scale}-{size_name}.png")
                    written += 1
        wanted = {name: play for name, play in ALL_SCENES.items() if name.startswith(only)}
        if not wanted:
            continue
        with stage() as servers:
            for name, play in wanted.items():
                for lang in dict.fromkeys(spoken for spoken, _ in looks):
                    themes = [theme for spoken, theme in looks if spoken == lang]
                    look(lang, themes[0])
                    with play(servers, size) as actor:
                        for theme in themes:
                            look(lang, theme)
                            actor.wait(60)
                            actor.grab(out / f"{name}-{lang}-{theme}-{scale}-{size_name}.png")
                            written += 1
                sys.stderr.write(f"{name} {scale} % {size_name}\n")
    return written
