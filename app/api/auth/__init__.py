"""Who is asking: the user comes from a credential alone, never from a body or a query."""
