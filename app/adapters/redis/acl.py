"""What a counter may do in Redis: its own key prefixes, channels and commands. It can falsify a hint, never a booking.

Written in the ACL language of Redis 6.2; the same line goes into a configuration or an ACL file.
"""

from __future__ import annotations

from hashlib import sha256

COUNTER_USER = "sentra_counter"
KEYS = ("avail:*", "apack:*", "aver:*", "aidx:*", "lock:*", "waitlist:*")
CHANNELS = ("chg:*", "changes:*")
COMMANDS = (
    # the connection itself
    *("auth", "hello", "ping", "select", "client|reply", "client|setname", "time"),
    # reads of the index, of locks and of the waitlist's mirror
    *("get", "mget", "getrange", "strlen", "exists", "type", "pttl", "hget", "zscore", "zrange", "scan"),
    # what claim, projection, lock and mirror write
    *("set", "setrange", "del", "unlink", "hset", "zadd", "zrem", "eval", "evalsha", "script|load"),
    # hints
    *("publish", "subscribe", "unsubscribe"),
)


def counter_rule(password: str) -> str:
    """The user's line, the password as its SHA-256: whoever reads the file cannot log in with it."""
    hashed = sha256(password.encode()).hexdigest()
    places = [*(f"~{keys}" for keys in KEYS), *(f"&{channels}" for channels in CHANNELS)]
    return " ".join(
        [
            "user",
            COUNTER_USER,
            "on",
            f"#{hashed}",
            "resetchannels",
            *places,
            "-@all",
            *(f"+{name}" for name in COMMANDS),
        ]
    )
