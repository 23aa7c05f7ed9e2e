"""The coach on the server: reviews of finished games and hints at live tables, worked out in child processes."""
