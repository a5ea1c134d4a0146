"""The laws that both engines share (`twin.physics.laws`, `twin.board.grid`), compiled; see there what they say."""

from __future__ import annotations

from twin.board import grid
from twin.physics import laws
from twin.physics.kernel.compiled import compiled

table_cell = compiled(laws.table_cell)
along_cell = compiled(laws.along_cell)
bound_row = compiled(laws.bound_row)
share_cell = compiled(laws.share_cell)
sure_grip = compiled(laws.sure_grip)
edge_moment = compiled(laws.edge_moment)
tilted = compiled(laws.tilted)
averaged = compiled(laws.averaged)
tips = compiled(laws.tips)
first_line = compiled(laws.first_line)

cell_index = compiled(grid.cell_index)
to_floor = compiled(grid.to_floor)
distance_to_square = compiled(grid.distance_to_square)
edge_distance = compiled(grid.edge_distance)
