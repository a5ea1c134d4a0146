"""How smooth the window is: time per picture, time to the first one, and a long session of random input.

Software rendering under an Xvfb of its own, 1280 × 800. A picture's time is all of it: events, physics, drawing, and
the wait until the picture is there. The long session presses random keys and drags random things for five minutes.
"""

from __future__ import annotations

import os
import random
import resource
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.window.sandbox_keys import BINDINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.window.game_session import GameSession

TITLE: Final = "Frames: how smooth the window is, software-rendered at 1280 × 800"
SIZE: Final = (1280, 800)
SCENE: Final = "all-at-once"
SEED: Final = 1
LONG: Final = 300.0
"""Length of the long session, s."""

_QUICK: Final = 10.0
_OUT: Final = frozenset({"quit", "fullscreen", "save", "save_path", "load"})
"""Commands that the random session leaves out: they end it, or ask for names of files."""


def measure(*, quick: bool) -> dict[str, object]:
    """Milliseconds per picture in each situation, seconds to the first picture, and memory over the long session."""
    program = shutil.which("Xvfb")
    if program is None or find_spec("arcade") is None:
        return {"skipped": "needs Xvfb (apt-get install xvfb) and arcade (pip install '.[viewer]')"}
    words = [program, "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            if server.stdout is None or not select.select([server.stdout], [], [], 30.0)[0]:
                return {"skipped": "Xvfb did not start"}
            os.environ["DISPLAY"] = f":{server.stdout.readline().strip()}"
            first = _first_picture()
            return {"first_picture_s": first, "load": round(os.getloadavg()[0], 1), **_measured(quick=quick)}
        finally:
            server.terminate()


def lines(result: dict[str, Any]) -> list[str]:
    """The result in words."""
    if "skipped" in result:
        return [f"left out: {result['skipped']}"]
    found = [f"from command to first picture: {result['first_picture_s']:.2f} s, at a load of {result['load']}"]
    for name, (median, late) in result["pictures_ms"].items():
        found.append(f"{name}: median {median:.1f} ms, 99th percentile {late:.1f} ms")
    long = result["long_session"]
    found.append(
        f"{long['seconds']:.0f} s of random input: {long['inputs']} inputs, {long['pictures']} pictures, no exception; "
        f"memory {long['memory_mb'][0]:.0f} MB after a tenth, {long['memory_mb'][-1]:.0f} MB at the end"
    )
    return found


def wild_inputs(view: Any, dice: random.Random, frames: Callable[[int], None]) -> None:  # noqa: ANN401 - arcade's
    """One random input: a command, or a drag from anywhere to anywhere; `frames` lets pictures pass."""
    if dice.random() < 0.65:
        view.run(dice.choice([b.command for b in BINDINGS if b.command not in _OUT]))
        if dice.random() < 0.5:
            view.on_key_release(0, 0)
    else:
        view.run("let_go")
        places = [(dice.uniform(-210, 210), dice.uniform(-235, 235)) for _ in range(4)]
        points = [view.frame.to_pixels(place) for place in places]
        view.on_mouse_press(*points[0], 1, dice.choice([0, 1]))
        for point in points[1:]:
            view.on_mouse_drag(*point, 0, 0, 1, 0)
            frames(dice.randint(1, 3))
        view.on_mouse_release(*points[-1], 1, 0)
    frames(dice.randint(1, 4))


def memory_mb() -> float:
    """Resident memory of this process, MB; zero where the system does not tell."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0.0
    return int(statm.read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 2**20


def _first_picture() -> float:
    """From command to first picture, s: the best of three, since the machine does other things too."""
    found = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "twin", "view", "start", "--frames", "1"], check=True)
        found.append(time.perf_counter() - start)
    return min(found)


def _game(folder: Path) -> GameSession:
    """A game of four people, about to begin, which is kept in a folder."""
    from twin.board.machine import load_machine
    from twin.game.bots import NAMES
    from twin.game.positions import Options, new_game
    from twin.outcome.engine import PYMUNK
    from twin.play.catalogue import load_catalogue
    from twin.play.keeper import Keeper
    from twin.play.session import Session, parse_seats
    from twin.window.bot_seat import Company, HereThinker
    from twin.window.filmed_board import ShowTable
    from twin.window.game_session import GameSession
    from twin.writing import Hold

    machine, seats = load_machine(), parse_seats("red,yellow,green,blue", NAMES)
    play = Session(new_game(machine, Options(seats.colours, seed=SEED)), casual=False)
    thinker = HereThinker(Company(seats, machine, PYMUNK, SEED, 0.005))
    catalogue = load_catalogue("en")
    keeper = Keeper(seats, machine, PYMUNK, catalogue, Hold(folder / "game.jsonl"))
    return GameSession(play, seats, ShowTable(machine), catalogue, thinker, keeper)


def _measured(*, quick: bool) -> dict[str, object]:
    from twin.board.scene import load_scene
    from twin.reports.sentences import outcome_sentences
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.arcade_window import FRAME, make_window
    from twin.window.screen.play_view import PlayView
    from twin.window.screen.sandbox_view import SandboxView

    window = make_window(SIZE)
    session = SandboxSession(load_scene(SCENE), outcome_sentences)
    view: SandboxView | PlayView = SandboxView(session, window)
    window.show_view(view)
    spent: list[float] = []

    def frames(count: int) -> None:
        for _ in range(count):
            start = time.perf_counter()
            window.switch_to()
            window.dispatch_events()
            view.on_update(FRAME)
            view.on_draw()
            window.flip()
            spent.append(1000 * (time.perf_counter() - start))

    def during(commands: tuple[str, ...], count: int) -> tuple[float, float]:
        frames(5)
        for command in commands:
            view.run(command)
        spent.clear()
        frames(count)
        return statistics.median(spent), sorted(spent)[int(0.99 * len(spent))]

    count = 60 if quick else 120
    pictures = {
        "at rest": during((), count),
        "a turn with trails and forces": during(("forces", "turn_cw"), count),
        "a turn by hand": during(("hold_cw",), count),
    }
    view.run("let_go")
    frames(count)  # the board comes to rest
    pictures["a forecast in the background"] = during(("forecast",), count)
    dice, inputs = random.Random(SEED), 0
    memory: list[float] = []
    length = _QUICK if quick else LONG
    spent.clear()
    start = time.monotonic()
    while (passed := time.monotonic() - start) < length:
        wild_inputs(view, dice, frames)
        inputs += 1
        if passed > (len(memory) + 1) * length / 10:
            memory.append(memory_mb())
    long = {"seconds": passed, "inputs": inputs, "pictures": len(spent), "memory_mb": [*memory, memory_mb()]}
    session.close()
    with tempfile.TemporaryDirectory() as folder:
        game = _game(Path(folder))
        view = PlayView(game, window)
        window.show_view(view)
        pictures["a game, turning, four ghosts"] = during(("turn_cw",), count)
        game.close()
    window.close()
    return {"pictures_ms": pictures, "long_session": long}
