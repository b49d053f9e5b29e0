#!/usr/bin/env python3
"""How much of the energy that could swing si, lim and glim keep, scene by scene: the table of docs/lim.md.

reach.py PROGRAM FOLDER [PART OF A NAME]

Each scene runs at its own step. `peak` is how far glim's energy, less what came from outside, ever was above its beginning, as a share of
what could swing (left out where si loses too little to tell), `pieces` are those of glim in a step, `solves` all that it solved for.
"""

import csv
import json
import subprocess
import sys
from pathlib import Path

SCENES = Path(__file__).resolve().parent.parent / "scenes"
STIFF = ["materials[0].E=1e8", "materials[1].E=1e10"]  # a hundred times
ROWS = [  # name, scene, what is set
    ("bar-5k", "bar-5k", []),
    *((f"bar-1k, E = {E}", "bar-1k", [f"materials[0].E={E}"]) for E in ("1e5", "5e6", "5e7", "2e8", "5e9")),
    ("bar of 1e5 and 1e8 in turn", "two-materials", []),
    ("twisted-bar", "twisted-bar", []),
    ("honeycomb", "honeycomb", []),
    ("siere-honeycomb", "siere-honeycomb", []),
    ("siere-honeycomb x 100", "siere-honeycomb", STIFF),
    ("siere-hanging-ball", "siere-hanging-ball", []),
    ("siere-hanging-ball x 100", "siere-hanging-ball", STIFF),
    ("siere-cuboid", "siere-cuboid", []),
    ("rope", "rope", ["steps=300"]),
    ("siere-bouncing-ball", "siere-bouncing-ball", []),
    ("ball-drop", "ball-drop", []),
    ("spinning-bar", "spinning-bar", []),
    ("tumbling-block", "tumbling-block", []),
    ("three-bodies", "three-bodies", []),
    ("bone-chain", "bone-chain", []),
    ("shaken-cylinder", "shaken-cylinder", []),
]


def two_materials(path):
    """bar-1k with every other slice of its sixteen a thousand times as stiff."""
    scene = json.loads((SCENES / "bar-1k.json").read_text())
    along, across, size = 16, 4, 0.025
    at = lambda i, j, k: (i * (across + 1) + j) * (across + 1) + k
    points = [[i * size, j * size, k * size] for i in range(along + 1) for j in range(across + 1) for k in range(across + 1)]
    tets, regions = [], []
    for i in range(along):
        for j in range(across):
            for k in range(across):
                corner = lambda bits: at(i + bits // 4, j + bits // 2 % 2, k + bits % 2)
                even = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]
                for tet in even if (i + j + k) % 2 == 0 else [[b ^ 1 for b in t] for t in even]:
                    v = [corner(b) for b in tet]
                    e = [[points[w][a] - points[v[0]][a] for a in range(3)] for w in v[1:]]
                    det = sum(e[0][a] * (e[1][(a + 1) % 3] * e[2][(a + 2) % 3] - e[1][(a + 2) % 3] * e[2][(a + 1) % 3]) for a in range(3))
                    tets += v if det > 0 else [v[1], v[0], *v[2:]]
                    regions.append(i % 2)
    law = scene["materials"][0]
    scene["mesh"] = {"generate": "given", "vertices": points, "tets": tets, "regions": regions}
    scene["materials"] = [{**law, "region": r, "E": E} for r, E in ((0, 1e5), (1, 1e8))]
    path.write_text(json.dumps(scene))


def measure(program, folder, scene, sets):
    command = [program, "compare", scene, "--integrators", "si,lim,glim", "-o", folder, "--set", "output.every=1000"]
    for one in sets:
        command += ["--set", one]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    with open(folder / "compare.csv", newline="") as file:
        rows = {row["label"]: row for row in csv.DictReader(file)}
    number = lambda method, column: float(rows[method][column] or "nan")
    kept = {m: f"{100 * number(m, 'energy_kept'):.1f} %" if rows[m]["status"] == "finished" else "lost" for m in rows}
    steps = number("glim", "steps")
    with open(folder / "compare_series.csv", newline="") as file:
        books = {}
        for row in csv.DictReader(file):
            books.setdefault(row["run"], []).append(float(row["total"]) - float(row["injected"]) + float(row["dissipated"]))
    lost = 1 - number("si", "energy_kept")
    swings = (books["si"][0] - books["si"][-1]) / lost
    peak = f"{100 * (max(books['glim']) - books['glim'][0]) / swings:.2f} %" if lost > 0.1 else ""
    cost = sum(number("glim", p) for p in ("assembly_ms", "factor_ms", "solve_ms", "other_ms")) / sum(
        number("si", p) for p in ("assembly_ms", "factor_ms", "solve_ms", "other_ms"))
    return kept, peak, number("glim", "pieces") / steps, number("glim", "solves") / steps, cost


def main(program, folder, part=""):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    two_materials(folder / "two-materials.json")
    print("| scene | `si` | `lim` | `glim` | peak | pieces | solves | cost |\n|---|---|---|---|---|---|---|---|", flush=True)
    for name, scene, sets in ROWS:
        if part not in name:
            continue
        path = folder / "two-materials.json" if scene == "two-materials" else SCENES / f"{scene}.json"
        kept, peak, pieces, solves, cost = measure(program, folder / name.replace(" ", "_"), path, sets)
        print(f"| {name} | {kept['si']} | {kept['lim']} | {kept['glim']} | {peak} | {pieces:.1f} | {solves:.1f} | {cost:.2f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
