"""What is done behind: the kinds of jobs, and the worker that does them."""
