"""From text to unit vectors: a local model, an OpenAI-compatible server, and a cache in front."""
