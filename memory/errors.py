"""What can go wrong, said once: the sentence of an error is its docstring, filled with its
fields."""

from __future__ import annotations

import inspect
import string
from collections.abc import Mapping


def fill_sentence(sentence: str, fields: Mapping[str, object]) -> str:
    """The sentence with its `{fields}`, and a number with its unit for `{field:seconds}`. Raises
    KeyError for a field that is not there."""
    return _SentenceFormatter().vformat(sentence, (), fields)


def format_seconds(count: object) -> str:
    """ "1 second", "2 seconds"."""
    return f"{count} second" if count == 1 else f"{count} seconds"


class _SentenceFormatter(string.Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec == "seconds":
            return format_seconds(value)
        return format(value, format_spec)


class KeepsakeError(Exception):
    """Something went wrong in Keepsake; run the command again, and look in the log if it stays."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        sentence = inspect.cleandoc(type(self).__doc__ or "").replace("\n", " ")
        super().__init__(fill_sentence(sentence, fields))


class InvalidInput(KeepsakeError):
    """{reason}"""


class InvalidSettings(KeepsakeError):
    """The settings are not usable: {reason}"""


class DatabaseUnavailable(KeepsakeError):
    """The database cannot be reached ({reason}); nothing was saved. Try again in a moment."""


class SchemaOutdated(KeepsakeError):
    """The database is not on this program's schema ({reason}). Run: python -m app migrate"""


class SchemaTooOld(KeepsakeError):
    """This database was made by an older version of Keepsake (its schema is {version:04}). Export
    each user's memories with the version that made it, name another KEEPSAKE_HOME or
    DATABASE_URL, and import them here."""


class MigrationChanged(KeepsakeError):
    """Migration {name} was changed after it was applied. Restore the file, and put the change
    into a migration with a new number."""


class MigrationFailed(KeepsakeError):
    """Migration {name} cannot be applied, and nothing of it was kept: {reason}. Mend that on the
    database server, and run: python -m app migrate"""


class RoleBypassesRowSecurity(KeepsakeError):
    """The database role {role} can read past row-level security, so Keepsake will not run as it.
    Make a role that is neither superuser nor BYPASSRLS, and name it in DATABASE_URL."""


class DimensionMismatch(KeepsakeError):
    """The database was made for {stored_model} with {stored} dimensions, the settings name
    {wanted_model} with {wanted}. To make all vectors anew for that model, run: python -m app
    reembed. To keep the old one, set EMBEDDING_MODEL and EMBEDDING_DIMENSIONS back."""


class EmbeddingOutdated(KeepsakeError):
    """The database has just been given the vectors of another embedding model, and this one was of
    the old model. Try again in a moment."""


class ReembeddingElsewhere(KeepsakeError):
    """Another program is making the vectors of this database anew at this moment. Let it end, or
    end it; what it made is kept, and the next run goes on from there."""


class NextModelUnusable(KeepsakeError):
    """No vector can be made with {model}: {reason}. Nothing was changed; look at OPENAI_API_KEY,
    OPENAI_BASE_URL, the name and the dimensions, and run the same command again."""


class ReembeddingStopped(KeepsakeError):
    """The new vectors are not all made: {reason}. What is made is kept, and recall works with the
    old ones; mend that and run the same command again."""


class BackupDamaged(KeepsakeError):
    """The file {file} is no whole backup: {reason}. Take another one, and make a new one soon."""


class RestoreRefused(KeepsakeError):
    """Nothing was restored: {reason}."""


class RestoreUnfinished(KeepsakeError):
    """The backup is restored whole, but not all that follows it is done: {reason} Mend that, and
    run the same command again with --replace."""


class SeesTooLittle(KeepsakeError):
    """This login does not see the rows of all users, so no backup was written. Name a superuser, or
    a login with BYPASSRLS, in BACKUP_DATABASE_URL."""


class UnfitRows(KeepsakeError):
    """The rows for {table} do not fit this program's tables ({reason})."""


class EmbeddingUnavailable(KeepsakeError):
    """The embedding model {model} gave no answer ({reason}); recall goes on with keywords alone."""


class EmbeddingRefused(EmbeddingUnavailable):
    """The embedding model {model} does not take what it was given ({reason}); that is found by its
    words alone."""


class ModelFileChanged(KeepsakeError):
    """The model file {name} is not the one that was published. Install the requirements again, in
    a new virtual environment."""


class CircuitOpen(KeepsakeError):
    """The {dependency} failed too often and is left alone for {seconds:seconds}; then it is tried
    again by itself."""


class MessagesGivenUp(KeepsakeError):
    """Nothing is learned from {count} of the messages: it was begun {tries} times for each, and the
    program died, stood still or was too late each time. Say it in other words to have it kept."""


class CacheUnavailable(KeepsakeError):
    """Redis cannot be reached ({reason}); everything works without it, a little slower."""


class ServiceStartFailed(KeepsakeError):
    """The embedded {service} did not start: {reason}. Its log is {log}."""


class ReplyFailed(KeepsakeError):
    """The model gave no whole answer ({reason}). Your message is saved; send it again to retry."""


class UnreadableAnswer(KeepsakeError):
    """The model's answer is no reading of the message: {reason}. What was read without the model
    stands."""


class MessageRefused(KeepsakeError):
    """The message was not taken: {reason}"""


class MemoryOff(KeepsakeError):
    """Memory is switched off or read-only in this space, so nothing new is kept. Say “turn memory
    on” to change that."""


class Incognito(KeepsakeError):
    """This conversation is incognito: nothing of it is read from memory or written to it. Say
    “end incognito” first."""


class RecentlyForgotten(KeepsakeError):
    """You asked me to forget {what} on {day}, so this is not kept before {until}. Say “remember
    it anyway” if you want it kept."""


class SecretRefused(KeepsakeError):
    """That holds a secret ({kind}), and secrets are never stored in memory. Keep it in a password
    manager, and tell me the rest without it."""


class NotFound(KeepsakeError):
    """There is no such memory (any more); the list of memories shows what there is."""


class CopiesRemain(KeepsakeError):
    """Nothing is forgotten yet: the cache does not answer, and may hold copies of what was said.
    Ask for it again in a moment."""


class ChangedMeanwhile(KeepsakeError):
    """It was changed since you looked at it, so nothing was done. Read it again, and decide
    then."""


class NotSignedIn(KeepsakeError):
    """Sign in first: the credential is missing, wrong, expired or revoked."""


class ProxyNamedNobody(NotSignedIn):
    """The proxy in front of Keepsake did not say who you are. Sign in there, and open this page
    again; if you have, whoever runs it has a setting to mend (PROXY_USER_HEADER,
    PROXY_ADDRESSES)."""


class KeyReused(KeepsakeError):
    """This Idempotency-Key came before with a different request. Give each request a key of its
    own."""


class StillUnderWay(KeepsakeError):
    """The request with this Idempotency-Key is still under way. Ask again in a moment."""


class TooManyRequests(KeepsakeError):
    """Too many requests in one minute. Wait {retry_after:seconds}, then try again."""


class NoSuchKey(KeepsakeError):
    """There is no such key of this user. To see those there are, run: python -m app keys list"""


class NoSignIn(KeepsakeError):
    """There is nothing to sign in to: with AUTH_MODE={mode} the server knows who asks without a
    credential."""


class CrossSite(KeepsakeError):
    """The browser says that another site sent this request, so it was not carried out. Open
    Keepsake's own page and do it there."""


class NotThisMachine(KeepsakeError):
    """With AUTH_MODE=local Keepsake answers to this machine alone, under the name localhost:
    {reason}. Open it there, or set AUTH_MODE to token, jwt or proxy."""


class SigningKeysUnavailable(KeepsakeError):
    """The keys that sign-ins are checked with cannot be had ({reason}). Try again in a moment; if
    it stays, look at JWT_JWKS_URL or JWT_JWKS_FILE."""


class TurnNotFound(NotFound):
    """There is no such turn (any more): its events are kept for a minute. The messages of the
    conversation hold what was said."""


class EpisodeNotFound(NotFound):
    """There is no such episode (any more); the list of episodes shows what there is."""


class EpisodeEnded(KeepsakeError):
    """This episode has ended, or is full: {most} actions of {kilobytes} kB together are the most
    that one holds. Begin another one."""


class EpisodesOff(KeepsakeError):
    """Episodes are not kept here. Whoever runs Keepsake can change that with EPISODES_ENABLED=true
    in its environment."""


class ConversationNotFound(NotFound):
    """There is no such conversation (any more). Leave the id out to begin a new one."""


class TurnUnderWay(KeepsakeError):
    """This conversation is being answered at this moment. Wait for the end of the answer, or stop
    it, then send the message again."""


class TooManyTurns(KeepsakeError):
    """As many as {most} answers are being made for you at this moment. Wait for one of them to
    end, {retry_after:seconds} at least, then try again."""


class TooBusy(KeepsakeError):
    """As many answers are being made as Keepsake can make at once. Wait {retry_after:seconds}, then
    try again."""


class BeingErased(KeepsakeError):
    """Everything of yours is being erased at this moment, so no answer is begun. Try again when
    that has ended."""


class NotTheLastTurn(KeepsakeError):
    """Only the last turn of a conversation can be taken back, and this is not the last one (any
    more). Reload the conversation, and try again."""


class ServerStopping(KeepsakeError):
    """Keepsake is being stopped, so it begins no new answer. Try again in a moment."""


class TooCrowded(KeepsakeError):
    """More connections are open than Keepsake can serve at once. Wait {retry_after:seconds}, then
    try again."""


class ServerEnded(KeepsakeError):
    """Keepsake's server ended although nobody stopped it. Start it again, and look in the log if
    that comes again."""


class BodyTooLarge(KeepsakeError):
    """The request's body is too large: {limit} bytes are taken at most."""


class BodyTooSlow(KeepsakeError):
    """The request's body did not come within {seconds:seconds}. Send it again."""


class NoRoom(KeepsakeError):
    """The disk of Keepsake's data folder is nearly full, so the file was not taken. Make room
    there, and send it again."""


class CannotListen(KeepsakeError):
    """Keepsake cannot listen at {address}: {reason}. End what is there, or name another port with
    --port."""
