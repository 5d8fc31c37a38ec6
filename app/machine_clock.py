"""The PC's clocks for the screens: what passes between two answers of the server, never a deadline."""


class MachineClock:
    """The PC's clocks for the screens: never a source of deadlines, only of what passes between two answers."""

    @staticmethod
    def boot() -> float:
        """Seconds that run on through suspend and are never set back."""
        from app.adapters.clock import boottime

        return boottime()

    @staticmethod
    def wall() -> float:
        """Seconds since 1970 as this PC believes."""
        from app.adapters.clock import wall_seconds

        return wall_seconds()


machine_clock = MachineClock()
