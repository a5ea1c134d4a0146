"""What commands do to a session: the verbs behind the keys and the buttons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from twin.board.grid import DIRECTIONS, PLUG_SPACE, neighbour
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import home_space
from twin.errors import TwinError
from twin.physics.measured import MeasuredTurn, turn_csv
from twin.window.prompt import Prompt
from twin.window.saving import Saving, SavingWords
from twin.writing import is_taken, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.board.moves import DragDirection, Move, PushDirection
    from twin.window.prompt import Asked
    from twin.window.sandbox_session import SandboxSession

NUDGE: Final = 2.0
"""How far one press of a key places a ghost freely, mm."""

CHOOSE: Final = "↑ ↓ and Enter, or click · Esc leaves it"
LOAD: Final = f"type, or {CHOOSE}"

LAYERS: Final = ("hidden", "forces", "trails", "badges", "outlines")


def carry_out(session: SandboxSession, command: str) -> None:
    """Carry out a command of the key table; those of the window itself are the view's, and nothing here."""
    match command.split("_"):
        case ["turn", way]:
            session.make(Turn("cw" if way == "cw" else "ccw"))
        case [("north" | "south" | "east" | "west") as direction]:
            _arrow(session, direction)
        case ["free", direction]:
            _free(session, direction)
        case ["hop", direction]:
            _hop(session, direction)
        case ["select", number] if number.isdigit():
            _select(session, int(number) - 1)
        case ["select", way]:
            names = _names(session)
            here = names.index(session.selected) if session.selected in names else None
            step = 1 if way == "next" else -1
            _select(session, (-1 if step > 0 else 0) + step if here is None else here + step, wrap=True)
        case [layer] if layer in LAYERS:
            session.layers = replace(session.layers, **{layer: not getattr(session.layers, layer)})
        case _:
            _other(session, command)


def ask(session: SandboxSession, command: str) -> Asked | None:
    """What a command asks before it does anything: a name, to save under or to load; None if there is nothing to ask.

    Report what fails, and ask again with what was typed.
    """
    if command == "load":
        return _ask_scene(session)
    if command == "save_path" and not isinstance(session.sandbox.moment.hand, MeasuredTurn):
        save_path(session, "")
        return None
    save, title, ending = {
        "save": (save_scene, "Save as a scene:", ".toml"),
        "save_path": (save_path, "Save the path of the turn by hand:", ".csv"),
    }[command]
    words = SavingWords(
        title,
        "Enter saves · Esc leaves it",
        lambda name: f"There is a file {name} already. Overwrite it?",
        "choose another name",
        "overwrite it",
        CHOOSE,
    )

    def may_write(name: str) -> bool:
        path = Path(name)
        refused = command == "save" and path.suffix != ending  # it will be told without a question
        return refused or path in session.written or not is_taken(path)

    def write(name: str) -> str:
        return "" if save(session, name) else " ".join(session.message)

    return Saving(words, may_write, write).ask(f"{session.sandbox.scene.name.rpartition('/')[2]}-1{ending}")


def save_scene(session: SandboxSession, name: str) -> bool:
    """Save the position as a scene; False, and a sentence, if that cannot be."""
    return _save(session, lambda: session.sandbox.save(Path(name)), name, f"Saved as {name}.")


def save_path(session: SandboxSession, name: str) -> bool:
    """Save the path of the last turn by hand; False, and a sentence, if that cannot be."""
    hand = session.sandbox.moment.hand
    if isinstance(hand, MeasuredTurn):
        return _save(session, lambda: write_whole(Path(name), turn_csv(hand)), name, f"Saved the path as {name}.")
    session.say("The last move was no turn by hand: there is no path to save.", wrong=True)
    return False


def load_scene(session: SandboxSession, name: str) -> bool:
    """Load another scene, by name or path; False, and a sentence, if that cannot be."""
    if not _try(session, lambda: session.sandbox.load(name), ""):
        return False
    session.selected = None
    session.changed()
    session.say(f"Loaded: {session.sandbox.scene.title}.")
    return True


def _ask_scene(session: SandboxSession, text: str = "", problem: str = "") -> Prompt:
    def load(name: str) -> Prompt | None:
        return None if load_scene(session, name) else _ask_scene(session, name, " ".join(session.message))

    return Prompt("Load a scene: a name, or a path", text, load, hint=LOAD, problem=problem, scenes=True)


def _save(session: SandboxSession, action: Callable[[], None], name: str, done: str) -> bool:
    saved = _try(session, action, done)
    if saved:
        session.written.add(Path(name))
    return saved


def _other(session: SandboxSession, command: str) -> None:
    verbs: dict[str, Callable[[SandboxSession], None]] = {
        "undo": _undo,
        "redo": _redo,
        "reset": _reset,
        "random": _random,
        "next_choice": _next_choice,
        "take_choice": _take_choice,
        "forecast": _next_forecast,
        "let_go": _let_go,
    }
    if command in verbs:
        verbs[command](session)
    elif session.playback is not None and session.live is None:
        session.playback.do(command)


