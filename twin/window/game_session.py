"""A game at the window: whose turn it is, what moves, what is told, what is hidden. It draws nothing.

It is `twin.play`'s session with time: moves take as long as they took on the board, bots think for a moment, curtains
fall and rise. A view asks it what to show; `twin.window.game_commands` gives its verbs their keys.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import centre
from twin.board.moves import Push, Relocate, Turn
from twin.drawing.pose import Layers, Notes, Pose
from twin.errors import BadInputError, BarredMoveError
from twin.game.actions import GiveBack, Put, Search
from twin.game.positions import PLACE, RETURN
from twin.game.rules import legal_actions
from twin.game.saved import observation
from twin.play.telling import action_sentence, told
from twin.window.background_forecast import Background, Forecast
from twin.window.bot_seat import Mind
from twin.window.curtain import Curtain, Secret
from twin.window.game_film import Film

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.game.actions import Action
    from twin.game.positions import Game
    from twin.play.catalogue import Catalogue
    from twin.play.keeper import Keeper
    from twin.play.session import Seats, Session
    from twin.window.bot_seat import Thinker
    from twin.window.filmed_board import ShowTable
    from twin.window.playback import Playback

FLIGHT: Final = 1.1
"""How long a found card takes from its deck to its owner, s."""

FORECAST_SEED: Final = 1


@dataclass
class Flight:
    """A card on its way from a deck to its owner."""

    card: str
    deck: int
    seat: int
    time: float = 0.0

    @property
    def share(self) -> float:
        """How far it has come."""
        return min(self.time / FLIGHT, 1.0)


class GameSession:
    """What the window shows of a game, and what people do in it."""

    def __init__(
        self,
        play: Session,
        seats: Seats,
        table: ShowTable,
        catalogue: Catalogue,
        thinker: Thinker,
        files: Keeper,
    ) -> None:
        self.files = files
        self.play, self.seats, self.table, self.say = play, seats, table, catalogue
        self.layers = Layers(handles=True, badges=False)  # fates are told in the players' language
        self.film = Film(table)
        self.curtain = Curtain(needed=seats.secrets)
        self.flight: Flight | None = None
        self.selected: str | None = None
        self.plan: Relocate | None = None
        """A slider's way to another tunnel that is being thought about."""
        self.choice = 0
        """Which of the options is proposed, when ghosts are to be placed."""
        self.message, self.message_is_wrong = "", False
        self.story: tuple[tuple[str, tuple[str, ...]], ...] = ()
        """Players and what happened in their actions, the latest last; nothing that only one of them may know."""
        self.forecast: Forecast | None = None
        self.forecasting: Move | None = None
        self.over_for = 0.0
        """How long the game has been over, s."""
        self._mind = Mind(thinker)
        self._background = Background()
        self._asked_forecast = 0
        self._told_from = len(play.steps)
        self._meet_player()

    # -- what is the case -------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game now."""
        return self.play.game

    @property
    def machine(self) -> Machine:
        """The machine that is played on."""
        return self.table.machine

    @property
    def playback(self) -> Playback | None:
        """The last move, as it is being shown."""
        return self.film.playback

    @property
    def player(self) -> str:
        """Whose turn it is; the last player's once the game is over."""
        return self.game.options.players[self.game.seat]

    @property
    def is_quiet(self) -> bool:
        """Whether nothing moves, nothing flies and nothing is hidden."""
        return not self.film.runs and self.flight is None and self.curtain.is_clear

    @property
    def may_act(self) -> bool:
        """Whether a person can do something on the board now."""
        return self.is_quiet and self.game.current_player in self.seats.humans

    @property
    def orientation(self) -> int:
        """How the board lies; while ghosts are placed, as it lies after the move."""
        pending = self.game.pending
        return self.game.board.orientation if pending is None else pending.orientation

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Where ghosts may be put now, as pairs of colour and space (D4, D5)."""
        if self.game.phase != PLACE or not self.may_act:
            return ()
        return tuple((a.ghost, a.space) for a in legal_actions(self.game, self.table) if isinstance(a, Put))

    @property
    def returns(self) -> tuple[GiveBack, ...]:
        """How the deck in hand may go back, for the person who sees it (Q5, Q8)."""
        if self.game.phase != RETURN or self.curtain.seen is None:
            return ()
        return tuple(a for a in legal_actions(self.game, self.table) if isinstance(a, GiveBack))

    def shown(self) -> dict[str, Any]:
        """Everything that the screen shows of the game, and nothing that it hides."""
        known = observation(self.game, self.player, self.machine)
        seen = self.curtain.seen
        decks = [{"cards": deck["cards"], "back": deck["back"]} for deck in known["decks"]]
        return known | {
            "decks": decks,
            "in_hand": None if seen is None else list(seen.cards),
            "seats": dict(self.seats.players),
            "casual": self.play.casual,
            "actions": [str(step.action) for step in self.play.steps],
            "curtain": self.curtain.waits_for,
            "playing": not self.is_quiet,
        }

    # -- what is to be seen -----------------------------------------------------------------------------------------

    def pose(self) -> Pose:
        """Where everything is now."""
        return self.film.pose(self.play)

    def notes(self) -> Notes:
        """What is told about it."""
        notes = self.film.notes
        options = self.options
        if options:
            size, orientation = self.machine.space, self.orientation
            places = tuple((c, centre(space, size, orientation)) for c, space in options)
            colour, at = places[self.choice % len(places)]
            notes = replace(notes, choices=places, proposed={colour: at})
        chances = []
        if self.forecast is not None:
            for colour, ways in self.forecast.ghosts:
                chances += [(colour, way.place, way.share) for way in ways if way.place is not None]
        return replace(notes, chances=tuple(chances), selected=self.selected if self.may_act else None)

    # -- time -------------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let time pass: on the board, behind the curtain, in the bots' heads."""
        if self.playback is not None:
            self.playback.advance(seconds)
        self.curtain.advance(seconds)
        if self.flight is not None:
            self.flight.time += seconds
            if self.flight.share >= 1.0:
                self.flight = None
        for number, forecast in self._background.fetch():
            if isinstance(forecast, Forecast) and number == self._asked_forecast and self.forecasting is not None:
                self.forecast = forecast
        if self.game.is_over:
            self.over_for += seconds if self.is_quiet else 0.0
        else:
            self._let_bots(seconds)

    def close(self) -> None:
        """End what runs in the background."""
        self._background.close()
        self._mind.close()

    # -- what people do ---------------------------------------------------------------------------------------------

    def wish(self, action: Action) -> bool:
        """A person wants something; False, and a sentence with the rule's number, if it cannot be."""
        if isinstance(action, GiveBack):
            if not self.returns:
                return False
        elif not self.may_act:
            return False
        try:
            self._act(action)
        except BarredMoveError as error:
            reason = "; ".join(self.say.rule(number) for number in error.broken)
            self.tell(self.say("told.barred", rules=", ".join(error.broken), reason=reason), wrong=True)
            return False
        return True

    def accept(self) -> None:
        """Enter: open the curtain, put the deck back as it is, put the ghost there, move the slider so; or hurry."""
        seen = self.curtain.seen
        if self.playback is not None and not self.playback.over:
            self.playback.do("to_end")
        elif self.curtain.waits_for is not None:
            if self.curtain.drawn >= 1.0:
                self.curtain.open()
        elif seen is not None and seen.decided:
            self.curtain.end()
        elif self.returns:
            if GiveBack() in self.returns:
                self.wish(GiveBack())
        elif self.plan is not None:
            self.wish(self.plan)
        elif self.options:
            self.wish(Put(*self.options[self.choice % len(self.options)]))

    def undo(self) -> None:
        """Take back what may be taken back (B2): a person's last decision, and what bots did after it."""
        if not self.is_quiet and self.curtain.seen is None:
            return
        try:
            shorter = self.play.undone(self.seats.humans)
        except BarredMoveError as error:
            reason = "; ".join(self.say.rule(number) for number in error.broken)
            self.tell(self.say("told.barred", rules=", ".join(error.broken), reason=reason), wrong=True)
            return
        except BadInputError:
            self.tell(self.say("told.nothing_undone"), wrong=True)
            return
        undone = self.play.steps[len(shorter.steps)]
        self.play, self.flight = shorter, None
        self.film.rewind(shorter)
        self.story = self.story[: max(len(shorter.steps) - self._told_from, 0)]
        self.over_for = 0.0
        self.curtain.end()
        self._meet_player()
        self.tell(self.say("told.undone", action=action_sentence(undone, self.machine, self.say)))
        self._keep()

    def save(self, name: str = "") -> bool:
        """Save the game under a name, '' for the agreed one; False if none was agreed, or if it cannot be written."""
        try:
            kept = self.files.save(self.play, name)
        except BadInputError as error:
            self.tell(str(error), wrong=True)
            return False
        if kept is not None:
            self.tell(self.say("told.saved", file=kept))
        return kept is not None

    def tell(self, text: str, *, wrong: bool = False) -> None:
        """Tell everybody something, in place of what was told before."""
        self.message, self.message_is_wrong = text, wrong

    def ask_forecast(self) -> None:
        """What would the next turn do, or the push of the selected slider? In casual games only (B2)."""
        if not self.play.casual:
            self.tell(self.say("window.no_forecast"), wrong=True)
            return
        if not self.may_act:
            return
        moves: list[Move] = [Turn("cw"), Turn("ccw")]
        if self.selected is not None and self.selected not in self.game.board.colours:
            offset = self.game.board.slider(self.selected).offset
            moves = [
                p for p in (Push(self.selected, "north"), Push(self.selected, "south")) if abs(offset + p.step) < 3
            ]
        after = moves.index(self.forecasting) + 1 if self.forecasting in moves else 0
        self.forget_forecast()
        if after < len(moves):
            self.forecasting = moves[after]
            self._asked_forecast = self._background.ask(self.machine, self.game.board, moves[after], FORECAST_SEED)

    def forget_forecast(self) -> None:
        """Show no forecast."""
        self.forecast = self.forecasting = None

    # -- parts ------------------------------------------------------------------------------------------------------

    def _act(self, action: Action) -> None:
        self.play = self.play.act(action, self.table)
        step = self.play.steps[-1]
        self.film.watch(self.play)
        self.story = (*self.story, (step.player, tuple(told(step, self.machine, self.say))))
        self.tell("")
        if isinstance(action, GiveBack):
            self.curtain.end()
        if isinstance(action, Search):
            if step.event.found is not None:
                self.flight = Flight(step.event.found, action.deck, step.before.seat)
            decided = step.after.phase != RETURN
            if step.player in self.seats.humans and not step.after.is_over:
                self.curtain.hide(Secret(step.player, action.deck, step.after.decks[action.deck - 1], decided))
        self._meet_player(hide=False)
        self._keep()

    def _keep(self) -> None:
        """Put what has happened on the disk; a failure is reported once, and tried again after the next action."""
        trouble = self.files.follow(self.play)
        if trouble:
            self.tell(trouble, wrong=True)

    def _meet_player(self, *, hide: bool = True) -> None:
        """Turn to the player whose turn it is, after anything that may have changed that."""
        self.plan, self.choice = None, 0
        self.forget_forecast()
        names = (self.player, *(slider.name for slider in self.game.board.sliders))
        last = self.play.steps[-1].player if self.play.steps else None
        if self.selected not in names or last != self.player:
            self.selected = self.player
        self._mind.forget()
        searched = self.game.searched
        if hide and searched is not None and self.player in self.seats.humans:
            self.curtain.hide(Secret(self.player, searched + 1, self.game.decks[searched], decided=False))

    def _let_bots(self, seconds: float) -> None:
        """Let a bot think, and act once it has and the table is quiet."""
        if self.player in self.seats.humans or not self._mind.is_ready(self.game, seconds, quiet=self.is_quiet):
            return
        try:
            self._act(self._mind.answer or legal_actions(self.game, self.table)[0])
        except BarredMoveError:  # a push that the bot's kernel thinks allowed and this engine does not (B6)
            self._act(legal_actions(self.game, self.table)[0])
