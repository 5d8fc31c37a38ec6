"""The Lua scripts beside this file, run by their hash and loaded again where a server does not know them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import cast

import redis

Argument = str | bytes | int
Call = tuple[Sequence[str], Sequence[Argument]]


class Script:
    """One Lua file. `run` and `run_many` survive a server that was restarted or flushed of scripts."""

    def __init__(self, name: str) -> None:
        self._text = files(__package__).joinpath(f"{name}.lua").read_text("utf-8")
        self._hash = sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def run(self, client: redis.Redis, keys: Sequence[str], arguments: Sequence[Argument]) -> object:
        try:
            return cast(object, client.evalsha(self._hash, len(keys), *keys, *arguments))
        except redis.exceptions.NoScriptError:
            return cast(object, client.eval(self._text, len(keys), *keys, *arguments))

    def run_many(self, client: redis.Redis, calls: Sequence[Call]) -> list[object]:
        """All calls in one pipelined round trip, answers in their order; the first error is raised after all ran."""
        answers = self._pipelined(client, calls)
        unknown = [n for n, answer in enumerate(answers) if isinstance(answer, redis.exceptions.NoScriptError)]
        if unknown:
            client.script_load(self._text)
            for n, answer in zip(unknown, self._pipelined(client, [calls[n] for n in unknown]), strict=True):
                answers[n] = answer
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def _pipelined(self, client: redis.Redis, calls: Sequence[Call]) -> list[object]:
        pipe = client.pipeline(transaction=False)
        for keys, arguments in calls:
            pipe.evalsha(self._hash, len(keys), *keys, *arguments)
        return cast(list[object], pipe.execute(raise_on_error=False))