def _undo(session: SandboxSession) -> None:
    if session.sandbox.undo():
        session.changed()
    else:
        session.say("There is nothing to undo.")


def _redo(session: SandboxSession) -> None:
    if session.sandbox.redo():
        session.changed()
    else:
        session.say("There is nothing to redo.")


def _reset(session: SandboxSession) -> None:
    session.sandbox.reset()
    session.changed()


def _random(session: SandboxSession) -> None:
    session.sandbox.randomise()
    session.changed()


def _next_choice(session: SandboxSession) -> None:
    session.choice += 1


def _take_choice(session: SandboxSession) -> None:
    if session.sandbox.moment.is_open:
        session.sandbox.take_placement(session.choice)
        session.placed()


def _let_go(session: SandboxSession) -> None:
    """Let the board go, or let go of everything that is selected or forecast."""
    if session.live is not None:
        session.live.release()
    else:
        session.selected = None
        session.forget_forecast()


def _names(session: SandboxSession) -> list[str]:
    """Everything that can be selected: ghosts, then sliders."""
    state = session.sandbox.state
    return [*state.colours, *(slider.name for slider in state.sliders)]


def _select(session: SandboxSession, index: int, *, wrap: bool = False) -> None:
    names = _names(session)
    if wrap:
        index %= len(names)
    # Numbers 1 to 4 are always the ghosts, 5 and more the sliders, even if fewer ghosts are there.
    elif index >= 4:
        index = index - 4 + len(session.sandbox.state.colours)
    session.selected = names[index] if 0 <= index < len(names) else None


def _arrow(session: SandboxSession, direction: str) -> None:
    """An arrow key: drag the selected ghost, push or move the selected slider, or turn the board."""
    chosen = session.selected
    if chosen is None:
        if direction in {"east", "west"}:
            session.make(Turn("cw" if direction == "east" else "ccw"))
    elif chosen in session.sandbox.state.colours:
        session.make(Drag(chosen, cast("DragDirection", direction)))
    elif direction in {"north", "south"}:
        session.make(Push(chosen, cast("PushDirection", direction)))
    else:
        _relocate(session, chosen, direction, flip=False)


def _relocate(session: SandboxSession, name: str, direction: str, *, flip: bool) -> None:
    """Move a slider to the next free tunnel on that side, keeping its offset."""
    state = session.sandbox.state
    slider = state.slider(name)
    taken = {s.tunnel for s in state.sliders}
    step = 1 if direction == "east" else -1
    ways = range(slider.tunnel + step, len(session.machine.tunnels) + 1 if step > 0 else 0, step)
    free = next((tunnel for tunnel in ways if tunnel not in taken), None)
    if free is None:
        session.say(f"There is no free tunnel {direction} of {name}.", wrong=True)
    else:
        session.make(Relocate(name, free, slider.offset, flip))


def _free(session: SandboxSession, direction: str) -> None:
    chosen = session.selected
    if chosen in session.sandbox.state.colours and chosen is not None:
        x, y = session.sandbox.state.places[chosen]
        dx, dy = DIRECTIONS[direction]
        session.place_freely(chosen, (x + NUDGE * dx, y + NUDGE * dy))
    elif chosen is not None and direction in {"east", "west"}:
        _relocate(session, chosen, direction, flip=True)


def _hop(session: SandboxSession, direction: str) -> None:
    """Place the selected ghost on the next space, over the plug's if that is next."""
    chosen = session.selected
    state = session.sandbox.state
    if chosen is None or chosen not in state.colours:
        return
    there: str | None = home_space(state, chosen, session.machine)
    if there is not None:
        there = neighbour(there, direction, state.orientation)
    if there == PLUG_SPACE:
        there = neighbour(there, direction, state.orientation)
    if there is not None:
        session.changed(session.sandbox.place_on(chosen, there))


def _next_forecast(session: SandboxSession) -> None:
    """Forecast the first of the moves at hand, then the second, then none."""
    chosen = session.selected
    moves: list[Move] = [Turn("cw"), Turn("ccw")]
    if chosen is not None and chosen not in session.sandbox.state.colours:
        offset = session.sandbox.state.slider(chosen).offset
        pushes = [Push(chosen, "north"), Push(chosen, "south")]
        moves = [push for push in pushes if abs(offset + push.step) <= 2]
    if session.live is not None:
        return
    nexts = moves.index(session.forecasting) + 1 if session.forecasting in moves else 0
    if nexts < len(moves):
        session.ask_forecast(moves[nexts])
    else:
        session.forget_forecast()


def _try(session: SandboxSession, action: Callable[[], None], done: str) -> bool:
    try:
        action()
    except TwinError as error:
        session.say(f"{error}.", wrong=True)
        return False
    session.say(done)
    return True
