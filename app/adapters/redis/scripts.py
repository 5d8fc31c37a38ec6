"""The Lua scripts beside this file, run by their hash and loaded again where a server does not know them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files

import redis

from app.adapters.redis.trip import Argument, answers
from app.adapters.redis.trip import Command as Command

Call = tuple[Sequence[str], Sequence[Argument]]


class Script:
    """One Lua file. `run` and `run_many` survive a server that was restarted or flushed of scripts."""

    def __init__(self, name: str) -> None:
        self._text = files(__package__).joinpath(f"{name}.lua").read_text("utf-8")
        self._hash = sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def run(self, client: redis.Redis, keys: Sequence[str], arguments: Sequence[Argument]) -> object:
        (answer,) = answers(client, [("EVALSHA", self._hash, len(keys), *keys, *arguments)])
        if isinstance(answer, redis.exceptions.NoScriptError):
            (answer,) = answers(client, [self.command(keys, arguments)])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def command(self, keys: Sequence[str], arguments: Sequence[Argument]) -> Command:
        """The whole text as one command for a pipeline: it runs on a server that never saw the script."""
        return ("EVAL", self._text, len(keys), *keys, *arguments)

    def run_many(self, client: redis.Redis, calls: Sequence[Call], more: Sequence[Command] = ()) -> list[object]:
        """All calls and then `more` in one pipelined round trip; the calls' answers in their order.

        The first error is raised after all ran. On a server that does not know the script the calls run after `more`.
        """
        found = answers(client, [*(self._by_hash(call) for call in calls), *more])
        unknown = [
            n for n, answer in enumerate(found[: len(calls)]) if isinstance(answer, redis.exceptions.NoScriptError)
        ]
        if unknown:
            client.script_load(self._text)
            again = answers(client, [self._by_hash(calls[n]) for n in unknown])
            for n, answer in zip(unknown, again, strict=True):
                found[n] = answer
        for answer in found:
            if isinstance(answer, Exception):
                raise answer
        return found[: len(calls)]

    def _by_hash(self, call: Call) -> Command:
        keys, arguments = call
        return ("EVALSHA", self._hash, len(keys), *keys, *arguments)
