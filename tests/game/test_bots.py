"""Bots: always legal, never wiser than their seat, repeatable, and each better than the one before."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from twin.board.castle import GARMENT_CODES
from twin.board.grid import STANDING_SPACES
from twin.board.machine import load_machine
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import Slider, State, home_space
from twin.errors import BadInputError
from twin.game.actions import GiveBack, Put, Search, Stop
from twin.game.board import Table, pending
from twin.game.bots import NAMES, make_bot
from twin.game.bots.distance import WALL, distances
from twin.game.bots.evaluation import Worth
from twin.game.bots.exploration import unrest
from twin.game.bots.knowledge import UNKNOWN, View
from twin.game.bots.outlook import drags, imagined_hands, physical_moves, positions, simulated
from twin.game.bots.planner import Planner
from twin.game.bots.tree import Allowance, Tree
from twin.game.cards import back_on_top, part_of
from twin.game.positions import EXACT, MOVE, OVER, PLACE, RETURN, Options, new_game
from twin.game.rules import apply, legal_actions
from twin.game.saved import observation
from twin.outcome.engine import KERNEL, Twin
from twin.physics.hand import NOMINAL

MACHINE = load_machine()
TABLE = Table(MACHINE)
SPACE_OF = {MACHINE.castle.code_at(space): space for space in MACHINE.castle.garments}
NODES = 60
"""Simulated moves a choice of the planners here: enough to see a turn through, and the same on every machine."""


def started(players=("red", "blue"), seed=1, **options):
    return new_game(MACHINE, Options(players, seed=seed, **options))


def standing(space, game=None, **changes):
    """A game in which the player to move stands on a space."""
    game = game or started()
    game = replace(game, board=game.board.on_spaces({game.current_player: space}, MACHINE.space))
    return replace(game, **changes)


def knowing(game, *decks):
    """The same game after the player to move has looked into some decks (from 0)."""
    own = tuple(frozenset(game.decks[n]) if n in decks else None for n in range(4))
    return replace(game, seen=tuple(own if seat == game.seat else row for seat, row in enumerate(game.seen)))


def played(names, seed, actions, **options):
    """The games of a play by bots, one after each action."""
    game = started(("red", "blue", "green", "yellow")[: len(names)], seed, **options)
    bots = [make_bot(name, TABLE, 10 * seed + seat, nodes=NODES) for seat, name in enumerate(names)]
    found = [game]
    while not game.is_over and len(found) <= actions:
        game, _ = apply(game, bots[game.seat].choose(game), TABLE)
        found.append(game)
    return found


def otherwise(game, dice):
    """A game that the player to move cannot tell from this one: other fronts, other orders, another seed."""
    seat, own = game.seat, game.seen[game.seat]
    unseen = [n for n in range(4) if own[n] is None]
    decks = [list(deck) for deck in game.decks]
    for part in {part_of(card) for deck in decks for card in deck}:
        spots = [(n, i) for n in unseen for i, card in enumerate(decks[n]) if part_of(card) == part]
        cards = [decks[n][i] for n, i in spots]
        dice.shuffle(cards)
        for (n, i), card in zip(spots, cards, strict=True):
            decks[n][i] = card
    for n in range(4):
        if not (game.phase == RETURN and game.searched == n):
            rest = decks[n][1:]
            dice.shuffle(rest)
            decks[n][1:] = rest
    seen = tuple(row if s == seat else (None,) * 4 for s, row in enumerate(game.seen))
    options = replace(game.options, seed=game.options.seed + 1)
    return replace(game, options=options, decks=tuple(map(tuple, decks)), seen=seen, chance=game.chance + 7)


class TestEveryBot:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"wandering_decks": True, "stop_early": False},
            {"hand": EXACT},
            {"as_is": True},
        ],
        ids=["usual", "wandering", "exact", "as_is"],
    )
    def test_chooses_only_what_is_legal(self, name, options):
        """`apply` refuses anything else; games of three seats, with every option."""
        games = played((name, "greedy", name), seed=4, actions=45, **options)
        assert len(games) > 20
        assert {game.phase for game in games} <= {MOVE, PLACE, RETURN, OVER}

    @pytest.mark.parametrize("name", NAMES)
    def test_knows_no_more_than_its_seat(self, name):
        """Games that differ only in what a seat cannot know give the same choice."""
        dice = random.Random(5)
        checked: Counter[str] = Counter()
        for seed in (1, 2, 3):
            for game in played((name, "greedy"), seed, 40)[:-1]:
                other = otherwise(game, dice)
                player = game.current_player
                assert observation(other, player, MACHINE) == observation(game, player, MACHINE)
                if game.phase == MOVE and checked[MOVE] > 25:
                    continue
                checked[game.phase] += other.decks != game.decks
                choices = [make_bot(name, TABLE, 9, nodes=NODES).choose(g) for g in (game, other)]
                assert choices[0] == choices[1], (name, game.phase)
        assert checked[MOVE] > 20

    @pytest.mark.parametrize("name", NAMES)
    def test_repeats_itself_under_a_seed(self, name):
        assert played((name, name), seed=7, actions=15) == played((name, name), seed=7, actions=15)

    @pytest.mark.parametrize("name", NAMES)
    def test_leaves_the_game_as_it_is(self, name):
        game = started()
        before = hash(game)
        make_bot(name, TABLE, 1, nodes=NODES).choose(game)
        assert hash(game) == before

    def test_a_strange_name_is_refused(self):
        with pytest.raises(BadInputError, match="random, greedy, planner"):
            make_bot("genius", TABLE, 1)

    @pytest.mark.parametrize("budget", [{"budget": 0.0}, {"budget": -1.0}, {"nodes": 0}])
    def test_a_bot_must_be_allowed_to_think(self, budget):
        with pytest.raises(BadInputError):
            make_bot("planner", TABLE, 1, **budget)


class TestRandom:
    def test_takes_every_legal_action_equally_often(self):
        """In a position with B6-barred pushes: all legal actions come, no other, and none is preferred."""
        game = started()
        game = replace(game, moves=1, board=game.board.on_spaces({"red": "f6", "blue": "f7"}, MACHINE.space))
        legal = legal_actions(game, TABLE)
        assert Push("C", "north") not in legal
        bot = make_bot("random", TABLE, 3)
        draws = 100 * len(legal)
        counts = Counter(bot.choose(game) for _ in range(draws))
        assert set(counts) == set(legal)
        # The sum of squared deviations follows chi² with this mean; four standard deviations are allowed.
        deviation = sum((counts[action] - 100) ** 2 / 100 for action in legal)
        degrees = len(legal) - 1
        assert abs(deviation - degrees) < 4 * (2 * degrees) ** 0.5

    def test_its_actions_are_legal_wherever_it_comes(self):
        for game in played(("random", "random"), seed=2, actions=60):
            if not game.is_over:
                assert make_bot("random", TABLE, game.turn).choose(game) in legal_actions(game, TABLE)


class TestGreedy:
    def test_searches_where_it_can(self):
        assert isinstance(make_bot("greedy", TABLE, 1).choose(standing(SPACE_OF["H1"])), Search)

    def test_drags_its_ghost_onto_the_garment_beside_it(self):
        """From b4, in one room with the feather crown on a4, west is nearest."""
        assert make_bot("greedy", TABLE, 1).choose(standing("b4")) == Drag("red", "west")

    def test_stops_where_no_move_leads_nearer(self):
        game = standing("b4", moves=3, phase=MOVE)
        assert make_bot("greedy", TABLE, 1).choose(game) == Stop()

    def test_puts_its_ghost_nearest_to_a_garment(self):
        game = next(g for seed in range(1, 30) for g in played(("greedy", "greedy"), seed, 30) if g.phase == PLACE)
        assert isinstance(make_bot("greedy", TABLE, 1).choose(game), Put)


class TestPlanner:
    def test_searches_the_deck_that_it_knows_to_hold_the_garment(self):
        game = started()
        deck = next(n for n in range(4) if "H1" in game.decks[n])
        game = knowing(standing(SPACE_OF["H1"], game), deck)
        assert make_bot("planner", TABLE, 1, nodes=NODES).choose(game) == Search(deck + 1)

    def test_does_not_search_again_where_it_knows_that_nothing_is(self):
        """It has seen every deck but one: the garment must be in that one."""
        game = started()
        deck = next(n for n in range(4) if "H1" in game.decks[n])
        game = knowing(standing(SPACE_OF["H1"], game), *({0, 1, 2, 3} - {deck}))
        assert make_bot("planner", TABLE, 1, nodes=NODES).choose(game) == Search(deck + 1)

    def test_walks_past_a_garment_that_somebody_owns(self):
        game = started()
        decks = tuple(tuple(card for card in deck if card != "H2") for deck in game.decks)
        game = replace(standing(SPACE_OF["H2"], game), decks=decks, owned=((), ("H2",)))
        assert not isinstance(make_bot("planner", TABLE, 1, nodes=NODES).choose(game), Search)

    def test_drags_its_ghost_onto_the_garment_that_it_knows(self):
        game = started()
        deck = next(n for n in range(4) if "H2" in game.decks[n])
        game = knowing(standing("b4", game), deck)
        assert make_bot("planner", TABLE, 1, nodes=NODES).choose(game) == Drag("red", "west")

    def test_finds_the_garment_in_three_moves_through_a_wall(self):
        """From outside the room, with the garment's deck known: within a turn or two it has it."""
        game = started(hand=EXACT)
        deck = next(n for n in range(4) if "F1" in game.decks[n])
        game = knowing(standing("a6", game), deck)
        bot = make_bot("planner", TABLE, 1, nodes=400)
        while game.seat == 0 and not game.owned[0]:
            game, _ = apply(game, bot.choose(game), TABLE)
        assert game.owned[0]

    def test_a_number_of_simulations_is_kept_to_within_one_batch(self):
        for nodes in (1, 100, 300):
            tree = grown(nodes)
            assert tree.allowance.spent <= max(nodes, 8 * 4) + 64

    def test_more_simulations_see_at_least_as_much(self):
        values = [grown(nodes).node(started().board, 3).value() for nodes in (1, 100, 600)]
        assert values == sorted(values)

    def test_the_clock_ends_its_thoughts(self):
        """With a clock that runs away it still answers, after looking one move ahead."""
        ticks = iter(range(10_000))
        bot = Planner(TABLE, 1, budget=0.05, clock=lambda: float(next(ticks)))
        assert bot.choose(started()) in legal_actions(started(), TABLE)
        assert next(ticks) < 10

    def test_without_a_clock_its_time_is_a_number_of_simulations(self):
        assert Planner(TABLE, 1, budget=0.05).nodes == 400
        assert make_bot("planner", TABLE, 1).choose(started()) == make_bot("planner", TABLE, 1).choose(started())

    def test_tries_relocations_if_it_has_time_to_spare(self):
        """With a large budget all ways are seen, relocations among them."""
        game = started()
        bot = Planner(TABLE, 1, nodes=5000)
        view = View.of(game)
        tree = Tree(Worth(view, MACHINE), MACHINE, Allowance(5000))
        root = tree.node(game.board, 3)
        tree.grow([root], (NOMINAL,))
        bot._try_relocations(tree, root)
        ways = list(root.ways or ())
        assert any(isinstance(move, Relocate) for move in ways)
        assert all(TABLE.broken(game.board, move) == () for move in ways)


