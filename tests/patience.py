"""How long a test waits for what should come at once, on a machine that others keep busy."""

PATIENCE = 30.0  # seconds
