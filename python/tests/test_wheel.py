"""The package as a wheel, and as installed: used where there is nothing else of brio."""

import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from common import PROGRAM, ROOT, Case

BUILD = Path(PROGRAM).parent


def use(folder):
    """Takes a step with the package in that folder."""
    code = ("import brio, sys; sim = brio.Simulation(sys.argv[1]); sim.step(); "
            "print(brio.__file__, repr(sim.energy.kinetic))")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    printed = subprocess.run([sys.executable, "-c", code, ROOT / "scenes/bar-1k.json"], check=True, capture_output=True,
                             text=True, cwd=folder, env=environment | {"PYTHONPATH": str(folder)}).stdout
    return printed.split()


class Packages(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_wheel(self):
        # The wheel is made from the source distribution. That would compile brio from the beginning; BRIO_BUILD spares it that.
        done = subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", self.folder, ROOT / "python"],
                              capture_output=True, text=True, env=os.environ | {"BRIO_BUILD": str(BUILD)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (wheel,) = self.folder.glob("brio-*.whl")
        self.assertNotIn("none-any", wheel.name)
        (source,) = self.folder.glob("brio-*.tar.gz")
        with tarfile.open(source) as archive:
            names = {name.split("/", 1)[-1] for name in archive.getnames()}
            archive.extractall(self.folder / "unpacked")
        self.assertLessEqual({"source/CMakeLists.txt", "source/src/brio/brio.hpp", "brio/__init__.py", "setup.py"}, names)
        # What is in it is enough for CMake; to compile it all again takes minutes, and was done by hand.
        (root,) = self.folder.glob("unpacked/brio-*/source")
        done = subprocess.run(["cmake", "-S", root, "-B", self.folder / "build", "-DCMAKE_BUILD_TYPE=Release"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        zipfile.ZipFile(wheel).extractall(self.folder / "used")
        file, kinetic = use(self.folder / "used")
        self.assertTrue(file.startswith(str(self.folder)), file)
        self.assertTrue((self.folder / "used/brio/__init__.pyi").exists())
        self.assertEqual(kinetic, use(BUILD / "python")[1])

    def test_install(self):
        subprocess.run(["cmake", "-DCMAKE_INSTALL_PREFIX=" + str(self.folder), "-P", BUILD / "python/cmake_install.cmake"],
                       check=True, capture_output=True)
        (package,) = self.folder.glob("lib/python3*/site-packages")
        file, _ = use(package)
        self.assertTrue(file.startswith(str(self.folder)), file)


if __name__ == "__main__":
    unittest.main()
