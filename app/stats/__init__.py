"""`python -m app stats`: the metrics in the terminal, for those without a monitor."""
