"""Pages for a browser, which use `/v1` and load nothing from elsewhere."""
