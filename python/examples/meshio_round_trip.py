"""A mesh from brio to meshio, into a file, back, and into a simulation."""

import tempfile
from pathlib import Path

import meshio

import brio
from sweep import SCENE


def main():
    mesh = brio.mesh("hippo", vertices=2000)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mesh.vtu"
        meshio.write(file, meshio.Mesh(mesh.V, [("tetra", mesh.T)]))
        read = meshio.read(file)
    again = brio.Mesh(read.points, read.cells_dict["tetra"])
    scene = {key: value for key, value in SCENE.items() if key not in ("sets", "constraints")}
    sim = brio.Simulation(scene | {"mesh": again})
    sim.step()
    return mesh, again, sim


if __name__ == "__main__":
    print(main()[2])
