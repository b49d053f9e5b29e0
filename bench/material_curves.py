#!/usr/bin/env python3
"""Draws the stress of every law of `brio list materials` over the stretch for docs/materials.md.
usage: material_curves.py BRIO OUT IMAGES"""

import csv
import json
import subprocess
import sys
from pathlib import Path

from svg_chart import panel, write

YOUNG = {'E': 1e5, 'nu': 0.4}
MU, LAMBDA = 1e5 / 2.8, 1e5 * 0.4 / (1.4 * 0.2)

# Samples that agree for small strains, as far as the law lets them: E = 100 kPa, nu = 0.4.
LAWS = {
    'arap': {'mu': MU},
    'corotated': YOUNG,
    'stvk': YOUNG,
    'neo-hookean': YOUNG,
    'stable-neo-hookean': YOUNG,
    'mooney-rivlin': YOUNG,
    'valanis-landel-polynomial': {'a': [MU, 0, 2 * MU], 'c': [LAMBDA / 2]},
    'valanis-landel-spline': {'a': [[0.3, -1.8e5], [0.7, -2.2e4], [1, 0], [1.3, 2.2e4], [1.8, 1.5e5], [2.5, 6e5]],
                              'c': [[0.5, -LAMBDA / 2], [1, 0], [1.5, LAMBDA / 2]]},
}
FIBERS = {'fiber-quadratic': {}, 'fiber-stvk': {}, 'fiber-fung': {'b': 1}}
MATRIX = {'law': 'corotated', 'E': 1e4, 'nu': 0.3, 'rho': 1000}

SIDES = {'Stress, sides free': 'sides free', 'Stress, sides held': 'sides held',
         'Stress, all sides stretched alike': 'all sides alike'}
COLORS = {'sides free': '#2f6fb6', 'sides held': '#e08a2e', 'all sides alike': '#9aa4b2',
           'matrix alone': '#9aa4b2', 'with fiber': '#2f6fb6', 'with fiber, tension_only': '#e08a2e',
           'arap': '#9aa4b2', 'corotated': '#1d2733', 'stvk': '#d1495b', 'neo-hookean': '#2f6fb6',
           'stable-neo-hookean': '#4f9a5f', 'mooney-rivlin': '#e08a2e', 'valanis-landel-polynomial': '#9063a8',
           'valanis-landel-spline': '#46a9b0'}


def stresses(brio, out, material, least=0.3, most=2):
    """Stress [kPa] over stretch of one material, for each kind of test."""
    scene = out / 'material.json'
    scene.parent.mkdir(parents=True, exist_ok=True)
    scene.write_text(json.dumps({'mesh': {'generate': 'box', 'size': [1, 1, 1], 'cells': [1, 1, 1]},
                                 'materials': [{'rho': 1000, **material}],
                                 'integrator': {'name': 'si', 'h': 0.01}, 'steps': 1}))
    subprocess.run([brio, 'material', scene, '-o', out, '--from', str(least), '--to', str(most)], check=True,
                   stdout=subprocess.DEVNULL)
    curves = {}
    with open(out / 'material.csv', newline='') as file:
        for row in csv.DictReader(file):
            if row['chart'] in SIDES and 'fitted' not in row['curve'] and row['y'] not in ('', 'nan'):
                curves.setdefault(SIDES[row['chart']], []).append((float(row['x']), float(row['y']) / 1e3))
    return {kind: points[::3] for kind, points in curves.items()}


def inside(points, low, high):
    """The part of a curve around rest that lies in the frame, ended on its edge."""
    def side(path):
        kept = []
        for x, y in path:
            if not low <= y <= high:
                (x0, y0), edge = kept[-1], low if y < low else high
                return kept + [(x0 + (x - x0) * (edge - y0) / (y - y0), edge)]
            kept.append((x, y))
        return kept
    return side([p for p in points if p[0] < 1][::-1])[::-1] + side([p for p in points if p[0] >= 1])


def chart(path, title, curves, x_range, y_range):
    curves = {label: inside(points, *y_range) for label, points in curves.items()}
    write(path, [panel(title, 'stretch', 'stress [kPa]', curves, x_range, y_range, colors=COLORS)])


def main():
    brio, out, images = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    together = {}
    for law, options in LAWS.items():
        curves = stresses(brio, out, {'law': law, **options})
        together[law] = curves['sides free']
        chart(images / f'material-{law}.svg', law, curves, (0.3, 2), (-200, 300))
    chart(images / 'material-all.svg', 'Sides free', together, (0.3, 2), (-200, 300))
    for law, options in FIBERS.items():
        fiber = {'law': law, 'kappa': 1e5, 'direction': [1, 0, 0], **options}
        curves = {'matrix alone': stresses(brio, out, MATRIX)['sides held'],
                  'with fiber, tension_only': stresses(brio, out, {**MATRIX, 'fiber': {**fiber, 'tension_only': True}})['sides held'],
                  'with fiber': stresses(brio, out, {**MATRIX, 'fiber': fiber})['sides held']}
        chart(images / f'material-{law}.svg', law, curves, (0.3, 2), (-100, 300))
    print(f'{len(LAWS) + len(FIBERS)} laws drawn in {images}')


if __name__ == '__main__':
    main()
