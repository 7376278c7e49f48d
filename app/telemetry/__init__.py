"""What the program tells of itself: numbers that outlive it, and traces."""
