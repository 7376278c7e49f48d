"""Looks at every part of an installation, and says of what is not well how to mend it."""
