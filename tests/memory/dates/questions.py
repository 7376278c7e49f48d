"""Questions and the stretch of time that is read in each. Data for the tests.

Asked on WEDNESDAY: the question, the words of its date, its first day, the day after its last, and
the grain.
"""

from __future__ import annotations

QUESTIONS = (
    ("What did I do last week?", "last week", "2026-06-08", "2026-06-15", "week"),
    ("what happened in May?", "in May", "2026-05-01", "2026-06-01", "month"),
    ("what did i do in may", "in may", "2026-05-01", "2026-06-01", "month"),
    ("what did I do on 3 March", "on 3 March", "2026-03-03", "2026-03-04", "day"),
    ("where did I live as of last year?", "last year", "2025-01-01", "2026-01-01", "year"),
    ("what have I told you in the last 3 days?", "in the last 3 days", "2026-06-14", "2026-06-18",
     "day"),
    ("what is on this weekend?", "this weekend", "2026-06-20", "2026-06-22", "day"),
    ("what did we decide in early June", "in early June", "2026-06-01", "2026-07-01", "month"),
    ("what was my job in 2019?", "in 2019", "2019-01-01", "2020-01-01", "year"),
    ("which trips did I make in summer 2025?", "summer 2025", "2025-06-01", "2025-09-01", "month"),
    ("who did I meet between 3 and 5 March 2026?", "3 and 5 March 2026", "2026-03-03",
     "2026-03-06", "day"),
    ("what did I do from March to May?", "from March to May", "2026-03-01", "2026-06-01", "month"),
    ("what did I listen to in the 1990s?", "the 1990s", "1990-01-01", "2000-01-01", "year"),
    ("what did I do on Tuesday last week?", "on Tuesday last week", "2026-06-09", "2026-06-10",
     "day"),
    ("who came last week on Tuesday?", "last week on Tuesday", "2026-06-09", "2026-06-10", "day"),
    ("what did I pay on 12.06.2026?", "12.06.2026", "2026-06-12", "2026-06-13", "day"),
    ("which bills came in 05/2026?", "05/2026", "2026-05-01", "2026-06-01", "month"),
    ("where was I the week of 3 March 2026?", "the week of 3 March 2026", "2026-03-02",
     "2026-03-09", "week"),
    ("what did I do in May last year?", "May last year", "2025-05-01", "2025-06-01", "month"),
    ("what did I do between March and May?", "between March and May", "2026-03-01", "2026-06-01",
     "month"),
    ("what is on a week from today?", "a week from today", "2026-06-24", "2026-06-25", "day"),
    ("what is planned for the week after next?", "the week after next", "2026-06-29", "2026-07-06",
     "week"),
)  # fmt: skip
