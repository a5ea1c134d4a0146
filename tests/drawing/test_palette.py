"""Colours that mean something differ for everybody, whatever kind of colour vision they have."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from twin.drawing.palette import FORCE_CONTACT, FORCE_FRICTION, FORCE_MAGNET, GHOSTS, HIGHLIGHT, NIGHT, PANEL, WRONG

VISION = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
"""What linear red, green and blue become (Machado, Oliveira and Fernandes 2009, severity 1)."""

TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
DAYLIGHT = np.array([0.9505, 1.0, 1.089])


def linear(colour):
    share = np.array(colour[:3]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def seen(colour, vision):
    """A colour in the space CIELAB, in which distances are differences as people see them."""
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ np.clip(np.array(vision) @ linear(colour), 0, 1) / DAYLIGHT, 0.0089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(
    ("colours", "least"),
    [
        (tuple(GHOSTS.values()), 15.0),  # which carry letters, too
        ((FORCE_MAGNET, FORCE_FRICTION, FORCE_CONTACT), 30.0),
        ((HIGHLIGHT, WRONG), 15.0),
    ],
)
def test_colours_can_be_told_apart(vision, colours, least):
    for one, other in itertools.combinations(colours, 2):
        assert np.linalg.norm(seen(one, VISION[vision]) - seen(other, VISION[vision])) > least


@pytest.mark.parametrize("ground", [NIGHT, PANEL])
def test_what_is_told_stands_out_from_its_ground(ground):
    """A contrast of 4.5 and more, as WCAG asks for text."""
    for ink in (HIGHLIGHT, WRONG):
        light, dark = sorted((TO_XYZ[1] @ linear(c) for c in (ink, ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 4.5
