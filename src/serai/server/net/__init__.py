"""Connections: HTTP and WebSocket protocols with timeouts, size limits and limits per address."""
