"""`python -m app.embedded.tether SIGNAL COMMAND…`: runs a command that ends when our standard input closes.

For systems without a parent death signal (macOS, BSD). Standard input starts with 8 bytes, the length of what the
command itself gets to read, and that many bytes; the rest is silence until the starter is gone. The starter holds
the write end, so the kernel closes it however the starter dies. If the tether dies, its starter kills the group.
"""

import os
import signal
import subprocess
import sys
import threading

FORWARDED = [signal.SIGTERM, signal.SIGINT]
if sys.platform != "win32":
    FORWARDED.append(signal.SIGQUIT)


def main(arguments: list[str]) -> int:
    """Run the command to its end and give its exit status, or signal it when the starter is gone."""
    death_signal, command = int(arguments[0]), arguments[1:]
    length = int.from_bytes(_exactly(8), "big")
    feed = _exactly(length)
    child = subprocess.Popen(command, stdin=subprocess.PIPE if length else subprocess.DEVNULL)
    if child.stdin is not None:
        child.stdin.write(feed)
        child.stdin.close()
    for number in FORWARDED:
        signal.signal(number, lambda received, _frame: child.send_signal(received))

    def end_with_starter() -> None:
        if os.read(0, 1) == b"":
            child.send_signal(death_signal)

    threading.Thread(target=end_with_starter, daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


def _exactly(count: int) -> bytes:
    """So many bytes of standard input, unbuffered; fewer only when the starter is already gone."""
    received = b""
    while len(received) < count:
        part = os.read(0, count - len(received))
        if not part:
            sys.exit(0)
        received += part
    return received


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
