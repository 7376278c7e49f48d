"""Tasks that need memory, put to the assistant with and without it, and how they are judged."""
