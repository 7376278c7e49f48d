"""The data sets: how each is read, run and scored."""
