"""Pictures without a window: every kind of file, the same bytes each time, and pixels that say what the trace says."""

from __future__ import annotations

import json
import math
import os
import sys

import pytest
from PIL import Image

from tests.children import run
from tests.setups import MACHINE, SLIDERS
from twin.board.moves import Turn, parse_move
from twin.board.scene import load_scene, scene_names
from twin.board.state import State, magnets
from twin.cli import main
from twin.drawing import animation
from twin.drawing.artwork import Artwork
from twin.drawing.frame import fitted
from twin.drawing.garment_picture import SHAPES
from twin.drawing.palette import FORCE_FRICTION, GHOSTS, NIGHT
from twin.drawing.pose import Layers, Notes, pose_of
from twin.drawing.scene_picture import Stamp, arrow_length, corner_places, stamps
from twin.drawing.scene_render import Camera, room_of, timeline_of
from twin.errors import MissingExtraError
from twin.outcome.engine import Twin
from twin.physics.hand import NOMINAL

SIZE = (600, 600)


def near(colour, wanted, tolerance=45):
    return max(abs(a - b) for a, b in zip(colour[:3], wanted[:3], strict=True)) <= tolerance


def rim(ghost, machine=MACHINE):
    """A place on a ghost's foot that shows nothing but its colour: on the side away from its notch."""
    side = 1.0 if math.sin(ghost.spin) > 0 else -1.0
    return ghost.x + side * 0.78 * machine.radius, ghost.y


def pixel(camera, picture, place):
    x, y = camera.frame.to_pixels(place)
    return picture.getpixel((round(x), picture.height - 1 - round(y)))


@pytest.mark.parametrize("orientation", range(4))
@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_a_held_ghost_is_drawn_where_the_trace_says(orientation, direction):
    """Rule D2 in pixels: the board turns under a held ghost, in each orientation and at every instant."""
    magnet = magnets(State.of(0, {"red": (0.0, 80.0)}, SLIDERS), MACHINE)[1]
    state = State.of(orientation, {"red": (magnet.x, magnet.y), "blue": (120.0, 120.0)}, SLIDERS)
    outcome = Twin(MACHINE).act(state, Turn(direction), sensitivity=False)
    assert outcome.ghost("red").fate == "held"
    timeline, camera, trace = timeline_of(outcome, NOMINAL), Camera(MACHINE, SIZE), outcome.trace
    assert trace is not None
    for time in (0.0, 0.3, 0.6, 0.9, timeline.end):
        pose = timeline.pose(time)
        frame = int(abs(trace.times - time).argmin())
        there = trace.poses[frame, trace.ghosts.index("red"), :2].tolist()
        assert math.dist(there, (pose.ghosts["red"].x, pose.ghosts["red"].y)) < 0.2
        picture = camera.picture(pose, Layers(trails=False, badges=False))
        for colour in ("red", "blue"):
            assert near(pixel(camera, picture, rim(pose.ghosts[colour])), GHOSTS[colour]), (time, colour)
        # The board's own red corner has turned with it: its tip is where the board's angle puts it.
        reach, angle = 132.0 * math.sqrt(2), pose.board - 3 * math.pi / 4
        tip = (reach * math.cos(angle), reach * math.sin(angle))
        assert near(pixel(camera, picture, tip), GHOSTS["red"], 90), time


@pytest.mark.parametrize("orientation", range(4))
def test_a_board_at_rest_lies_as_its_orientation_says(orientation):
    state = State.of(orientation, {"green": (0.0, 40.0)}, SLIDERS)
    camera = Camera(MACHINE, SIZE)
    picture = camera.picture(pose_of(state, MACHINE))
    corners = [(-1, -1), (-1, 1), (1, 1), (1, -1)]  # red, yellow, green, blue at orientation 0, then clockwise
    for number, colour in enumerate(("red", "yellow", "green", "blue")):
        x, y = corners[(number + orientation) % 4]
        assert near(pixel(camera, picture, (x * 133.0, y * 133.0)), GHOSTS[colour], 70), colour


def test_a_slider_sticks_out_as_far_as_it_is_pushed():
    scene = load_scene("start")
    outcome = Twin(scene.machine).act(scene.state, parse_move("push A north"), sensitivity=False)
    timeline, camera = timeline_of(outcome, NOMINAL), Camera(scene.machine, SIZE)
    x = scene.machine.tunnels[0] + 8
    ends = [camera.picture(timeline.pose(time)) for time in (0.0, timeline.duration)]
    assert near(pixel(camera, ends[0], (x, 172.0)), NIGHT)
    assert not near(pixel(camera, ends[1], (x, 172.0)), NIGHT)
    assert timeline.pose(0.3).sliders[0][2] == pytest.approx(20.0, abs=0.5)