def grown(nodes):
    tree = Tree(Worth(View.of(started()), MACHINE), MACHINE, Allowance(nodes))
    tree.grow([tree.node(started().board, 3)], imagined_hands(MACHINE, 2, 1)[:4])
    return tree


class TestKnowledge:
    def test_hides_what_the_seat_cannot_know(self):
        view = View.of(knowing(started(seed=4), 2))
        assert [UNKNOWN in deck for deck in view.game.decks] == [True, True, False, True]
        assert view.game.options.seed == 0
        assert view.backs == tuple(back_on_top(deck) for deck in started(seed=4).decks)

    def test_S5_every_card_lies_in_some_deck(self):
        """The chances of a card over the decks add up to one, whatever has been seen."""
        for seen in ((), (0,), (1, 3), (0, 1, 2), (0, 1, 2, 3)):
            view = View.of(knowing(started(), *seen))
            for card in GARMENT_CODES:
                assert sum(view.chance(card, deck) for deck in range(4)) == pytest.approx(1.0)

    def test_seen_decks_are_certain(self):
        game = knowing(started(), 1)
        view = View.of(game)
        assert {card: view.chance(card, 1) for card in GARMENT_CODES} == {
            card: float(card in game.decks[1]) for card in GARMENT_CODES
        }
        assert all(view.chance(card, 0) == 0.0 for card in game.decks[1])

    def test_its_chances_come_true(self):
        """Over many deals with cards taken from unseen decks: what is given a chance of p is so in p of the cases."""
        dice = random.Random(1)
        hoped = found = asked = 0.0
        for seed in range(300):
            game = started(seed=seed)
            for seat in (0, 1):
                for _ in range(dice.randint(0, 3)):
                    deck = dice.randrange(4)
                    free = [c for c in game.decks[deck] if part_of(c) not in game.parts(seat)]
                    if not free:
                        continue
                    card = dice.choice(free)
                    decks = tuple(tuple(c for c in d if c != card) for d in game.decks)
                    owned = tuple((*o, card) if s == seat else o for s, o in enumerate(game.owned))
                    game = replace(game, decks=decks, owned=owned)
            view = View.of(knowing(game, *dice.sample(range(4), dice.randint(0, 2))))
            left = [card for deck in game.decks for card in deck]
            for card in dice.sample(left, 5):
                deck, chance = view.best_deck(card)
                hoped, found, asked = hoped + chance, found + (card in game.decks[deck]), asked + 1
        assert found / asked == pytest.approx(hoped / asked, abs=0.03)

    def test_of_equal_decks_an_unseen_one_is_best(self):
        game = knowing(started(), 0)
        card = next(card for card in GARMENT_CODES if card not in game.decks[0])
        assert View.of(game).best_deck(card)[0] == 1


