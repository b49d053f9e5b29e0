#!/usr/bin/env python3
"""Runs the SIERE paper's scenes with several methods and draws their energies for docs/siere-scenes.md.
usage: scene_curves.py BRIO OUT IMAGES"""

import csv
import subprocess
import sys
from pathlib import Path

from svg_chart import HEIGHT, panel, write

COLORS = {'si': '#a9b2c0', 'si psd=none': '#d1495b', 'siere modes=1': '#e08a2e', 'siere modes=5': '#e08a2e',
           'siere modes=20': '#c25b1e', 'ksiere': '#2f6fb6', 'ksiere cut=100': '#4f9a5f', 'ere': '#9063a8', 'im': '#1d2733'}

SCENES = [
    ('siere-rope', 'Rope, uncoiling', 'si:psd=none,si,siere:modes=1,ksiere'),
    ('siere-cuboid', 'Cuboid, one turn, neo-Hookean', 'si:psd=none,si,siere:modes=5,siere:modes=20,ksiere'),
    ('siere-cuboid-arap', 'Cuboid, one turn, ARAP', 'si:psd=none,si,siere:modes=5,siere:modes=20,ksiere'),
    ('siere-hanging-ball', 'Hanging ball', 'si,siere:modes=5,ksiere,ksiere:cut=100,ere,im'),
    ('siere-honeycomb', 'Honeycomb', 'si,siere:modes=5,ksiere,ere,im'),
    ('siere-bouncing-ball', 'Bouncing ball', 'si,siere:modes=5,ksiere,im'),
]


def energies(brio, scene, methods, out):
    subprocess.run([brio, 'compare', f'scenes/{scene}.json', '--integrators', methods, '-o', out / scene], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    runs = {}
    with open(out / scene / 'compare_series.csv', newline='') as file:
        for row in csv.DictReader(file):
            runs.setdefault(row['run'], []).append((float(row['time']), float(row['total'])))
    return runs


def main():
    brio, out, images = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for scene, title, methods in SCENES:
        runs = energies(brio, scene, methods, out)
        # A run that exploded must not flatten the others: the axis goes a little beyond the energy at the start.
        usual = [y for label, points in runs.items() if label != 'si psd=none' for _, y in points]
        start = next(iter(runs.values()))[0][1]
        low = min(usual)
        high = min(max(usual), start + 0.5 * abs(start - low)) if start > low else max(usual)
        margin = 0.05 * (high - low)
        last = max(points[-1][0] for points in runs.values())
        write(images / f'{scene}.svg', [panel(title, 'time [s]', 'total energy [J]', runs, (0, last),
                                              (low - margin, high + margin), colors=COLORS, dashed=('si psd=none',))])
        print(f'{scene}: ' + ', '.join(f'{label} to {points[-1][0]:g} s' for label, points in runs.items()))


if __name__ == '__main__':
    main()
