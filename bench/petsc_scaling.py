#!/usr/bin/env python3
"""The engine petsc on 1, 2 … ranks beside the engine iterative with as many threads, one after the other and again, so
that a busy machine is busy for all of them. Prints the quickest of all trials: milliseconds of a step and of its phases,
and the ratios to iterative and to one rank.

    bench/petsc_scaling.py build/brio scenes/bar-98k.json --ranks 1 2 --steps 6 --trials 10
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

PHASES = ["assembly", "factor", "solve"]


def run(command, folder):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    summary = json.loads((folder / "summary.json").read_text())
    times = {"step": summary["step_ms"]["median"], "peak MB": summary["peak_rss_mb"],
             "iterations": summary["engine_iterations"] / summary["steps"]}
    times.update({phase: summary["phase_ms"][phase] for phase in PHASES})
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brio")
    parser.add_argument("scene")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--options", default="", help="of PETSc")
    parser.add_argument("--set", nargs="*", default=[])
    arguments = parser.parse_args()
    threads = max(arguments.ranks)
    best = {}
    with tempfile.TemporaryDirectory() as room:
        folder = pathlib.Path(room) / "out"
        scene = ["run", arguments.scene, "-o", str(folder), "--steps", str(arguments.steps), "--frames", "none",
                 "--checkpoint-every", "none", "--set", "output.every=1000"]
        for value in arguments.set:
            scene += ["--set", value]
        kinds = {"iterative, %d threads" % threads: [arguments.brio] + scene + ["--engine", "iterative", "--threads",
                                                                               str(threads)]}
        for ranks in arguments.ranks:
            kinds["petsc, %d rank%s" % (ranks, "" if ranks == 1 else "s")] = (
                ["mpirun", "--bind-to", "none", "--oversubscribe", "-n", str(ranks), "--mca", "mpi_yield_when_idle", "0",
                 arguments.brio] + scene + ["--engine", "petsc", "--threads", "1"] + arguments.options.split())
        for _ in range(arguments.trials):
            for name, command in kinds.items():
                times = run(command, folder)
                known = best.setdefault(name, times)
                best[name] = {key: min(known[key], times[key]) for key in known}
    columns = ["step"] + PHASES + ["iterations", "peak MB"]
    print("%-22s" % "" + "".join("%12s" % column for column in columns) + "%14s" % "step / iter.")
    reference = best[next(iter(kinds))]
    for name, times in best.items():
        print("%-22s" % name + "".join("%12.1f" % times[column] for column in columns) +
              "%14.2f" % (times["step"] / reference["step"]))


if __name__ == "__main__":
    main()
