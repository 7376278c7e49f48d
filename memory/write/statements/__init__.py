"""What a memory says, read from its words."""
