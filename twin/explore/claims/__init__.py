"""Rules D3 to D5 put to the proof."""
