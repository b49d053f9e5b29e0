"""Takes what CMake builds (the target brio_python) into a wheel. BRIO_BUILD names another build folder than ../build."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parents[1]
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


def version():
    return re.search(r"project\(brio VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


WORK.mkdir(parents=True, exist_ok=True)
setup(version=version(), packages=["brio"], package_data={"brio": ["*.pyi", "py.typed"]},
      ext_modules=[Extension("brio._brio", [])], cmdclass={"build_ext": BuildByCMake},
      options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}})
