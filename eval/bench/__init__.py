"""Speed and load."""
