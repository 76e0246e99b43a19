"""Keeping the garbage collector out of long folds.

Folding makes many small objects that all stay and none that point in circles; the collector would look through them
again and again as they grow, for as long as the folding itself takes.
"""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """The collector of cycles is off inside, and as it was afterwards."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
