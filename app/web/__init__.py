"""The browser's door: pages that use `/v1` and load nothing from elsewhere."""
