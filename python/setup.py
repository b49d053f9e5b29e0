"""Takes what CMake builds (the target brio_python) into a wheel. BRIO_BUILD names another build folder than ../build. A source
distribution has all of the project in its folder `source`, from which the wheel is built there."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
ROOT = HERE / "source" if (HERE / "source").exists() else HERE.parent
BUILD = Path(os.environ.get("BRIO_BUILD", ROOT / "build")).resolve()
WORK = BUILD / "python-wheel"  # what setuptools leaves behind


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        if not (BUILD / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release"], check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "brio_python"], check=True)
        module = Path(self.get_ext_fullpath(extension.name))
        module.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BUILD / "python" / "brio" / module.name, module)


class WithSource(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
        for file in filter(None, tracked.split("\0")):
            target = Path(base_dir) / "source" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, target)


def version():
    return re.search(r"project\(brio VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


WORK.mkdir(parents=True, exist_ok=True)
setup(version=version(), packages=["brio"], package_data={"brio": ["*.pyi", "py.typed"]},
      ext_modules=[Extension("brio._brio", [])], cmdclass={"build_ext": BuildByCMake, "sdist": WithSource},
      options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}})
