"""The HTTP server under REST, the web and MCP: one application, its limits and its errors."""
