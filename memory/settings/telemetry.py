"""The settings of metrics and traces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from memory.prices import Price, read_prices


class TelemetrySettings(BaseSettings):
    """See `.env.example` for each."""

    metrics_host: str = "127.0.0.1"
    serve_metrics_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    worker_metrics_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    model_prices: str = "gpt-5-mini=0.25/2,text-embedding-3-small=0.02"
    otel_exporter_otlp_endpoint: str | None = None
    mlflow_tracing: bool = False

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
