"""What REST sends and takes, and the bounds of its fields."""
