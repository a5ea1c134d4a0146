"""HTML pages from the templates beside this module; each holds its styles and pictures and loads nothing else."""

from __future__ import annotations

import base64
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def html_page(template: str, title: str, **values: object) -> str:
    """The page `templates/<template>.html`; text in `values` is escaped, but for SVG and JSON."""
    return _environment().get_template(f"{template}.html").render(title=title, **values)


def data_url(png: bytes) -> str:
    """A picture as an address that contains it.

    >>> data_url(b"PNG")
    'data:image/png;base64,UE5H'
    """
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def is_number_text(text: str) -> bool:
    """Whether a cell of a table stands to the right: its text begins with a number.

    >>> is_number_text("<1 %"), is_number_text("-0.5"), is_number_text("c4"), is_number_text("")
    (True, True, False, False)
    """
    return text.strip().lstrip("<>+-")[:1].isdigit()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("twin.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"data_url": data_url, "thousands": "{:,}".format}
    environment.tests["number_text"] = is_number_text
    return environment