def test_what_is_hidden_shows_on_demand():
    scene = load_scene("start")
    camera, pose = Camera(scene.machine, SIZE), pose_of(scene.state, scene.machine)
    magnet = magnets(scene.state, scene.machine)[0]
    covered, seen = (
        pixel(camera, camera.picture(pose, Layers(hidden=hidden)), (magnet.x + 4, magnet.y + 3))
        for hidden in (False, True)
    )
    assert covered != seen


def test_forces_are_shown_on_demand_and_balance():
    """A ghost that a magnet holds against the turning board: on average pull and friction are equal and opposite."""
    scene = load_scene("held")
    outcome = Twin(scene.machine).act(scene.state, Turn("cw"), sensitivity=False)
    timeline = timeline_of(outcome, NOMINAL)
    held = next(colour for colour, ghost in outcome.ghosts if ghost.fate == "held")
    forces = [timeline.pose(0.3 + 0.01 * k).forces[held] for k in range(60)]
    for axis in (0, 1):
        pull, friction = (sum(getattr(f, kind)[axis] for f in forces) / 60 for kind in ("magnet", "friction"))
        assert abs(pull) > 50_000  # µN
        assert friction == pytest.approx(-pull, rel=0.1)
    kinds = {stamp.key[0] for stamp in stamps(timeline.pose(0.6), scene.machine, Layers(forces=True), Notes())}
    assert {"shaft", "head"} <= kinds


def test_a_riding_ghost_shows_the_friction_that_makes_it_ride():
    """Ten millinewtons are much less than a magnet's pull; their arrow is shorter, and there all the same."""
    scene = load_scene("start")
    outcome = Twin(scene.machine).act(scene.state, Turn("cw"), sensitivity=False)
    pose = timeline_of(outcome, NOMINAL).pose(0.6)
    for colour, forces in pose.forces.items():
        assert 5_000 < math.hypot(*forces.friction) < 30_000, colour  # µN
    arrows = [
        s for s in stamps(pose, scene.machine, Layers(forces=True), Notes()) if s.key == ("shaft", FORCE_FRICTION)
    ]
    assert len(arrows) == 4
    assert arrow_length(0.3) > 3 * arrow_length(0.02)


@pytest.mark.parametrize("words", ["turn cw", "push A north", "push C south", "drag red north", None])
def test_pictures_leave_out_no_part_of_a_move_and_little_else(words):
    scene = load_scene("all-at-once")
    timeline = None
    if words is not None:
        outcome = Twin(scene.machine).act(scene.state, parse_move(words), sensitivity=False)
        timeline = timeline_of(outcome, NOMINAL)
    camera = Camera(scene.machine, SIZE, room_of(scene, timeline))
    times = [0.0] if timeline is None else [k * timeline.duration / 20 for k in range(21)]
    extent = 0.0
    for time in times:
        pose = pose_of(scene.state, scene.machine) if timeline is None else timeline.pose(time)
        tabs = [(x, y + side * 155.0) for _, x, y in pose.sliders for side in (-1, 1)]
        for place in (*corner_places(pose, scene.machine), *tabs):
            x, y = camera.frame.to_pixels(place)
            assert 0 < x < SIZE[0]
            assert 0 < y < SIZE[1]
            extent = max(extent, abs(x - SIZE[0] / 2), abs(y - SIZE[1] / 2))
    assert extent > 0.42 * SIZE[0]


def test_every_scene_and_every_garment_can_be_drawn():
    artwork = Artwork(MACHINE, 0.5)
    for name in scene_names():
        scene = load_scene(name)
        for stamp in stamps(pose_of(scene.state, scene.machine), scene.machine, Layers(handles=True), Notes()):
            if scene.machine == MACHINE:
                assert artwork.picture(stamp.key).width > 0
    assert {garment.name for garment in MACHINE.castle.garments.values()} <= SHAPES.keys()


