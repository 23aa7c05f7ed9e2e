"""Looking after people: what the host forbids somebody, and who was refused how often."""
