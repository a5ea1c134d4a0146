"""What needs OpenGL and a display: the only modules that import arcade. The rest of the viewer works anywhere."""
