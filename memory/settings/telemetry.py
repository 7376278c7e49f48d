"""The settings of metrics and traces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from memory.prices import Price, read_prices

# The last part has a letter: one of digits alone is an address that is wrong.
_HOST_NAME = re.compile(r"(?=.{1,253}$)([\w-]{1,63}\.)*(?=[^.]*[a-zA-Z])[\w-]{1,63}", re.ASCII)


class TelemetrySettings(BaseSettings):
    """See `.env.example` for each."""

    metrics_host: str = "127.0.0.1"
    serve_metrics_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    worker_metrics_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    model_prices: str = "gpt-5-mini=0.25/2,text-embedding-3-small=0.02"
    otel_exporter_otlp_endpoint: str | None = None
    mlflow_tracing: bool = False

    @field_validator("metrics_host")
    @classmethod
    def _is_an_address(cls, host: str) -> str:
        if not _is_ip_address(host) and _HOST_NAME.fullmatch(host) is None:
            raise ValueError(
                "must be an address of this machine without a port: 127.0.0.1 for this machine "
                "alone, 0.0.0.0 for everybody who reaches it"
            )
        return host

    @field_validator("model_prices")
    @classmethod
    def _readable(cls, text: str) -> str:
        read_prices(text)
        return text

    @field_validator("otel_exporter_otlp_endpoint")
    @classmethod
    def _is_a_url(cls, url: str | None) -> str | None:
        if url is not None and urlsplit(url).scheme not in {"http", "https"}:
            raise ValueError("must begin with http:// or https://")
        return url

    @property
    def prices(self) -> Mapping[str, Price]:
        """By the name of the model, in dollars for a million tokens."""
        return read_prices(self.model_prices)


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
