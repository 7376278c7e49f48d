"""What can go wrong in an evaluation, beside a bad figure."""

from __future__ import annotations

from memory.errors import KeepsakeError


class WrongUsage(KeepsakeError):
    """{reason} See: python -m eval --help"""


class DatasetUnreadable(KeepsakeError):
    """The data set {path} cannot be read: {reason}"""


class TrainingExtraMissing(KeepsakeError):
    """The models of kinds and of relations are fitted with {packages}, not all of which are
    installed. Run: pip install --constraint requirements.lock --editable '.[training]'"""


class ScratchDatabaseFailed(KeepsakeError):
    """No database could be made for the evaluation ({reason}). It runs in one of its own, so the
    login in DATABASE_URL or MIGRATION_DATABASE_URL has to be allowed to create databases."""


class VectorsMissing(KeepsakeError):
    """{count} texts of the data set got no vector, so the figures would mean nothing. Run it
    again when the machine is less busy or the embedding service answers."""


class RecallIncomplete(KeepsakeError):
    """The {legs} leg of a recall did not answer, so nothing was learned. Run it again when the
    machine is less busy or the embedding service answers."""


class NothingToTune(KeepsakeError):
    """Every case of the golden set is held back, and none of these may be tuned on. Name another
    golden set with --path."""


class ReportNotWritten(KeepsakeError):
    """The report {path} could not be written: {reason}"""


class ServerNotStarted(KeepsakeError):
    """The server that was to be measured did not start: {reason}"""
