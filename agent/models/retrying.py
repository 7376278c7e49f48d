"""Which failed calls of a model are made again, and that nobody waits for long for it."""

from __future__ import annotations

from agents import RetryPolicy, RetryPolicyContext, retry_policies

RETRIED_STATUSES = (408, 409, 429, 500, 502, 503, 504)
# A server may say how long it wants to be left alone (Retry-After), which the SDK keeps to however
# long it is: an hour of a spent quota would be an hour without an answer.
LONGEST_PAUSE_SECONDS = 10.0


def retry_soon() -> RetryPolicy:
    """Again where the network failed or the status passes by itself, unless the server asks for a
    longer pause than somebody would wait: then the call has failed."""
    return retry_policies.all(
        _is_soon,
        retry_policies.any(
            retry_policies.network_error(), retry_policies.http_status(RETRIED_STATUSES)
        ),
    )


def _is_soon(context: RetryPolicyContext) -> bool:
    asked = context.normalized.retry_after
    return asked is None or asked <= LONGEST_PAUSE_SECONDS
