#!/usr/bin/env python3
"""What a step of the engine petsc would take on many ranks, by the model of docs/petsc.md: what was measured on one and
two ranks, and a network of stated latency and bandwidth. Prints the table of that page.

    bench/petsc_projection.py
"""
import math

# Of bar-1m on one rank and on two, idle cores, split into what is divided and what every rank does [s]; split as the
# processor time of a busy machine, which was twice as much.
ASSEMBLY = 109e-9     # a tetrahedron
SETUP = 1.1e-6        # a vertex: diagonal blocks, rows of the coarse matrix
ITERATION = 87e-9     # a vertex and iteration
VECTORS = 0.45e-6     # a vertex: the rest that is divided
WHOLE = 0.15e-6       # a vertex: what every rank does for all of them
FACTOR = 0.1          # of the coarse matrix of a million tetrahedra; grows as the square of it
SOLUTION = 0.22e-6    # a coarse unknown and iteration, with that factor
BORDER_FACTOR = 1e-11  # a cubed unknown of the border between ranks, on every rank
# The same with GAMG for the coarse matrix (bar-98k, half of what a busy machine took): divided.
GAMG_SETUP = 5e-6     # a coarse unknown
GAMG_CYCLE = 0.3e-6   # a coarse unknown and iteration
ITERATIONS, GAMG_ITERATIONS = 90, 112

TETS_PER_VERTEX = 5.6
GROUP = 80            # vertices of a group, six unknowns each
ALL_REDUCES = 2       # an iteration
GATHERS = 3           # of a whole vector, a step: gradient, solution, reactions
NEIGHBORS = 26

# Measured: bytes of the first rank.
PROGRAM = 54e6
MEMORY_WHOLE = 310    # a tetrahedron of all
MEMORY_OWN = 410      # a tetrahedron of its own
MEMORY_FACTOR = 150e6  # of the coarse matrix of a million tetrahedra

# A cluster, assumed.
LATENCY = 2e-6        # of a message [s]
BANDWIDTH = 10e9      # of a rank's link [B/s]


def border(tets, ranks):
    """Coarse unknowns between ranks: half of six faces of each, or the one section of a 4:1:1 bar in two."""
    groups = tets / TETS_PER_VERTEX / GROUP
    return 6 * {1: 0, 2: (groups / 4) ** (2 / 3)}.get(ranks, 3 * ranks * (groups / ranks) ** (2 / 3))


def is_factored(tets, ranks):
    """Whether the coarse matrix is factored (petsc/rigid_groups.cpp)."""
    return 6 * tets / TETS_PER_VERTEX / GROUP / ranks <= 24000 and border(tets, ranks) <= 2400


def step(tets, ranks):
    """Seconds of the parts of a step."""
    n = tets / TETS_PER_VERTEX
    own = n / ranks
    side = own ** (1 / 3)
    unknowns = 6 * n / GROUP
    several = ranks > 1
    tree = 2 * LATENCY * math.ceil(math.log2(ranks))  # there and back
    halo = several * (6 * side ** 2 * 24 / BANDWIDTH + NEIGHBORS * LATENCY)
    if is_factored(tets, ranks):
        iterations = ITERATIONS
        shared = border(tets, ranks)
        coarse = FACTOR * (tets / 1e6 / ranks) ** 2 + BORDER_FACTOR * shared ** 3
        coarse += iterations * SOLUTION * (unknowns / ranks + shared)
        coarse_messages = several * (tree + 8 * shared / BANDWIDTH)
    else:
        iterations = GAMG_ITERATIONS
        coarse = (GAMG_SETUP + iterations * GAMG_CYCLE) * unknowns / ranks
        levels = math.ceil(math.log(unknowns / 50) / math.log(8))
        coarse_messages = several * levels * 6 * NEIGHBORS * LATENCY  # two smoothings and the ways down and up
    return {
        "assembly": ASSEMBLY * tets / ranks * (1 + several * 3 / side),  # elements at the border twice
        "iterations": (SETUP + VECTORS + iterations * ITERATION) * own,
        "coarse": coarse,
        "messages": iterations * (halo + ALL_REDUCES * tree + coarse_messages),
        "whole": WHOLE * n + several * GATHERS * 24 * n / BANDWIDTH,
    }


def short(value):
    return "%.0f" % value if value >= 10 else "%.2g" % value


def memory(tets, ranks):
    return PROGRAM + MEMORY_WHOLE * tets + MEMORY_OWN * tets / ranks + is_factored(tets, ranks) * MEMORY_FACTOR * tets / 1e6 / ranks


def main():
    print("| tetrahedra | ranks | assembly | iterations | coarse matrix | messages | whole vectors | a step | times one rank | GB a rank |")
    print("|" + "---|" * 10)
    for tets in (1e6, 1e7, 1e8):
        one = sum(step(tets, 1).values())
        for ranks in (1, 2, 16, 128, 1000):
            parts = step(tets, ranks)
            total = sum(parts.values())
            row = ["%.0fM" % (tets / 1e6), "%d" % ranks] + [short(value) for value in parts.values()]
            row += [short(value) for value in (total, one / total, memory(tets, ranks) / 1e9)]
            print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
