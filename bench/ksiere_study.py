#!/usr/bin/env python3
"""Draws the tables that ksiere_study has written, and prints them as docs/ksiere.md shows them.
usage: ksiere_study.py TABLES IMAGES"""

import csv
import math
import sys
from pathlib import Path

from svg_chart import HEIGHT, panel, write

COLORS = {
    'si': '#a9b2c0', 'siere 5': '#e08a2e', 'siere 12': '#c25b1e', 'siere 20': '#c25b1e', 'im': '#1d2733',
    'ksiere depth 2': '#7fb3e6', 'ksiere depth 2 forgetful': '#9063a8', 'ksiere': '#2f6fb6', 'ksiere cut 3': '#4f9a5f', 'ksiere cut 10': '#8fc39b',
    'si clamp': '#a9b2c0', 'siere 5 clamp': '#e08a2e', 'ksiere clamp': '#2f6fb6',
    'ksiere middle': '#46a9b0', 'glim': '#d1495b',
}


def read(folder, name):
    with open(folder / f'{name}.csv', newline='') as file:
        return list(csv.DictReader(file))


def table(title, header, rows):
    print(f'\n{title}\n\n| ' + ' | '.join(header) + ' |\n|' + '---|' * len(header))
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')


def grouped(rows, *keys):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    return groups


def modes(tables, images):
    runs = {label: rows for (label,), rows in grouped(read(tables, 'modes'), 'method').items()}
    shown = ['si', 'siere 5', 'siere 12', 'ksiere depth 2 forgetful', 'ksiere depth 2', 'ksiere', 'glim']
    lines = {m: [(int(r['mode']), float(r['energy'])) for r in runs[m]] for m in shown}
    names = [(int(r['mode']), f"{float(r['h_omega']):.2f}") for r in runs['si']]
    write(images / 'ksiere-modes.svg', [panel('Twelve modes with equal energy, after 50 steps', 'hω of the mode',
          'energy kept', lines, (0.6, 12.4), (0, 2), names, markers=True, dashed=('siere 12',), colors=COLORS)])
    worst = lambda rows: max(abs(float(r['energy']) - 1) for r in rows)
    table('Linear bar, twelve modes', ['method', 'least kept', 'most kept', 'worst change', 'solves a step'],
          [[label, f"{min(float(r['energy']) for r in rows):.4f}", f"{max(float(r['energy']) for r in rows):.4f}",
            f'{100 * worst(rows):.2g} %', rows[0]['solves']] for label, rows in runs.items()])


def kept(rows):
    """Share of the energy above the lowest potential energy of all runs of a case that is left at the end."""
    floor = min(float(r['least_potential']) for r in rows if r['status'] == 'finished')
    return {r['method']: (float(r['end']) - floor) / (float(r['start']) - floor) for r in rows}


def stiffness(tables, images):
    cases = grouped(read(tables, 'stiffness-table'), 'case')
    lines, rows = {}, {}
    for (E,), runs in cases.items():
        for label, share in kept(runs).items():
            lines.setdefault(label, []).append((math.log10(float(E)), share))
            rows.setdefault(label, []).append(f'{share:.3f}')
    write(images / 'ksiere-stiffness.svg', [panel('Swinging bar, 200 steps of 0.01 s', "Young's modulus [Pa]",
          'energy kept', lines, (4.9, 10.1), (0, 1.05), [(e, f'1e{e}') for e in range(5, 11)], markers=True, colors=COLORS)])
    table('Energy kept', ['method'] + [E for (E,) in cases], [[label] + shares for label, shares in rows.items()])
    for name in ('solves', 'step_ms'):
        table(name, ['method'] + [E for (E,) in cases],
              [[label] + [next(r[name] for r in runs if r['method'] == label) for runs in cases.values()]
               for label in rows])


def series(tables, images, name, title, shown, y_range=None, dashed=()):
    cases = grouped(read(tables, f'{name}-series'), 'case')
    panels = []
    for i, ((case,), rows) in enumerate(cases.items()):
        runs = {label: [(float(r['time']), float(r['energy'])) for r in rs]
                for (label,), rs in grouped(rows, 'method').items()}
        lines = {m: runs[m] for m in shown}
        values = [y for points in lines.values() for _, y in points]
        low, high = y_range(case, values) if y_range else (min(values), max(values))
        margin = 0.05 * (high - low)
        panels.append(panel(title.format(case), 'time [s]', 'energy [J]', lines, (0, lines[shown[0]][-1][0]),
                            (low - margin, high + margin), dashed=dashed, top=HEIGHT * i, colors=COLORS))
    write(images / f'ksiere-{name}.svg', panels)
    header = ['case', 'method', 'status', 'start [J]', 'most [J]', 'end [J]', 'solves', 'projected steps', 'ms']
    table(name, header, [[r['case'], r['method'], r['status'], f"{float(r['start']):.3f}", f"{float(r['most']):.3f}",
                          f"{float(r['end']):.3f}", r['solves'], r['projections'], r['step_ms']]
                         for r in read(tables, f'{name}-table')])


def main():
    tables, images = Path(sys.argv[1]), Path(sys.argv[2])
    modes(tables, images)
    stiffness(tables, images)
    series(tables, images, 'two-materials', 'Bar, soft at the wall and stiff at the tip: {} Pa',
           ['si', 'siere 5', 'siere 20', 'ksiere', 'ksiere middle', 'glim', 'im'])
    series(tables, images, 'twist', 'Twisted cuboid, {}: energy less what the supports put in',
           ['si', 'siere 5', 'siere 20', 'ksiere', 'ksiere clamp', 'ksiere middle', 'glim', 'im'],
           lambda case, values: (0, 3) if case == 'one turn' else (-80, 10), dashed=('ksiere clamp',))
    series(tables, images, 'ball', 'Bouncing ball, h = {} s', ['si', 'siere 5', 'siere 20', 'ksiere', 'ksiere middle', 'glim', 'im'])
    table('Cost of a step', ['bar', 'method', 'over si', 'solves'],
          [[r['bar'], r['method'], r['step_over_si'], r['solves']] for r in read(tables, 'cost')])


if __name__ == '__main__':
    main()
