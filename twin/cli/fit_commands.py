"""The commands `calibrate fit`, `calibrate plan` and `calibrate check`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.cli.options import MOST_MACHINES, add_json, add_output, add_seed, command, count, keys, number
from twin.cli.output import Progress, announce_compiling, paint_for, print_json, print_lines
from twin.cli.output_files import check_free, check_output, tell_written
from twin.errors import BadInputError, MissingExtraError
from twin.writing import is_taken, write_whole

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from twin.board.machine import Machine
    from twin.calibrate.experiment_plan import ExperimentPlan
    from twin.calibrate.fit.bench import BenchValue
    from twin.calibrate.fit.budget import Effort
    from twin.calibrate.fit.fitting import Fit
    from twin.calibrate.fit.likelihood import Reader
    from twin.calibrate.fit.measurements import Measurements
    from twin.cli.options import Commands

MOST_EXPERIMENTS: Final = 40


def add(parts: Commands) -> None:
    """Add the three commands to the parts of `calibrate`."""
    _fit_options(parts)
    _plan_options(parts)
    _check_options(parts)


def _fit_options(parts: Commands) -> None:
    sub = command(parts, "fit", fit, "fit a machine to what was measured on a board")
    sub.add_argument("measurements", metavar="MEASUREMENTS.csv", help="columns trial,scene,move,ghost,x,y,space")
    sub.add_argument("--bench", metavar="FILE.csv", help="bench measurements: columns quantity,value,unit,sd")
    sub.add_argument(
        "--parameters",
        metavar="KEY,KEY…",
        type=keys,
        help="values to fit (default friction.board, magnet.remanence, magnet.gap, ghost.radius and spread.place)",
    )
    add_seed(sub, "the fit", natural=True)
    sub.add_argument(
        "--machine", metavar="NAME", help="the machine to begin with (default: the one that the scenes name)"
    )
    add_output(sub, "--out", "the machine file to write", "MACHINE.toml", ending=".toml", need=True)
    add_output(sub, "--html", "the page with plots (default: beside --out)", ending=".html")
    _reading_options(sub)
    add_json(sub)


def _plan_options(parts: Commands) -> None:
    sub = command(parts, "plan", plan, "tell which turns and pushes to try next, as a sheet to print")
    sub.add_argument("--count", metavar="N", type=count(MOST_EXPERIMENTS), default=10, help="experiments (default 10)")
    source = sub.add_mutually_exclusive_group()
    source.add_argument(
        "--machine",
        metavar="NAME",
        help="what is known so far: a machine and its ranges (default reconstruction, or what --measurements names)",
    )
    source.add_argument(
        "--region", metavar="N", type=count(MOST_MACHINES, 16), help="N machines that do all that the rulebook says"
    )
    sub.add_argument("--measurements", metavar="FILE.csv", help="what was measured already; fitted first")
    sub.add_argument("--parameters", metavar="KEY,KEY…", type=keys, help="values to learn about (default as fit)")
    add_seed(sub, "the experiments", natural=True)
    add_output(sub, "--out", "the sheet; CSV and scenes go beside it", "SHEET.html", ending=".html")
    _reading_options(sub)
    add_json(sub)


def _check_options(parts: Commands) -> None:
    sub = command(parts, "check", check, "score a machine on measurements that it has not seen")
    sub.add_argument("machine", metavar="MACHINE.toml", help="a machine, by name or path")
    sub.add_argument("measurements", metavar="MEASUREMENTS.csv", help="columns trial,scene,move,ghost,x,y,space")
    sub.add_argument("--samples", metavar="N", type=count(100_000), default=512, help="hands (default 512)")
    add_seed(sub, "the hands", natural=True)
    add_output(sub, "--html", "write a page with the calibration curve and all rows", ending=".html")
    _reading_options(sub)
    add_json(sub)


def _reading_options(sub: ArgumentParser) -> None:
    sub.add_argument(
        "--noise", metavar="MM", type=_between(0.05, 20.0), default=1.0, help="error of a measured place (default 1 mm)"
    )
    sub.add_argument(
        "--misread", metavar="P", type=_between(0.001, 0.5), default=0.02, help="share of misread rows (default 0.02)"
    )


def _between(low: float, high: float) -> Callable[[str], float]:
    return number(f"a number from {low:g} to {high:g}", lambda value: low <= value <= high)


def fit(options: Namespace, effort: Effort | None = None) -> int:
    """`twin calibrate fit MEASUREMENTS.csv --out MACHINE.toml`; `effort` as suits the number of parameters."""
    out = Path(options.out)
    page = Path(options.html) if options.html else out.with_suffix(".html")
    residuals_file, checkpoint = out.with_suffix(".residuals.csv"), out.with_name(f".{out.name}.checkpoint")
    # Beside a checkpoint, they are what an interrupted fit had written when it was stopped.
    check_output(str(checkpoint), "--out", overwrite=True)
    own = options.overwrite or checkpoint.exists()
    for beside in [residuals_file, *([] if options.html else [page])]:
        check_output(str(beside), "--out", overwrite=own)
    from twin.calibrate.fit.bench import check_bench, read_bench
    from twin.calibrate.fit.budget import effort_for
    from twin.calibrate.fit.fitting import run_fit
    from twin.calibrate.fit.measurements import read_measurements
    from twin.calibrate.fit.problem import DEFAULT, make_problem
    from twin.reports.fit_page import fit_html
    from twin.reports.fit_words import fit_json, fit_lines, residuals_csv

    require_sampler()
    bench = read_bench(Path(options.bench)) if options.bench else ()
    machine = _machine(options)
    check_bench(bench, machine, options.bench or "")
    measurements = read_measurements(Path(options.measurements), machine)
    problem = make_problem(
        measurements, machine, parameters=options.parameters or DEFAULT, bench=bench, reader=_reader(options)
    )
    announce_compiling()
    effort = effort or effort_for(len(problem.parameters))
    progress = Progress(effort.evaluations(len(problem.parameters)), "machines")
    found = run_fit(problem, seed=options.seed, effort=effort, checkpoint=checkpoint, progress=progress)
    residuals = residuals_csv(found, measurements)
    html = fit_html(found, measurements, out.stem)
    text = _machine_text(found, machine, measurements, bench, options)
    # The machine last: where it is, the rest is there too.
    write_whole(residuals_file, residuals)
    write_whole(page, html)
    write_whole(out, text, durable=True)
    checkpoint.unlink(missing_ok=True)
    if options.json:
        print_json(fit_json(found, measurements, str(out)))
        return 0
    paint = paint_for(sys.stdout)
    for line in fit_lines(found, measurements):
        print(paint(line, "red") if line.startswith("!") else line)
    print()
    tell_written(options, out, residuals_file, page)
    return 0


def plan(options: Namespace) -> int:
    """`twin calibrate plan --out SHEET.html`; without a sheet, it only prints."""
    out = None if options.out is None else Path(options.out)
    if out is not None:
        _check_sheet(out, overwrite=options.overwrite)
    from twin.calibrate.experiment_plan import MACHINES, draws_of_ranges, draws_of_region, make_plan
    from twin.calibrate.fit.measurements import read_measurements
    from twin.calibrate.fit.problem import DEFAULT, make_problem
    from twin.reports.plan_sheet import plan_json, plan_lines

    machine = _machine(options)
    names = options.parameters or DEFAULT
    announce_compiling()
    if options.measurements:
        from twin.calibrate.fit.budget import effort_for
        from twin.calibrate.fit.fitting import run_fit

        require_sampler()
        if options.region:
            raise BadInputError(
                "measurements begin with a machine's ranges; leave out --region", source="--measurements"
            )
        measurements = read_measurements(Path(options.measurements), machine)
        problem = make_problem(measurements, machine, parameters=names, reader=_reader(options))
        effort = effort_for(len(problem.parameters))
        progress = Progress(effort.evaluations(len(problem.parameters)), "machines")
        known = run_fit(problem, seed=options.seed, effort=effort, progress=progress).draws
        parameters = problem.parameters
    elif options.region:
        parameters, known = draws_of_region(machine, names, options.region, options.seed)
    else:
        parameters, known = draws_of_ranges(machine, names, options.seed)
    progress = Progress(MACHINES, "machines")
    found = make_plan(
        machine, parameters, known, count=options.count, seed=options.seed, reader=_reader(options), progress=progress
    )
    files = _written(found, out) if out is not None else []
    if options.json:
        print_json(plan_json(found, out, files))
        return 0
    print_lines(plan_lines(found))
    print("" if out is not None else "\nAdd --out next.html for a sheet to print and fill in.")
    tell_written(options, out, *files)
    return 0


def check(options: Namespace) -> int:
    """`twin calibrate check MACHINE.toml MEASUREMENTS.csv`."""
    from twin.board.machine import load_machine
    from twin.calibrate.fit.holdout import check_machine
    from twin.calibrate.fit.measurements import read_measurements
    from twin.reports.check_page import check_html, check_json, check_lines

    machine = load_machine(options.machine)
    measurements = read_measurements(Path(options.measurements), machine)
    announce_compiling()
    checked = check_machine(machine, measurements, options.samples, options.seed, _reader(options))
    if options.html is not None:
        write_whole(Path(options.html), check_html(checked, measurements))
    if options.json:
        print_json(check_json(checked, measurements))
    else:
        print_lines(check_lines(checked))
    tell_written(options, options.html)
    return 0


def _written(found: ExperimentPlan, out: Path) -> list[Path]:
    """Write a plan's sheet, its empty CSV and its scenes; returns all but the sheet."""
    from twin.reports.plan_sheet import scene_folder, sheet_files, sheet_html

    files, html = sheet_files(found, out), sheet_html(found, out)
    try:
        scene_folder(out).mkdir(exist_ok=True)
    except OSError as error:
        raise BadInputError(f"cannot be made: {error.strerror}", source=str(scene_folder(out))) from None
    for path, text in files.items():
        write_whole(path, text)
    write_whole(out, html)
    return list(files)


