"""What other programs use: `/v1`, described by `/openapi.json`."""
