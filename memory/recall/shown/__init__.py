"""What is told of a recall: as much as fits, dated and with its sources."""
