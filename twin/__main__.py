"""`python -m twin` is the command `twin`."""

from __future__ import annotations

import sys

from twin.cli import main

sys.exit(main())
