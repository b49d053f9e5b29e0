"""What notebooks show: a page in a frame, or a picture, with flat shading into a small PNG by NumPy alone."""

import html
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

from . import _brio


def _png(pixels):
    height, width, _ = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines.tobytes())) + chunk(b"IEND", b"")


def _camera(up):
    """Rows: right, up, towards the viewer; from the front, a little from the side and above."""
    up = np.asarray(up, float) / np.linalg.norm(up)
    side = np.cross([0.0, 1.0, 0.0] if abs(up[1]) < 0.9 else [0.0, 0.0, 1.0], up)
    front = np.cross(up, side / np.linalg.norm(side))
    towards = front * -0.8 + side / np.linalg.norm(side) * 0.45 + up * 0.4
    towards /= np.linalg.norm(towards)
    right = np.cross(up, towards)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(towards, right), towards])


def picture(positions, triangles, up=(0, 1, 0), size=360):
    """PNG bytes."""
    eye = np.asarray(positions, float) @ _camera(up).T
    used = eye[np.unique(triangles)] if len(triangles) else eye
    low, high = used.min(axis=0), used.max(axis=0)
    scale = 0.9 * size / max(high[0] - low[0], high[1] - low[1], 1e-300)
    eye = (eye - (low + high) / 2) * scale
    eye[:, :2] = eye[:, :2] * [1, -1] + size / 2
    pixels = np.full((size, size, 3), 255, np.uint8)
    depth = np.full((size, size), -np.inf)
    for corners in eye[triangles]:
        x, y = corners[:, 0], corners[:, 1]
        twice_area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
        if twice_area == 0 or not np.isfinite(twice_area):
            continue
        left, right = max(int(x.min()), 0), min(int(x.max()) + 1, size - 1)
        top, bottom = max(int(y.min()), 0), min(int(y.max()) + 1, size - 1)
        if left > right or top > bottom:
            continue
        px, py = np.arange(left, right + 1) + 0.5, np.arange(top, bottom + 1)[:, None] + 0.5
        b = ((px - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (py - y[0])) / twice_area
        c = ((x[1] - x[0]) * (py - y[0]) - (px - x[0]) * (y[1] - y[0])) / twice_area
        z = corners[0, 2] + b * (corners[1, 2] - corners[0, 2]) + c * (corners[2, 2] - corners[0, 2])
        box = (slice(top, bottom + 1), slice(left, right + 1))
        seen = (b >= 0) & (c >= 0) & (b + c <= 1) & (z > depth[box])
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        light = 0.35 + 0.65 * abs(normal @ [0.3, -0.5, 0.8]) / np.linalg.norm(normal)
        depth[box][seen] = z[seen]
        pixels[box][seen] = (np.array([90, 150, 210]) * min(light, 1.2)).clip(0, 255).astype(np.uint8)
    return _png(pixels)


def html_frame(file, caption):
    """A page in a frame; what it holds is in the notebook itself."""
    page = html.escape(file.read_text(encoding="utf-8"), quote=True)
    return (f"<p>{html.escape(caption)}</p>"
            f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" style="width:100%;height:640px;border:0"></iframe>')


def in_notebook():
    """Whether this Python works for a notebook, and not for a script or a terminal."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")


class Shown:
    """What a notebook shows: the page that _write_page(folder) writes as report.html, or the picture of _drawn() (positions,
    triangles and what is up) where there is no room for a page in the notebook, and where a notebook shows no pages."""

    _LARGEST_PAGE = 30_000_000  # [byte]
    _MOST_TRIANGLES = 20_000  # that NumPy draws while somebody waits

    def _repr_html_(self):
        if not _brio.has_pages():  # built without the viewer
            return None
        with tempfile.TemporaryDirectory(prefix="brio-page-") as folder:
            self._write_page(folder)
            file = Path(folder) / "report.html"
            return html_frame(file, self._caption()) if file.stat().st_size <= self._LARGEST_PAGE else None

    def _repr_png_(self):
        positions, triangles, up = self._drawn()
        return picture(positions, triangles, up) if len(triangles) <= self._MOST_TRIANGLES else None
