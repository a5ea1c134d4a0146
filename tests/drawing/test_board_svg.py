"""Boards of pages: well-formed SVG, the window's pieces and colours, each piece described once."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.setups import MACHINE
from twin.board.moves import Push, Relocate, Turn
from twin.board.scene import load_scene
from twin.drawing.board_svg import Arrow, Boards
from twin.drawing.palette import GHOSTS, PARTS, WALL

STATE = load_scene("start").state


def read(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own


def hexed(colour):
    return "#{:02x}{:02x}{:02x}".format(*colour[:3])


def test_a_board_shows_the_pieces_of_the_window_in_the_colours_of_the_palette():
    boards = Boards()
    board = read(boards.board(STATE, MACHINE, "the <start>"))
    pieces = boards.pieces()
    assert board.get("aria-label") == "the <start>"
    described = {piece.get("id") for piece in read(pieces).iter("g")} - {None}
    assert {use.get("href", "")[1:] for use in board.iter("use")} == described
    for colour in (*GHOSTS.values(), *PARTS.values(), WALL):
        assert hexed(colour) in pieces
    assert all(f">{word}</text>" in pieces for word in ("a1", "g7", *"ABC", *"RYGB"))


def test_boards_of_one_page_share_their_pieces():
    """A turned board is the same piece, turned; a ghost elsewhere is the same ghost."""
    boards = Boards()
    first = boards.board(STATE, MACHINE, "start")
    once = boards.pieces()
    turned = boards.board(replace(STATE, orientation=1), MACHINE, "turned")
    assert boards.pieces() == once
    assert "rotate(90)" in turned
    assert "rotate" not in first


def test_arrows_have_the_colour_of_the_ghost_and_the_width_of_the_share():
    """Moves have arrows of their own; a sure end has a wider arrow than a rare one."""
    boards = Boards()
    start = STATE.places["red"]
    plain = boards.board(STATE, MACHINE, "start")
    sure, rare = (
        boards.board(STATE, MACHINE, "start", arrows=[Arrow("red", start, (0.0, 80.0), share)]) for share in (1.0, 0.3)
    )
    assert sure.count(hexed(GHOSTS["red"])) == plain.count(hexed(GHOSTS["red"])) + 3
    assert 'stroke-width="6.60"' in sure
    assert 'stroke-width="1.98"' in rare
    moved = {boards.board(STATE, MACHINE, "", moves=[move]) for move in (Turn("cw"), Turn("ccw"), Push("A", "north"))}
    moved.add(boards.board(STATE, MACHINE, "", moves=[Relocate("A", 2, 0)]))
    assert len(moved) == 4
    assert all(read(board) is not None for board in moved)
