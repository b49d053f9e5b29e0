#!/usr/bin/env python3
"""Runs one telling scene for each method and draws what it shows, for the pages of docs/.
usage: method_curves.py BRIO OUT IMAGES"""

import csv
import math
import statistics
import subprocess
import sys
from pathlib import Path

from svg_chart import panel, write

COLORS = {'si': '#a9b2c0', 'be': '#a9b2c0', 'bdf2': '#46a9b0', 'im': '#1d2733', 'ere': '#9063a8', 'stabilized': '#2f6fb6', 'newton': '#1d2733',
           'genalpha': '#4f9a5f', 'rk4': '#d1495b', 'ksiere': '#2f6fb6', 'quasi-newton': '#2f6fb6', 'projective': '#e08a2e', 'chebyshev': '#4f9a5f',
           'newton-cg': '#9063a8', 'one dynamic node': '#2f6fb6', 'all vertices dynamic': '#a9b2c0'}


def brio(program, *arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read(path, label, x, y, keep=1):
    """{label: [(x, y), ...]} of a table, every keep-th row; rows without a number are left out."""
    curves = {}
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            if row[y] not in ('', 'nan'):
                curves.setdefault(row[label], []).append((float(row[x]), float(row[y])))
    return {name: points[::keep] + points[-1:] for name, points in curves.items()}


def draw(images, name, title, x_name, y_name, curves, x_range, y_range, **more):
    write(images / f'{name}.svg', [panel(title, x_name, y_name, curves, x_range, y_range, colors=COLORS, **more)])
    print(name)


def damping(program, out, images):
    brio(program, 'damping', '-o', out)
    curves = read(out / 'damping.csv', 'integrator', 'h_omega', 'measured_d_over_omega', keep=2)
    shown = ('si', 'bdf2', 'genalpha', 'im', 'ere', 'ksiere')
    curves = {name: [(math.log10(x), y) for x, y in curves[name] if x <= 10] for name in shown}
    draw(images, 'integrators-damping', 'Damping of a vibration by the step', 'h times ω of the vibration', 'd / ω', curves, (-2, 1), (-0.05, 0.9),
         x_ticks=[(-2, '0.01'), (-1, '0.1'), (0, '1'), (1, '10')], dashed=('ere',))


def cube(program, out, images):
    brio(program, 'compare', 'scenes/stabilized-spinning-cube.json', '--steps', 300, '--integrators', 'be,im,stabilized', '-o', out)
    curves = read(out / 'compare_series.csv', 'run', 'time', 'total', keep=2)
    ceiling = 2 * curves['be'][0][1] / 1e3
    curves = {name: [(t, y / 1e3) for t, y in points if y / 1e3 <= ceiling] for name, points in curves.items()}
    draw(images, 'stabilized-cube', 'Spinning cube, h = 0.033 s', 'time [s]', 'total energy [kJ]', curves, (0, 9.9), (0, ceiling))


def cloth(program, out, images):
    brio(program, 'compare', 'scenes/ere-cloth.json', '--integrators', 'si,ere,im', '-o', out)
    curves = read(out / 'compare_series.csv', 'run', 'time', 'kinetic')
    high = max(y for points in curves.values() for _, y in points)
    draw(images, 'ere-cloth', 'Cloth, shaken from 1 to 1.5 s', 'time [s]', 'kinetic energy [J]', curves, (0, 5), (0, high))


def solvers(program, out, images):
    brio(program, 'converge', 'scenes/quasi-newton-squirrel.json', '--frame', 5, '-o', out)
    curves = {}
    with open(out / 'converge.csv', newline='') as file:
        for row in csv.DictReader(file):
            if row['chart'] == 'Error against time' and row['curve'] in ('newton', 'newton-cg', 'quasi-newton', 'projective', 'chebyshev'):
                curves.setdefault(row['curve'], []).append((float(row['x']), max(1e-8, float(row['y']))))

    def pace(points):
        """Time of an iteration: the median, so that what else the machine does drops out."""
        times = [0] + [t for t, _ in points]
        return statistics.median(b - a for a, b in zip(times, times[1:]))

    unit, end = pace(curves['newton']), 5
    curves = {name: [((i + 1) * pace(points) / unit, math.log10(y)) for i, (_, y) in enumerate(points)] for name, points in curves.items()}
    curves = {name: [p for p in points if p[0] <= end] for name, points in curves.items()}
    low = min(y for points in curves.values() for _, y in points)
    draw(images, 'quasi-newton-converge', 'One step of the squirrel, 8,309 vertices', "time, in iterations of Newton's method", 'log10 of the error', curves,
         (0, end), (low, 0), markers=True)


def node(program, out, images):
    curves = {}
    for label, scene in (('all vertices dynamic', 'conjac-twist-vanilla'), ('one dynamic node', 'conjac-twist')):
        brio(program, 'run', f'scenes/{scene}.json', '-o', out / scene, '--frames', 'none')
        with open(out / scene / 'probe.csv', newline='') as file:
            curves[label] = [(float(row['time']), 1e3 * float(row['x'])) for row in csv.DictReader(file)][::4]
    values = [y for points in curves.values() for _, y in points]
    draw(images, 'conjac-twist', 'The middle of a bar whose end is moved about', 'time [s]', 'x of the middle [mm]', curves, (0, 5.5),
         (min(values) - 1, max(values) + 1))


def main():
    program, out, images = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for picture in (damping, cube, cloth, solvers, node):
        picture(program, out / picture.__name__, images)


if __name__ == '__main__':
    main()
