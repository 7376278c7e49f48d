"""What is worth remembering of a message, found by rules alone.

A message goes through `blocks` (what is the person's own prose), `sentences`, `pronouns`,
`clauses`, `refusals` (why a sentence is not kept) and `patterns` (why it is), in that order;
`reading.read` shows for each clause which of them decided.
"""
