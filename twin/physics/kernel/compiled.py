"""Compiling functions with numba, and keeping their machine code between runs.

numba's own cache does not notice when a function that another one calls has changed, fails for good on a damaged
file, and cannot be checked before it unpickles. This one keeps what numba makes of a function in the twin's cache, in a
folder named after all sources that are compiled in. Whatever is wrong with a file, the function is compiled anew.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, overload

import numba
from numba.core import compiler, serialize
from numba.core.caching import NullCache

from twin.caches import KERNEL, Cache, cache_folder, notice

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F")

_rebuild: Final[Any] = compiler.CompileResult._rebuild  # noqa: SLF001 - what numba's own cache does
_dumps: Final[Any] = serialize.dumps

_LOWER: Final = (
    *("board/expectation", "board/grid", "board/state"),
    *("physics/friction", "physics/hand", "physics/laws", "physics/magnets", "physics/numerics"),
)
"""Modules outside this package whose constants and functions are compiled in."""

HOME: Final = Cache(cache_folder())
"""Where compiled code is kept: the cache folder as it was when the kernel was loaded."""


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A short hash of all sources that the compiled code comes from."""
    here = Path(__file__).parent
    root = here.parent.parent
    sources = [*sorted(here.glob("*.py")), *(root / f"{name}.py" for name in _LOWER)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


@overload
def compiled(
    function: F, *, home: Cache = ..., error_model: Literal["python", "numpy"] = ..., parallel: bool = ...
) -> F: ...
@overload
def compiled(
    *, home: Cache = ..., error_model: Literal["python", "numpy"] = ..., parallel: bool = ...
) -> Callable[[F], F]: ...
def compiled(
    function: Any = None,
    *,
    home: Cache = HOME,
    error_model: Literal["python", "numpy"] = "numpy",
    parallel: bool = False,
) -> Any:
    """Have a function compiled when it is first called, as `numba.njit` does, or taken from the cache."""
    if function is None:
        return lambda other: compiled(other, home=home, error_model=error_model, parallel=parallel)
    dispatcher: Any = numba.njit(error_model=error_model, parallel=parallel)(function)
    if hasattr(dispatcher, "enable_caching"):  # NUMBA_DISABLE_JIT leaves functions as they are
        dispatcher._cache = _KeptCode(function, home)  # noqa: SLF001 - where `enable_caching` puts numba's own
    return dispatcher


def is_compiled() -> bool:
    """Whether compiled code from an earlier run is at hand."""
    return HOME.holds(_folder("batch._some"))


def compiling() -> str:
    """What to tell people who wait while the kernel is compiled."""
    obstacle = HOME.obstacle()
    again = ", once" if obstacle is None else f" for this run alone, since its code cannot be kept ({obstacle})"
    return f"compiling the batch kernel{again}: this takes up to half a minute …"


class _KeptCode(NullCache):
    """The machine code of one function, for each signature that it was called with."""

    def __init__(self, function: Any, home: Cache) -> None:  # noqa: ANN401 - any function
        self._function, self._home = function, home
        name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self._name = _folder(re.sub(r"[^\w.]", "", name))

    @property
    def cache_path(self) -> str:
        return str(self._home.folder)

    def load_overload(self, sig: object, target_context: Any) -> Any:  # noqa: ANN401 - as numba calls it
        """The compiled function, or None to have it compiled."""
        target_context.refresh()
        content = self._home.load(self._name, self._recipe(sig, target_context.codegen()))
        if content is not None:
            try:
                return _rebuild(target_context, *pickle.loads(content))  # noqa: S301 - this user's own file
            except Exception:  # noqa: BLE001, S110 - whatever numba does not like about it, compiling is the remedy
                pass
        notice(compiling())
        return None

    def save_overload(self, sig: object, data: Any) -> None:  # noqa: ANN401 - as numba calls it
        """Keep a compiled function unless it holds addresses of this process."""
        if not data.library.has_dynamic_globals and not data.lifted:
            self._home.keep(self._name, self._recipe(sig, data.codegen), _dumps(data._reduce()))  # noqa: SLF001

    def _recipe(self, sig: object, codegen: Any) -> str:  # noqa: ANN401
        """All that machine code depends on beside the sources."""
        code = hashlib.sha256(self._function.__code__.co_code).hexdigest()
        return repr((self._name, code, sys.version, numba.__version__, codegen.magic_tuple(), sig))


def _folder(name: str) -> str:
    return f"{KERNEL}-{code_hash()}/{name}"
