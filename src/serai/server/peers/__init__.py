"""Several server processes at one database: leases, announcements, who is connected where."""