def _check_sheet(out: Path, *, overwrite: bool) -> None:
    """Refuse a sheet whose files are there; the empty CSV is never written over one that was filled in."""
    from twin.calibrate.fit.sheet import MAX_BYTES
    from twin.files import read_text
    from twin.reports.plan_sheet import scene_folder

    sheet = out.with_suffix(".csv")
    lines = read_text(sheet, MAX_BYTES).splitlines()[1:] if is_taken(sheet) else []
    if any(not line.rstrip().endswith(",,,") for line in lines if line.strip()):
        raise BadInputError("holds results already; choose another name", source=str(sheet), field="--out")
    check_output(str(sheet), "--out", overwrite=overwrite)
    check_free(scene_folder(out), ["*.toml"], "--out", overwrite=overwrite)


def require_sampler() -> None:
    """Raise unless the sampler is installed."""
    if find_spec("emcee") is None:
        raise MissingExtraError("fits need the package emcee: pip install 'mauer-twin[calibrate]'")


def _machine(options: Namespace) -> Machine:
    """The machine that was asked for; else the one that the scenes of the measurements name, if there are any."""
    from twin.board.machine import DEFAULT_MACHINE, load_machine
    from twin.calibrate.fit.measurements import machine_of_scenes

    if options.machine or not options.measurements:
        return load_machine(options.machine or DEFAULT_MACHINE)
    return machine_of_scenes(Path(options.measurements))


