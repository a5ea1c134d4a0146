"""Seeing and touching the twin: pictures, animations and the window. Only `screen` in here imports arcade."""
