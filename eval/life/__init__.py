"""Everyday conversations: what the assistant keeps, leaves out and finds again as days pass."""