def _reader(options: Namespace) -> Reader:
    from twin.calibrate.fit.likelihood import Reader

    return Reader(options.noise, options.misread)


def _machine_text(
    found: Fit, machine: Machine, measurements: Measurements, bench: tuple[BenchValue, ...], options: Namespace
) -> str:
    from twin.calibrate.fit.bench import combined
    from twin.calibrate.fit.machine_file import FittedValue, measured_toml
    from twin.reports.fit_words import verdict

    values = [FittedValue(e.name, found.centre[e.name], e.range) for e in found.estimates]
    fitted = {e.name for e in found.estimates}
    for key in combined(bench):
        if key not in fitted:
            quantity = found.problem.machine.quantities[key]
            values.append(FittedValue(key, quantity.value, quantity.range))
    files = " and ".join(Path(name).name for name in (options.measurements, options.bench) if name)
    notes = [
        f"Fitted to {files}: {len(measurements.rows)} rows of {len(measurements.trials)} trials,",
        f"beginning with the machine {machine.name}, seed {options.seed}. Ranges of measured values hold 99 % of the",
        "posterior, or two standard deviations of a bench measurement. Values from other sources are as they were.",
        f"Misfit: {verdict(found.misfit)}.",
    ]
    return measured_toml(machine, values, f"{Path(options.out).stem}: fitted to measurements", notes)
