"""A command's scene, with the machine that its options ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.board.machine import load_machine
from twin.board.scene import load_scene
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
    machine = load_machine(options.machine) if options.machine else None
    changes = getattr(options, "changes", [])
    if changes:
        own = machine or load_scene(name).machine
        machine = changed(own, options)
    return load_scene(name, machine)


def changed(machine: Machine, options: Namespace) -> Machine:
    """The machine with the values of `--set`."""
    try:
        return machine.with_values(dict(options.changes), force=options.beyond_range)
    except BadInputError as error:
        raise BadInputError(error.problem, source="--set", field=error.field) from None
