"""Databases: tables' entries, devices, codes and reviews, in SQLite or PostgreSQL."""
