"""Which settings of the recall are best, and what each of its parts is worth."""
