"""Connections: sockets, and the protocols of the web server that they stand on."""
