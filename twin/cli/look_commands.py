"""Commands that show what there is: `machine`, `scenes` and `show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from twin.cli.options import add_changes, add_json, add_machine, add_scene, add_seed, command, count
from twin.cli.output import Progress, announce_compiling, heading, paint_for, print_json
from twin.cli.scenes import load, machine_of
from twin.stats import wilson

if TYPE_CHECKING:
    from argparse import Namespace
    from collections import Counter

    from twin.board.machine import Machine
    from twin.cli.options import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    sub = command(commands, "machine", machine, "show a machine: its values, sliders and castle")
    sub.add_argument("name", metavar="NAME", nargs="?", default="reconstruction")
    sub.add_argument(
        "--riding", metavar="N", type=count(), help="also count how many ghosts simply ride in N random 4-ghost turns"
    )
    add_seed(sub, "those turns")
    add_json(sub)
    add_changes(sub)
    add_json(command(commands, "scenes", scenes, "list the scenes that ship with the twin"))
    sub = command(commands, "show", show, "draw a scene")
    add_scene(sub)
    add_json(sub)
    add_machine(sub)


def machine(options: Namespace) -> int:
    """`twin machine [NAME]`."""
    from twin.reports.as_json import machine_json

    shown = machine_of(options, options.name)
    fates = _riding(shown, options) if options.riding else None
    if options.json:
        data = machine_json(shown)
        if fates is not None:
            total = sum(fates.values())
            low, high = wilson(fates["rode"], total)
            data["riding"] = {"turns": options.riding, "ghosts": total, "fates": dict(fates.most_common())}
            data["riding"] |= {"share": fates["rode"] / total, "interval": [round(low, 4), round(high, 4)]}
        print_json(data)
        return 0
    heading(f"{shown.name}: {shown.title}")
    _print_values(shown)
    if fates is not None:
        total = sum(fates.values())
        low, high = wilson(fates["rode"], total)
        print(
            f"\n{100 * fates['rode'] / total:.0f} % ({100 * low:.0f}–{100 * high:.0f}) of the ghosts simply ride along "
            f"in {options.riding} random 4-ghost turns; of {total}: "
            + ", ".join(f"{count} {fate}" for fate, count in fates.most_common())
        )
    return 0


def scenes(options: Namespace) -> int:
    """`twin scenes`."""
    from twin.board.scene import load_scene, scene_names

    found = [load_scene(name) for name in scene_names()]
    if options.json:
        print_json({"scenes": [{"name": s.name, "title": s.title, "machine": s.machine.name} for s in found]})
        return 0
    width = max(len(scene.name) for scene in found)
    for scene in found:
        print(f"{scene.name:<{width}}  {scene.title}")
    return 0


def show(options: Namespace) -> int:
    """`twin show SCENE`."""
    from twin.board.grid import space_under
    from twin.board.state import covers
    from twin.reports.as_json import scene_json
    from twin.reports.board_text import LEGEND, board_lines

    scene = load(options)
    if options.json:
        print_json(scene_json(scene))
        return 0
    paint = paint_for(sys.stdout)
    heading(f"{scene.title} (machine {scene.machine.name}, orientation {scene.state.orientation})")
    for line in board_lines(scene.state, scene.machine, paint):
        print(line.rstrip())
    print(paint(LEGEND, "dim"))
    for colour, (x, y) in scene.state.ghosts:
        where = covers(scene.state, colour, scene.machine)
        under = space_under(scene.state.board_place(colour), scene.machine.space) or "off"
        also = f", straddles {' and '.join(where)}" if len(where) > 1 else ""
        print(f"{paint(colour, colour)} on {under} at x = {x:.1f}, y = {y:.1f} mm{also}")
    for slider in scene.state.sliders:
        turned = ", flipped" if slider.flipped else ""
        print(f"slider {slider.name} in tunnel {slider.tunnel}, offset {slider.offset:+d}{turned}")
    for expectation in scene.expectations:
        print(f"expects of {expectation.move}: {expectation.because}")
    return 0


def _riding(shown: Machine, options: Namespace) -> Counter[str]:
    from twin.outcome.riding_share import count_fates

    announce_compiling()
    return count_fates(shown, options.riding, options.seed, Progress(options.riding, "turns"))


def _print_values(shown: Machine) -> None:
    from twin.board.quantities import KEYS

    width = max(len(key) for key in KEYS)
    for key, kind in KEYS.items():
        quantity = shown.quantities[key]
        low, high = quantity.range
        value = f"{quantity.value:g} {kind.unit if kind.unit != '1' else ''}".strip()
        print(f"  {key:<{width}}  {value:<12} {f'{low:g}–{high:g}':<12} {quantity.source:<9} {kind.meaning}")
    print("tunnels at x = " + ", ".join(f"{x:g}" for x in shown.tunnels) + " mm")
    for name, magnets in shown.sliders.items():
        print(f"slider {name}: " + ", ".join(f"magnet in segment {m.segment} ({m.polarity:+d})" for m in magnets))
    print()
    for line in shown.castle.drawing.splitlines():
        print(f"  {line}")
    parts: dict[str, list[str]] = {}
    for space, garment in sorted(shown.castle.garments.items()):
        parts.setdefault(garment.part, []).append(f"{garment.name} ({space})")
    for part, names in sorted(parts.items()):
        print(f"  {part}: {', '.join(names)}")
