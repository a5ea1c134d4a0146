"""Pictures and animations of scenes and moves, without a window, a display or OpenGL."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.board.moves import Relocate, Turn
from twin.drawing.animation import MOVING, RATES, write_moving, write_still
from twin.drawing.artwork import Artwork
from twin.drawing.frame import HEIGHT, WIDTH, fitted, room_for
from twin.drawing.paste import pasted
from twin.drawing.pose import Layers, Notes, pose_of
from twin.drawing.scene_picture import stamps
from twin.drawing.timeline import Timeline
from twin.outcome.engine import Twin

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PIL import Image

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.scene import Scene
    from twin.drawing.pose import Pose
    from twin.outcome.engine import Outcome
    from twin.physics.hand import Hand

STILL_SIZE: Final = (800, 800)
MOVING_SIZE: Final = (480, 480)
LAYERS: Final = Layers(forces=False)
HOLDS: Final = (0.6, 1.6)
"""How long the first and the last picture of an animation stand, s."""


class Camera:
    """Takes pictures of one machine at one size.

    >>> from twin import load_scene
    >>> scene = load_scene("start")
    >>> Camera(scene.machine, (200, 160)).picture(pose_of(scene.state, scene.machine)).size
    (200, 160)
    """

    def __init__(self, machine: Machine, size: tuple[int, int], room: tuple[float, float] = (WIDTH, HEIGHT)) -> None:
        """`room` is what must be seen, width and height in mm."""
        self.machine, self.size = machine, size
        self.frame = fitted(0, 0, *size, room)
        self.artwork = Artwork(machine, self.frame.scale)

    def picture(self, pose: Pose, layers: Layers = LAYERS, notes: Notes | None = None) -> Image.Image:
        """A picture of an instant."""
        return pasted(stamps(pose, self.machine, layers, notes or Notes()), self.artwork, self.frame, self.size)


def made(scene: Scene, move: Move, hand: Hand) -> Outcome:
    """The move, made once."""
    return Twin(scene.machine).act(scene.state, move, hand, sensitivity=False)


def timeline_of(outcome: Outcome, hand: Hand) -> Timeline:
    """The move over time, with the nearest placement in the end; a barred one is taken back."""
    return Timeline(outcome, hand, outcome.after() if outcome.legal else outcome.before)


def render(
    path: Path,
    scene: Scene,
    timeline: Timeline | None,
    *,
    size: tuple[int, int] | None = None,
    time: float | None = None,
    layers: Layers = LAYERS,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write a picture of a scene or, with a timeline, of a move: moving, or at one instant (s).

    A time beyond the end shows the end; a still picture without a time shows the end too.
    """
    moving = path.suffix.lower() in MOVING and timeline is not None and time is None
    camera = Camera(scene.machine, size or (MOVING_SIZE if moving else STILL_SIZE), room_of(scene, timeline))
    if timeline is not None and moving:
        rate = RATES[path.suffix.lower()]
        count = max(math.ceil(timeline.duration * rate), 1)
        pictures = []
        for k in range(count + 1):
            at = min(k / rate, timeline.duration)
            pictures.append(camera.picture(timeline.pose(at), layers, timeline.notes(at)))
            if progress is not None:
                progress(k + 1, count + 1)
        write_moving(path, pictures, HOLDS)
        return
    if timeline is None:
        picture = camera.picture(pose_of(scene.state, scene.machine), layers)
    else:
        at = timeline.duration if time is None else min(time, timeline.duration)
        picture = camera.picture(timeline.pose(at), layers, timeline.notes(at))
    if path.suffix.lower() in MOVING:
        write_moving(path, [picture], (0.0, 0.0))
    else:
        write_still(path, picture)


def room_of(scene: Scene, timeline: Timeline | None) -> tuple[float, float]:
    """What must be seen of a scene, or of a move from beginning to end, mm: the same at each of its instants."""
    offsets = [slider.offset for slider in scene.state.sliders]
    if timeline is None:
        return room_for(max(map(abs, offsets)), turning=False)
    move = timeline.outcome.move
    if isinstance(move, Relocate):
        return WIDTH, HEIGHT  # it is pulled out of its tunnel altogether
    offsets += [slider.offset for slider in timeline.outcome.sliders]
    return room_for(max(map(abs, offsets)), turning=isinstance(move, Turn))
