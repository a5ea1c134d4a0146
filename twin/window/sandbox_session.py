"""One person's session: sandbox, playback, turns by hand, choices, forecasts and messages.

It draws nothing and knows no window, so that a test can live a whole session without one. A view asks it what to show
and tells it what the person does; `twin.window.sandbox_commands` gives the verbs their keys.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from twin.board.grid import centre
from twin.drawing.pose import Forces, GhostPose, Layers, Notes, Pose, board_angle, pose_of
from twin.drawing.timeline import Timeline, beyond
from twin.errors import TwinError
from twin.physics.hand import NOMINAL
from twin.window.background_forecast import Background, Forecast, ForecastRequest, too_close
from twin.window.live_hand import LiveHand
from twin.window.playback import NORMAL, Playback
from twin.window.sandbox_board import Moment, Sandbox, marked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.scene import Scene
    from twin.outcome.engine import Outcome
    from twin.physics.hand import Hand

FORECAST_SEED: Final = 1
PATIENCE: Final = 4.0
"""After so long without a forecast it is said what takes so long, s."""

HINTS: Final = (
    "Drag a corner of the board to turn it by hand, or press E.",
    "Drag ghosts from space to space; with Shift, anywhere.",
    "Drag the tabs of the sliders; H shows what they hide.",
    "Press ? for all keys.",
)


class SandboxSession:
    """What the window shows and does. `tell` turns an outcome into sentences."""

    def __init__(self, scene: Scene, tell: Callable[[Outcome], list[str]], *, seed: int = 1) -> None:
        self.sandbox = Sandbox(scene, seed)
        self.tell = tell
        self.written: set[Path] = set()
        """Files that the person has saved here, and may save again without a question."""
        self.layers = Layers(handles=True)
        self.selected: str | None = None
        self.playback: Playback | None = None
        self.live: LiveHand | None = None
        self.placing: tuple[str, Place] | None = None
        """A ghost in the hand that is placed freely, and where it is."""
        self.message: tuple[str, ...] = HINTS
        self.message_is_wrong = False
        self.forecast: Forecast | None = None
        self.forecasting: Move | None = None
        """The move that is forecast, or about to be."""
        self.told: Outcome | None = None
        """The move that the sentences are about."""
        self.choice = 0
        """Which of the placements that are left is proposed."""
        self._background = Background()
        self._asked = 0
        self._waited = 0.0
        self._firmness: dict[int, Moment] = {}
        self._speed = NORMAL

    @property
    def machine(self) -> Machine:
        """The machine that is shown."""
        return self.sandbox.scene.machine

    # -- what is to be seen -----------------------------------------------------------------------------------------

    def pose(self) -> Pose:
        """Where everything is now."""
        if self.live is not None:
            return self._live_pose(self.live)
        found = self.playback.pose() if self.playback is not None else pose_of(self.sandbox.state, self.machine)
        if self.placing is not None:
            colour, (x, y) = self.placing
            found = replace(found, ghosts={**found.ghosts, colour: GhostPose(x, y)})
        return found

    def notes(self) -> Notes:
        """What is told about it."""
        at_rest = self.live is None and self.placing is None
        notes = self.playback.notes() if self.playback is not None and at_rest else Notes()
        moment = self.sandbox.moment
        choices: tuple[tuple[str, Place], ...] = ()
        if moment.is_open and self.is_quiet:
            size, orientation = self.machine.space, moment.state.orientation
            proposed = dict(moment.fitting[self.choice % len(moment.fitting)])
            choices = tuple((colour, centre(space, size, orientation)) for colour, space in self.options)
            open_ones = {colour for colour, _ in moment.options}
            taken = {c: centre(s, size, orientation) for c, s in proposed.items() if c in open_ones}
            notes = replace(notes, proposed=taken)
        chances = []
        if self.forecast is not None and self.live is None:
            for colour, ways in self.forecast.ghosts:
                chances += [(colour, way.place, way.share) for way in ways if way.place is not None]
        return replace(notes, choices=choices, chances=tuple(chances), selected=self.selected)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What is to be chosen next: the spaces of the selected ghost, or of the first that has a choice (D4, D5)."""
        found = self.sandbox.moment.options if self.is_quiet else ()
        open_ones = [colour for colour, _ in found]
        turn = self.selected if self.selected in open_ones else next(iter(open_ones), None)
        return tuple((colour, space) for colour, space in found if colour == turn)

    @property
    def advice(self) -> str:
        """What to do now, if something waits for a decision."""
        options = self.options
        if not options:
            return ""
        return f"Choose where {options[0][0]} shall stand: click a marked space, or press C and Enter (D4, D5)."

    @property
    def forecast_lines(self) -> list[str]:
        """The forecast in words, or that it is on its way; nothing if none was asked for."""
        if self.forecasting is None:
            return []
        if self.forecast is not None:
            return self.forecast.lines()
        first = " (the first one ever takes half a minute)" if self._waited > PATIENCE else ""
        return [f"Forecasting {self.forecasting} …{first}"]

    @property
    def sentences(self) -> list[str]:
        """What the last move did, once physics is done with it."""
        if self.told is None or self.playback is None or self.playback.time < self.playback.timeline.end:
            return []
        return self.tell(self.told)

    def last_outcome(self) -> Outcome | None:
        """The last move that was shown, a barred one too, with all that is to be said about it.

        Whether it is too close to call is found out here and now: the background may not have come to it.
        """
        moment = self.sandbox.moment
        outcome = self.told or moment.outcome
        if outcome is None or not outcome.done:
            return outcome
        hand = moment.hand if outcome is moment.outcome else NOMINAL
        return marked(outcome, too_close(ForecastRequest(0, self.machine, outcome.before, outcome.move, 0, hand)))

    @property
    def is_quiet(self) -> bool:
        """Whether nothing moves: no turn by hand, and the last move is over."""
        return self.live is None and (self.playback is None or self.playback.over)

    # -- time -------------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let time pass, and see whether the background has answered."""
        self._waited += seconds
        if self.live is not None:
            self.live.advance(seconds)
            if self.live.done:
                self._finish_live(self.live)
        elif self.playback is not None:
            self.playback.advance(seconds)
            self._speed = self.playback.speed
        for number, answer in self._background.fetch():
            if isinstance(answer, Forecast):
                if number == self._asked and self.forecasting is not None:
                    self.forecast = answer
            elif number in self._firmness:
                self._mark(self._firmness.pop(number), answer)

    def close(self) -> None:
        """End what runs in the background."""
        self._background.close()

    # -- moves ------------------------------------------------------------------------------------------------------

    def make(self, move: Move, hand: Hand = NOMINAL, *, start: float = 0.0) -> Outcome | None:
        """Make a move and play it from `start` (s); None while the board is in somebody's hand."""
        if self.live is not None:
            return None
        self.forget_forecast()
        before = self.sandbox.moment
        try:
            outcome = self.sandbox.act(move, hand)
        except TwinError as error:
            self.say(str(error), wrong=True)
            return None
        moment = self.sandbox.moment
        self.choice = 0
        self.told = outcome
        taken_back = moment is before
        after = None if moment.is_open and not taken_back else moment.state
        self.playback = Playback(Timeline(outcome, hand, after), start, self._speed)
        if taken_back:
            shown = "shown and taken back" if outcome.done else "not possible"
            self.say(f"{move} is not allowed ({', '.join(outcome.broken)}): {shown}.", wrong=True)
            return outcome
        self.say("")
        number = self._background.ask(self.machine, outcome.before, move, 0, hand)
        self._firmness[number] = moment
        return outcome

    def take_board(self) -> None:
        """Begin to turn the board by hand."""
        if self.live is None:
            self.forget_forecast()
            self.sandbox.take_placement()
            self.playback = self.told = None
            self.live = LiveHand(self.sandbox.state, self.machine)
            self.say("You turn the board: the ghosts feel the path you make.")

    def place_freely(self, colour: str, place: Place) -> None:
        """Put a ghost down anywhere on the board."""
        self.placing = None
        self.changed(self.sandbox.place(colour, place))

    def choose(self, colour: str, space: str) -> None:
        """Put a ghost on one of the spaces that it may choose (D4, D5)."""
        if self.sandbox.choose(colour, space):
            self.placed()

    def placed(self) -> None:
        """Go on after a choice: ghosts glide to their spaces once all is chosen."""
        moment = self.sandbox.moment
        self.choice = 0
        if not moment.is_open and moment.outcome is not None:
            timeline = Timeline(moment.outcome, moment.hand, moment.state)
            self.playback = Playback(timeline, timeline.end, self._speed)
            self.say("")

    def changed(self, problem: str = "") -> None:
        """Show the position as it is now, after anything but a move; or say why it did not change."""
        if problem:
            self.say(f"That is not possible: {problem}.", wrong=True)
            return
        self.forget_forecast()
        self.live = None
        moment = self.sandbox.moment
        self.told, self.playback, self.choice = moment.outcome, None, 0
        if moment.outcome is not None:
            timeline = Timeline(moment.outcome, moment.hand, None if moment.is_open else moment.state)
            self.playback = Playback(timeline, timeline.duration, self._speed)
        self.say("")

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell the person something, in place of what was told before."""
        self.message, self.message_is_wrong = ((text,) if text else ()), wrong

    # -- forecasts --------------------------------------------------------------------------------------------------

    def ask_forecast(self, move: Move) -> None:
        """Let the background find out what a move would do."""
        self.forecast, self.forecasting, self._waited = None, move, 0.0
        self._asked = self._background.ask(self.machine, self.sandbox.state, move, FORECAST_SEED)

    def forget_forecast(self) -> None:
        """Show no forecast."""
        self.forecast = self.forecasting = None

    # -- parts ------------------------------------------------------------------------------------------------------

    def _finish_live(self, live: LiveHand) -> None:
        self.live = None
        move = live.move
        if move is None:
            self.changed()
            self.say("The board went back: that was no quarter turn (D1), and nothing happened.")
        else:
            self.make(move, live.hand, start=live.turn.time)

    def _live_pose(self, live: LiveHand) -> Pose:
        state = self.sandbox.state
        ghosts = {}
        for colour, now in live.turn.places.items():
            ghosts[colour] = (
                GhostPose(*beyond(*live.turn.fallen_at[colour]), fallen=True) if now is None else GhostPose(*now)
            )
        still = pose_of(state, self.machine)
        # Friction and contacts are told from how a ghost's speed changes: once the turn is over, and can be looked at.
        nothing = (0.0, 0.0)
        forces = {colour: Forces(pull, nothing, nothing) for colour, pull in live.turn.pulls.items()}
        return Pose(board_angle(state.orientation) + live.angle, ghosts, still.sliders, forces)

    def _mark(self, moment: Moment, colours: frozenset[str]) -> None:
        self.sandbox.mark_close(moment, colours)
        if self.told is not None and self.told is moment.outcome:
            self.told = self.sandbox.moment.outcome
