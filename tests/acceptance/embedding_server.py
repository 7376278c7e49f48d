"""An OpenAI-compatible embeddings server that a test can silence, behind the real client."""

from __future__ import annotations

import hashlib
import json

import httpx2
import numpy as np
from pydantic import SecretStr

from memory.cache import Cache
from memory.config import LOCAL_DIMENSIONS, OPENAI_EMBEDDING_MODEL, Settings
from memory.embeddings.factory import make_embedder
from memory.embeddings.protocol import Embedder
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel

KEY = "sk-of-the-acceptance-tests"


class EmbeddingServer:
    """Gives each text a vector of its words, and keeps what it was asked."""

    def __init__(self, dimensions: int = LOCAL_DIMENSIONS) -> None:
        self.dimensions = dimensions
        self.requests: list[dict[str, object]] = []
        self.texts: list[str] = []
        self.silent = False

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if self.silent:
            raise httpx2.ReadTimeout("no answer")
        body = json.loads(request.content)
        self.requests.append(body)
        self.texts += body["input"]
        entries = [
            {"object": "embedding", "index": index, "embedding": self._vector(text)}
            for index, text in enumerate(body["input"])
        ]
        return httpx2.Response(200, json={"object": "list", "model": "m", "data": entries})

    def embedder(self, settings: Settings, cache: Cache, counter: TokenCounter) -> Embedder:
        """The product's embedder for OpenAI's model, with this server in place of the network."""
        keyed = settings.model_copy(update={"openai_api_key": SecretStr(KEY)})
        model = EmbeddingModel(OPENAI_EMBEDDING_MODEL, self.dimensions)
        return make_embedder(model, keyed, cache, counter, httpx2.MockTransport(self))

    def _vector(self, text: str) -> list[float]:
        vector = np.full(self.dimensions, 1e-3)
        for word in text.lower().split():
            digest = hashlib.sha256(word.strip("?.,!").encode("utf-8", "ignore")).digest()
            vector[int.from_bytes(digest[:4]) % self.dimensions] += 1.0
        return [float(number) for number in vector]
