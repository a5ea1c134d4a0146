"""Outcomes for people and programs: JSON, pictures in the terminal, sentences, stories, recorded runs."""
