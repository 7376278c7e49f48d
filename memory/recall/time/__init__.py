"""Time in questions: which stretch of it is asked about, and which memories belong to it."""

from memory.recall.time.asked import TimeAsked, time_asked
from memory.recall.time.fitting import Fit, fit_of
from memory.recall.time.past import asks_about_past
from memory.recall.time.rest import asks_for_everything, without_time

__all__ = [
    "Fit",
    "TimeAsked",
    "asks_about_past",
    "asks_for_everything",
    "fit_of",
    "time_asked",
    "without_time",
]
