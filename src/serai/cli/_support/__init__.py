"""What the commands share: files, what people choose, the terminal, a game at one keyboard."""
