"""Das Gold des Pharao in words and pictures: notation, positions, terminal, sentences, SVG."""
