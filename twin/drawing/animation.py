"""Files of pictures: still ones, and moving ones as GIF, WebP or MP4."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from twin.errors import BadInputError, MissingExtraError
from twin.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STILL: Final = (".png",)
MOVING: Final = (".gif", ".webp", ".mp4")
RATES: Final = {".gif": 25, ".webp": 25, ".mp4": 50}
"""Pictures a second. A GIF counts hundredths of a second, so that 25 and 50 are kept exactly."""

PALETTE: Final = 96
"""Colours of a GIF, one palette for all its pictures: a palette of its own for each would flicker and weigh more."""

_SAMPLES: Final = 6
"""Pictures from which that palette is taken."""

_QUALITY: Final = 82


def ending_of(path: Path) -> str:
    """The kind of picture that a file's name asks for; refuses what cannot be made, before anything is computed."""
    ending = path.suffix.lower()
    if ending not in STILL + MOVING:
        raise BadInputError(
            f"a picture's file must end in {', '.join(STILL + MOVING)}", source=str(path), field="--out"
        )
    if ending == ".mp4":
        encoder()
    return ending


def encoder() -> str:
    """The program that writes MP4 files, or a `MissingExtraError` that explains how to get one."""
    if find_spec("imageio_ffmpeg") is not None:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    found = shutil.which("ffmpeg")
    if found is None:
        raise MissingExtraError(
            "MP4 needs an encoder: install ffmpeg or `pip install imageio-ffmpeg`, or write a .gif or .webp instead"
        )
    return found


def write_still(path: Path, picture: Image.Image) -> None:
    """Write one picture as PNG."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    write_whole(path, buffer.getvalue())


def write_moving(path: Path, pictures: Sequence[Image.Image], holds: tuple[float, float]) -> None:
    """Write pictures at the rate of their kind; the first and the last are held for so long (s)."""
    ending = path.suffix.lower()
    rate = RATES[ending]
    durations = [1000 // rate] * len(pictures)
    durations[0] += round(1000 * holds[0])
    durations[-1] += round(1000 * holds[1])
    if ending == ".mp4":
        repeats = [max(round(duration * rate / 1000), 1) for duration in durations]
        write_whole(path, _mp4(pictures, repeats, rate))
        return
    buffer = io.BytesIO()
    if ending == ".gif":
        palette = _palette(pictures)
        reduced = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
        reduced[0].save(
            buffer,
            "GIF",
            save_all=True,
            append_images=reduced[1:],
            duration=durations,
            loop=0,
            optimize=False,
            disposal=1,
        )
    else:
        options = {"duration": durations, "loop": 0, "quality": _QUALITY, "method": 3}
        pictures[0].save(buffer, "WEBP", save_all=True, append_images=pictures[1:], **options)
    write_whole(path, buffer.getvalue())


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """One palette for all, taken from pictures spread over the whole time."""
    chosen = [pictures[round(k * (len(pictures) - 1) / (_SAMPLES - 1))] for k in range(_SAMPLES)]
    sheet = Image.new("RGB", (chosen[0].width, chosen[0].height * _SAMPLES))
    for k, picture in enumerate(chosen):
        sheet.paste(picture, (0, k * picture.height))
    return sheet.quantize(PALETTE, method=Image.Quantize.MEDIANCUT)


def _mp4(pictures: Iterable[Image.Image], repeats: Iterable[int], rate: int) -> bytes:
    """The pictures as H.264, which wants even sizes."""
    frames = [picture.crop((0, 0, picture.width // 2 * 2, picture.height // 2 * 2)) for picture in pictures]
    width, height = frames[0].size
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "turn.mp4"
        words = [
            *(encoder(), "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"),
            *("-r", str(rate), "-i", "-", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-threads", "1"),
            *("-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", str(target)),
        ]
        raw = b"".join(frame.tobytes() * times for frame, times in zip(frames, repeats, strict=True))
        run = subprocess.run(words, input=raw, capture_output=True, check=False)  # noqa: S603 - our own words
        if run.returncode != 0 or not target.is_file():
            raise MissingExtraError(f"the MP4 encoder failed: {run.stderr.decode(errors='replace').strip()[-200:]}")
        return target.read_bytes()
