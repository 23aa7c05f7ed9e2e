"""Endpoints: REST, the table sockets, the page's files, and the checks around every request."""
