"""The collector of garbage is off from here until the first test runs (`tests.conftest`): what the
imports and the collection of tests make stays until the end."""

import gc

gc.disable()
