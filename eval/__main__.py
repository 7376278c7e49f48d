"""`python -m eval`."""

from __future__ import annotations

import sys

from memory.gc_pause import pause_gc

with pause_gc():
    from eval.runner import main

if __name__ == "__main__":
    sys.exit(main())
