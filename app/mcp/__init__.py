"""The memory as tools for other programs' models: MCP over HTTP at /mcp, and over stdio."""
