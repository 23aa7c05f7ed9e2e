"""What the server answers to requests: REST, the page's files, and what every answer carries."""
