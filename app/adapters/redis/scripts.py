"""The Lua scripts beside this file, run by their hash and loaded again where a server does not know them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import cast

import redis

Argument = str | bytes | int
Call = tuple[Sequence[str], Sequence[Argument]]
Command = Sequence[Argument]


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

    def command(self, keys: Sequence[str], arguments: Sequence[Argument]) -> Command:
        """The whole text as one command for a pipeline: it runs on a server that never saw the script."""
        return ("EVAL", self._text, len(keys), *keys, *arguments)

    def run_many(self, client: redis.Redis, calls: Sequence[Call], more: Sequence[Command] = ()) -> list[object]:
        """All calls and then `more` in one pipelined round trip; the calls' answers in their order.

        The first error is raised after all ran. On a server that does not know the script the calls run after `more`.
        """
        answers = self._pipelined(client, calls, more)
        unknown = [n for n, answer in enumerate(answers) if isinstance(answer, redis.exceptions.NoScriptError)]
        if unknown:
            client.script_load(self._text)
            for n, answer in zip(unknown, self._pipelined(client, [calls[n] for n in unknown]), strict=True):
                answers[n] = answer
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers[: len(calls)]

    def _pipelined(self, client: redis.Redis, calls: Sequence[Call], more: Sequence[Command] = ()) -> list[object]:
        pipe = client.pipeline(transaction=False)
        for keys, arguments in calls:
            pipe.evalsha(self._hash, len(keys), *keys, *arguments)
        for command in more:
            pipe.execute_command(*command)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        return cast(list[object], pipe.execute(raise_on_error=False))
