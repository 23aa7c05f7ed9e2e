"""What the pyramid tells a player before they act: why not, how far, what comes. Read from a view, drawn by nobody."""
