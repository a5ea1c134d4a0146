"""Forty broken sheets, each with one thing wrong, and what must be said of it: line, column, and a word or two."""

from __future__ import annotations

from typing import Final, NamedTuple

HEADER: Final = "trial,scene,move,ghost,x,y,space\n"
GOOD: Final = f"{HEADER}1,held,turn cw,red,-80.5,-79.2,\n2,held,turn cw,red,,,b2\n"
BENCH_HEADER: Final = "quantity,value,unit,sd\n"
GOOD_BENCH: Final = f"{BENCH_HEADER}slide_angle,14,°,1\nghost_mass,12,g,0.5\n"


class Broken(NamedTuple):
    """A file's bytes, where it is wrong, and what the message must hold."""

    content: bytes
    line: int
    column: int
    words: str


def _row(cells: str, column: int, words: str) -> Broken:
    """A good sheet with one more row, which is broken."""
    return Broken((GOOD + cells + "\n").encode(), 4, column, words)


def _bench(cells: str, column: int, words: str) -> Broken:
    return Broken((GOOD_BENCH + cells + "\n").encode(), 4, column, words)


SHEETS: Final = {
    "empty": Broken(b"", 1, 1, "empty"),
    "blank lines only": Broken(b"\n\n  \n", 1, 1, "empty"),
    "header only": Broken(HEADER.encode(), 2, 1, "at least one row"),
    "no header": Broken(b"1,held,turn cw,red,1,2,\n", 1, 1, "unknown column"),
    "a column missing": Broken(b"trial,scene,move,ghost,x,y\n1,held,turn cw,red,1,2\n", 1, 7, "'space' is missing"),
    "a column unknown": Broken(HEADER.replace("ghost", "color").encode(), 1, 4, "unknown column 'color'"),
    "a column twice": Broken(b"trial,scene,move,ghost,x,x,space\n1,held,turn cw,red,1,2,\n", 1, 6, "twice"),
    "capital letters in the header": Broken(HEADER.upper().encode(), 1, 1, "unknown column 'TRIAL'"),
    "semicolons": Broken(GOOD.replace(",", ";").encode(), 1, 1, "parted by commas"),
    "tabs": Broken(GOOD.replace(",", "\t").encode(), 1, 1, "parted by commas"),
    "latin-1": Broken((GOOD + "3,held,turn cw,grün,,,b2\n").encode("latin-1"), 4, 4, "UTF-8"),
    "utf-16": Broken(GOOD.encode("utf-16"), 1, 1, "UTF-8"),
    "a zero byte": Broken((GOOD + "3,held,turn\0cw,red,,,b2\n").encode(), 4, 3, "zero byte"),
    "an open quote": Broken((GOOD + '3,"held,turn cw,red,,,b2\n').encode(), 4, 1, "line of CSV"),
    "too many rows": Broken(GOOD.encode() + b"3,a,b,c,1,2,\n" * 5_001, 5_002, 1, "at most 5,000 rows"),
    "a huge cell": _row(f"3,{'x' * 5000},turn cw,red,,,b2", 2, "at most 300 letters"),
    "a cell too many": _row("3,held,turn cw,red,-80,5,-79,2,", 8, "decimal point"),
    "a cell too few": _row("3,held,turn cw,red,-80.5", 6, "7 cells"),
    "comma decimals in quotes": _row('3,held,turn cw,red,"-80,5","-79,2",', 5, "-80.5"),
    "a unit in a cell": _row("3,held,turn cw,red,-80.5 mm,-79.2 mm,", 5, "without a unit"),
    "words for a number": _row("3,held,turn cw,red,left,-79,", 5, "must be a number"),
    "not a number": _row("3,held,turn cw,red,nan,-79,", 5, "must be a number"),
    "infinite": _row("3,held,turn cw,red,1e999,-79,", 5, "finite"),
    "x without y": _row("3,held,turn cw,red,-80.5,,", 6, "is empty, but x is not"),
    "nothing seen": _row("3,held,turn cw,red,,,", 7, "say where the ghost ended"),
    "a place beside the board": _row("3,held,turn cw,red,-80.5,200,", 6, "within ±140 mm"),
    "a place on the plug": _row("3,held,turn cw,red,1,2,", 5, "plug"),
    "off and a place": _row("3,held,turn cw,red,-80,-79,off", 5, "has no place"),
    "an unknown ghost": _row("3,held,turn cw,purple,,,b2", 4, "red, yellow, green, blue"),
    "a ghost that is not there": _row("3,held,turn cw,blue,,,b2", 4, "does not stand in the scene"),
    "a ghost twice in a trial": _row("2,held,turn cw,red,,,b3", 4, "already"),
    "an unknown space": _row("3,held,turn cw,red,,,h9", 7, "a1 to g7"),
    "the plug's space": _row("3,held,turn cw,red,,,d4", 7, "plug"),
    "spaces far apart": _row("3,held,turn cw,red,,,a1+g7", 7, "wide enough"),
    "no trial": _row(",held,turn cw,red,,,b2", 1, "empty"),
    "an unknown scene": _row("3,hold,turn cw,red,,,b2", 2, "held"),
    "a scene file that is missing": _row("3,none/there.toml,turn cw,red,,,b2", 2, "cannot be read"),
    "no such move": _row("3,held,twist cw,red,,,b2", 3, "turn"),
    "a drag": _row("3,held,drag red east,red,,,b2", 3, "turn or a push"),
    "an unknown slider": _row("3,held,push Z north,red,,,b2", 3, "A, B, C"),
    "another move in a trial": _row("2,held,turn ccw,red,,,b2", 3, "began otherwise in line 3"),
}

BENCHES: Final = {
    "an unknown quantity": _bench("charm,1,g,", 1, "slide_angle"),
    "a wrong unit": _bench("gap,5,g,", 3, "mm or cm"),
    "a negative value": _bench("gap,-5,mm,", 2, "above 0"),
    "no value": _bench("gap,,mm,", 2, "empty"),
    "an sd of nothing": _bench("gap,5,mm,0", 4, "above 0"),
    "an sd next to nothing": _bench("gap,5,mm,1e-320", 4, "must be 5e-06 to 5e+06 mm for this value; got 1e-320"),
    "an sd beyond all sense": _bench("gap,5,mm,1e200", 4, "must be 5e-06 to 5e+06 mm"),
    "a formula for a value": _bench("gap,=2+3,mm,", 2, "must be a number in mm; got '=2+3'"),
    "a formula for a quantity": _bench("=gap,5,mm,", 1, "got '=gap'"),
    "a comma decimal": _bench('gap,"5,1",mm,', 2, "5.1"),
    "too steep": _bench("slide_angle,80,°,", 2, "at most 60"),
    "no ghost weighs that": _bench("ghost_mass,5,kg,", 2, "ghost.mass"),
}
