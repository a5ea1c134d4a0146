"""What is known without measurements: facts, and the region of machines that they leave."""