def test_pasting_is_exact_for_quarter_turns_and_smooth_between():
    camera = Camera(MACHINE, SIZE)
    pose = pose_of(State.of(0, {"red": (0.0, 40.0)}, SLIDERS), MACHINE)
    assert camera.picture(pose).tobytes() == camera.picture(pose).tobytes()
    assert fitted(0, 0, *SIZE).to_place(fitted(0, 0, *SIZE).to_pixels((3.0, -7.0))) == pytest.approx((3.0, -7.0))
    assert Stamp(("board",), 0.0, 0.0).alpha == 255


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "frames"),
    [
        (["start", "--out", "a.png"], 1),
        (["start", "turn cw", "--out", "a.png", "--frame", "0.6"], 1),
        (["start", "turn cw", "--out", "a.png", "--frame", "99"], 1),
        (["start", "turn cw", "--out", "a.gif"], 30),
        (["start", "push B south", "--out", "a.webp"], 12),
        (["start", "turn cw", "--out", "a.gif", "--frame", "0.5"], 1),
        (["start", "--out", "a.webp"], 1),
    ],
)
def test_render_writes_the_kind_of_file_that_is_asked_for(tmp_path, monkeypatch, words, frames):
    monkeypatch.chdir(tmp_path)
    for size, wanted in (("96×80", (96, 80)), ("80x96", (80, 96))):
        assert main(["render", *words, "--size", size, "--overwrite"]) == 0
        path = tmp_path / words[words.index("--out") + 1]
        with Image.open(path) as picture:
            assert picture.size == wanted
            assert picture.format == path.suffix[1:].upper()
            assert getattr(picture, "n_frames", 1) >= frames
    first = path.read_bytes()
    assert main(["render", *words, "--size", "80x96", "--overwrite"]) == 0
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_frame_shows_that_instant(tmp_path):
    pictures = []
    for time in ("0", "0.6", "2"):
        path = tmp_path / f"{time}.png"
        assert main(["render", "start", "turn cw", "--out", str(path), "--frame", time, "--size", "200x200"]) == 0
        with Image.open(path) as picture:
            pictures.append(picture.tobytes())
    assert len(set(pictures)) == 3


@pytest.mark.parametrize(
    "words",
    [
        ["start", "--out", "a.bmp"],
        ["start", "--out", "nowhere/a.png"],
        ["start", "--out", "."],
        ["start", "hop", "--out", "a.png"],
        ["no-such-scene", "--out", "a.png"],
        ["start", "--out", "a.png", "--size", "9x9"],
        ["start", "--out", "a.png", "--size", "big"],
        ["start", "turn cw", "--out", "a.png", "--frame", "-1"],
        ["start", "turn cw", "--out", "a.png", "--frame", "nan"],
        ["start"],
    ],
)
def test_render_refuses_what_it_cannot_do(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    assert main(["render", *words]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_barred_move_is_drawn_and_named(tmp_path, capsys):
    path = tmp_path / "barred.png"
    assert main(["render", "drag-barred", "drag red north", "--out", str(path), "--size", "100x100"]) == 3
    assert "A5" in capsys.readouterr().err
    assert main(["render", "start", "drag red west", "--out", str(path), "--size", "100x100", "--overwrite"]) == 3
    assert "A1" in capsys.readouterr().err
    assert path.is_file()


def test_mp4_needs_an_encoder_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(animation, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match=r"\.gif or \.webp instead"):
        animation.encoder()
    assert main(["render", "start", "turn cw", "--out", str(tmp_path / "a.mp4")]) == 2
    assert "ffmpeg" in capsys.readouterr().err


def test_mp4_is_written_where_there_is_an_encoder(tmp_path):
    try:
        animation.encoder()
    except MissingExtraError as error:
        pytest.skip(str(error))
    path = tmp_path / "a.mp4"
    assert main(["render", "start", "turn cw", "--out", str(path), "--size", "101x99"]) == 0
    assert path.read_bytes()[4:8] == b"ftyp"


def test_render_needs_neither_arcade_nor_a_display(tmp_path):
    """The headless alternative works where the window does not: without arcade, OpenGL or a display."""
    path = tmp_path / "a.png"
    code = (
        "import sys; sys.modules['arcade'] = sys.modules['pyglet'] = None\n"
        f"from twin.cli import main; code = main(['render', 'start', 'turn cw', '--out', {str(path)!r}])\n"
        "import json; print(json.dumps([code, 'matplotlib' in sys.modules]))"
    )
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    ended = run([sys.executable, "-c", code], env=environment)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout.splitlines()[-1]) == [0, False]
    assert path.is_file()