def jammed():
    """Four ghosts in a row; a clockwise turn by the fourth imagined hand of seed 1 leaves them no joint placement.

    On a board that lay straight, where their feet end would leave one.
    """
    board = State.of(
        0,
        {"red": (-80.0, 0.0), "yellow": (-80.0, -40.0), "blue": (-80.0, -80.0), "green": (-80.0, -120.0)},
        (Slider("A", 1, 2), Slider("B", 2, 1, flipped=True), Slider("C", 3, 1, flipped=True)),
    )
    return replace(started(("red", "blue", "green", "yellow")), board=board)


class TestConflict:
    def test_a_board_left_askew_falls_back_to_the_nearest_position(self):
        """As the table lets it happen: where a hand leaves the board askew, its angle decides what ghosts cover."""
        game = jammed()
        hand = imagined_hands(MACHINE, 4, 1)[3]
        outcome = Twin(MACHINE, KERNEL).act(game.board, Turn("cw"), hand, sensitivity=False)
        assert outcome.landing.conflict
        (guess,) = simulated([game.board], [Turn("cw")], [hand], MACHINE)
        assert guess.pending == pending(outcome, as_is=False)
        (position,) = positions(guess.pending, MACHINE)
        assert position == outcome.after()

    @pytest.mark.parametrize("name", NAMES)
    def test_every_bot_finds_a_move(self, name):
        game = jammed()
        assert make_bot(name, TABLE, 1, nodes=NODES).choose(game) in legal_actions(game, TABLE)


