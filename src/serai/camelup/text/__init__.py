"""Camel Up in words and pictures: notation, positions, terminal, sentences, SVG."""
