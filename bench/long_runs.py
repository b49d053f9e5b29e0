#!/usr/bin/env python3
"""Long runs: many steps of a dozen scenes. Does the memory stay, does a step take as long in the end as in the beginning, are the
energies still those that the method promises, are the files bounded?

long_runs.py PROGRAM FOLDER [STEPS [SCENE ...]]
"""

import csv
import json
import statistics
import subprocess
import sys
from pathlib import Path

SCENES = Path(__file__).resolve().parent.parent / "scenes"
RUNS = [  # scene, integrator ("" for the scene's own)
    ("two-springs", ""), ("spinning-spring", ""), ("double-pendulum", ""), ("ere-cape", ""), ("muscle-arm", ""),
    ("stabilized-spinning-cube", ""), ("bar-1k", "glim"), ("ere-cloth-on-sphere", ""), ("conjac-muscle-vanilla", ""),
    ("tumbling-block", ""), ("quasi-newton-fiber-cube", ""), ("bone-chain", ""),
]


def resident_mb(pid):
    """Memory of a running process; None when it has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def rows_of(table):
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def run(program, scene, integrator, steps, folder):
    command = [program, "run", SCENES / f"{scene}.json", "--steps", str(steps), "-o", folder, "--threads", "1", "--set", "output.every=100"]
    if integrator:
        command += ["--integrator", integrator]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory = []
    while process.poll() is None:
        if (now := resident_mb(process.pid)) is not None:
            memory.append(now)
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            pass
    summary = json.loads((folder / "summary.json").read_text())
    rows = rows_of(folder / "energy.csv")
    tenth = max(1, len(rows) // 10)
    times = [float(row["step_ms"]) for row in rows[1:]]
    # Without its start: files are read and pages of memory touched for the first time.
    settled = memory[len(memory) // 10:] or memory
    energies = [float(row["total"]) for row in rows]
    books = [float(row["total"]) - float(row["injected"]) + float(row["dissipated"]) for row in rows]
    return {
        "scene": scene + (f" ({integrator})" if integrator else ""),
        "status": summary["status"],
        "steps": summary["steps"],
        "memory": (settled[0], settled[-1]),
        "step_ms": (statistics.median(times[:tenth]), statistics.median(times[-tenth:])),
        "energy": (energies[0], energies[-1], max(books) - books[0]),
        "files": (len((folder / "report.html").read_bytes()) / 1e6),
    }


def main():
    program, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    print("| scene | ends | memory in MB, early → late | median step in ms, first → last tenth | energy in J, first → last; most above the books | page in MB |")
    print("|---|---|---|---|---|---|")
    for scene, integrator in RUNS:
        if sys.argv[4:] and scene not in sys.argv[4:]:
            continue
        found = run(program, scene, integrator, steps, folder / scene)
        print("| {scene} | {status}, {steps} | {memory[0]:.1f} → {memory[1]:.1f} | {step_ms[0]:.3g} → {step_ms[1]:.3g} | "
              "{energy[0]:.5g} → {energy[1]:.5g}; {energy[2]:.2g} | {files:.1f} |".format(**found), flush=True)


if __name__ == "__main__":
    main()
