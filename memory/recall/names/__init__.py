"""Who is asked about, and whether a memory is told of somebody else."""

from memory.recall.names.comparing import Naming, compare_names, names_in, people_in

__all__ = ["Naming", "compare_names", "names_in", "people_in"]