class TestForecast:
    def test_distances_count_drags_and_walls(self):
        far = distances(MACHINE.castle)
        assert far["b4"]["a4"] == 1.0
        assert far["a4"]["a5"] == WALL
        for here in STANDING_SPACES:
            for there in STANDING_SPACES:
                assert far[here][there] == far[there][here]
                assert (far[here][there] == 0.0) == (here == there)

    def test_forecasts_by_the_nominal_hand_are_what_happens(self):
        """Turns, pushes and drags of a position: the forecast's positions are those that the game allows."""
        game = started(hand=EXACT)
        moves = physical_moves(game.board)
        assert set(moves) == {Turn("cw"), Turn("ccw"), *(Push(s, w) for s in "ABC" for w in ("north", "south"))}
        guesses = simulated([game.board] * len(moves), moves, [NOMINAL] * len(moves), MACHINE)
        for move, guess in zip(moves, guesses, strict=True):
            assert guess.pending == TABLE.happen(game.board, move, game).pending
        for drag, state in drags(game.board, "red", MACHINE):
            after, _ = apply(game, drag, TABLE)
            assert home_space(after.board, "red", MACHINE) == home_space(state, "red", MACHINE)

    def test_positions_are_all_joint_placements(self):
        game = next(g for seed in range(1, 30) for g in played(("random", "random"), seed, 60) if g.phase == PLACE)
        after = {apply(game, action, TABLE)[0].board for action in legal_actions(game, TABLE)}
        assert after & set(positions(game.pending, MACHINE))

    def test_imagined_hands_are_the_bots_own(self):
        one, other = imagined_hands(MACHINE, 2, 1), imagined_hands(MACHINE, 2, 2)
        assert one[0] == other[0] == NOMINAL
        assert not set(one[1:]) & set(other[1:])


def test_unrest_grows_with_the_game_but_never_rules_it():
    values = [unrest(turn) for turn in range(1, 500)]
    assert values == sorted(values)
    assert 0.0 < values[0] < 0.01
    assert values[-1] <= 0.25


def test_giving_a_deck_back_is_a_choice_of_every_bot():
    """Q5, Q8: a bot with a deck in its hand puts it back."""
    for wandering in (False, True):
        game, _ = apply(standing(SPACE_OF["H1"], started(wandering_decks=wandering)), Search(2), TABLE)
        for name in NAMES:
            assert isinstance(make_bot(name, TABLE, 1, nodes=NODES).choose(game), GiveBack)
