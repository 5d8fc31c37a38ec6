"""One round trip of several commands: answers in order, refusals beside them, and connections that died meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from app.adapters.redis.connection import Link, connect
from app.adapters.redis.trip import MOST_KEPT, answers
from app.usecases.index_port import IndexUnreachable


def test_answers_come_in_order_with_a_refused_command_beside_the_others(link: Link, raw: redis.Redis) -> None:
    raw.set("a", "1")
    with link.asking() as client:
        first, refused, last = answers(client, [("GET", "a"), ("HGET", "a", "b"), ("STRLEN", "a")])
    assert (first, last) == (b"1", 1)
    assert isinstance(refused, redis.exceptions.ResponseError)
    with link.asking() as client:
        assert answers(client, [("GET", "a")]) == [b"1"]


def test_a_connection_that_died_while_it_rested_is_replaced_unnoticed(link: Link, raw: redis.Redis) -> None:
    together = threading.Barrier(MOST_KEPT + 2)

    def meet() -> None:
        with link.asking() as client:
            together.wait(30)
            answers(client, [("PING",)])

    with ThreadPoolExecutor(MOST_KEPT + 2) as clerks:
        for met in [clerks.submit(meet) for _ in range(MOST_KEPT + 2)]:
            met.result()
    raw.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")  # type: ignore[no-untyped-call]
    with link.asking() as client:
        assert [answers(client, [("ECHO", str(n))]) for n in range(4)] == [[b"0"], [b"1"], [b"2"], [b"3"]]
    assert not link.is_down


def test_after_a_timeout_the_late_answer_is_nobody_elses(redis_url: str, raw: redis.Redis) -> None:
    client = connect(redis_url, answer_timeout_s=0.05)
    raw.set("a", "right")
    raw.execute_command("CLIENT", "PAUSE", "150")  # type: ignore[no-untyped-call]
    with pytest.raises(redis.exceptions.TimeoutError):
        answers(client, [("ECHO", "late")])
    raw.ping()  # answered when the pause is over
    assert answers(client, [("GET", "a")]) == [b"right"]
    client.close()


def test_threads_never_read_each_others_answers(link: Link) -> None:
    def ask(word: str) -> set[object]:
        with link.asking() as client:
            return {answers(client, [("ECHO", word)])[0] for _ in range(200)}

    with ThreadPoolExecutor(8) as clerks:
        words = [f"w{n}" for n in range(8)]
        assert list(clerks.map(ask, words)) == [{word.encode()} for word in words]


def test_a_question_during_the_close_is_an_unreachable_index_and_no_fault_of_its_own(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    with link.asking() as client:
        answers(client, [("PING",)])

    def closed_meanwhile(*_command: object, **_options: object) -> None:
        link.close()
        raise AttributeError("'NoneType' object has no attribute 'sendall'")

    monkeypatch.setattr(redis.connection.Connection, "send_packed_command", closed_meanwhile)
    with pytest.raises(IndexUnreachable, match="closed"), link.asking() as client:
        answers(client, [("PING",)])


def test_a_mistake_of_ours_on_an_open_link_stays_what_it_is(link: Link) -> None:
    with pytest.raises(AttributeError), link.asking() as client:
        client.no_such_thing()
