"""Scripts of the index with a guard taken out, in this process only: what a client of a sabotaged run starts with."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from types import ModuleType

SCRIPTS = "app.adapters.redis"


def patch_lua(patches: Mapping[str, Sequence[str]]) -> None:
    """From now on a script is read with a text of it replaced; before anything of the index is imported.

    Raises LookupError when the text is not there exactly once.
    """
    if not patches:
        return
    real_files = resources.files
    folder = real_files(SCRIPTS)
    texts = {}
    for name, (guard, instead) in patches.items():
        text = folder.joinpath(f"{name}.lua").read_text("utf-8")
        if text.count(guard) != 1:
            raise LookupError(f"{name}.lua does not hold this once: {guard}")
        texts[f"{name}.lua"] = text.replace(guard, instead)

    if f"{SCRIPTS}.scripts" in sys.modules:
        raise RuntimeError("the index has its scripts already")

    def files(package: str | ModuleType = SCRIPTS) -> Traversable | _Folder:
        return _Folder(folder, texts) if package == SCRIPTS else real_files(package)

    resources.files = files  # type: ignore[assignment]


class _Folder:
    """As much of a folder as the scripts ask of one."""

    def __init__(self, real: Traversable, texts: Mapping[str, str]) -> None:
        self._real = real
        self._texts = texts

    def joinpath(self, name: str) -> Traversable | _File:
        return _File(self._texts[name]) if name in self._texts else self._real.joinpath(name)


class _File:
    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, _encoding: str) -> str:
        return self._text
