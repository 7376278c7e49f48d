"""Turns that belong to the server: begun by a request, followed by any number of listeners."""
