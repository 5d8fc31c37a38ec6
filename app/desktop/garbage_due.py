"""Which cycles of Python objects are due, by Python's own rule. No Qt: tests without a window use it too."""

import gc


def collect_what_is_due() -> int:
    """Once the youngest generation's threshold is passed: the oldest whose own is passed, and the younger ones with it;
    -1 when none is due.
    """
    counts, thresholds = gc.get_count(), gc.get_threshold()
    if not thresholds[0] or counts[0] <= thresholds[0]:
        return -1
    due = max(generation for generation in range(len(counts)) if counts[generation] > thresholds[generation])
    gc.collect(due)
    return due
