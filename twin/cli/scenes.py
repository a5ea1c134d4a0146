"""A command's scene or machine, as its options ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.errors import BadInputError

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.board.machine import Machine
    from twin.board.scene import Scene


def load(options: Namespace) -> Scene:
    """The scene of `options.scene`, on `--machine` if given, with the values of `--set`."""
    return load_named(options.scene, options)


def load_named(name: str, options: Namespace) -> Scene:
    """A scene by name or path, with the options' machine and values."""
    from twin.board.machine import load_machine
    from twin.board.scene import load_scene

    machine = load_machine(options.machine) if options.machine else None
    if getattr(options, "changes", []):
        machine = _changed(machine or load_scene(name).machine, options)
    return load_scene(name, machine)


def machine_of(options: Namespace, name: str | None = None) -> Machine:
    """The machine of this name, or else of `--machine` or the default one, with the values of `--set`."""
    from twin.board.machine import DEFAULT_MACHINE, load_machine

    return _changed(load_machine((options.machine or DEFAULT_MACHINE) if name is None else name), options)


def check_ghost(scene: Scene, ghost: str, field: str) -> None:
    """Refuse a colour of which the scene has no ghost."""
    if ghost not in scene.state.colours:
        raise BadInputError(f"must be one of {', '.join(scene.state.colours)}; got {ghost!r}", field=field)


def _changed(machine: Machine, options: Namespace) -> Machine:
    try:
        return machine.with_values(dict(options.changes), force=options.beyond_range)
    except BadInputError as error:
        raise BadInputError(error.problem, source="--set", field=error.field) from None
