"""Screenshots of every screen and state: `python -m tests.screenshots [--screen S] [--out D]`."""
