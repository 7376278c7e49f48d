"""How the reader hears labelled messages, segment by segment."""
