"""The one way in which a part of dev.py ends the command early, and the exit codes it may end with."""

FAILED = 1
USAGE = 2
SYSTEM_PACKAGE_MISSING = 3


class Stop(Exception):
    """Ends the command with `code` after `sentence` was shown. Giving the same command again is always safe."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
