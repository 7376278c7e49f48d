"""PostgreSQL and Valkey from wheels, in the user's data folder, shared by all of their programs."""
