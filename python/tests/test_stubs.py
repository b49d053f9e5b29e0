"""The stubs and the reference page say what the package has."""

import ast
import contextlib
import io
import subprocess
import sys
import unittest

import brio
from common import ROOT, Case


def stub_names():
    """Names of the stub's top level, and the members of its classes."""
    tree = ast.parse((ROOT / "python/brio/__init__.pyi").read_text())
    names, members = set(), {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            members[node.name] = {part.name if isinstance(part, ast.FunctionDef) else part.target.id for part in node.body
                                  if isinstance(part, (ast.FunctionDef, ast.AnnAssign))}
    return names, members


class Stubs(Case):
    def test_every_public_name(self):
        names, members = stub_names()
        self.assertEqual({name for name in names if not name.startswith("_")}, set(brio.__all__) | {"list"})
        for name, listed in members.items():
            if name.startswith("_"):
                continue
            own = {member for member in vars(getattr(brio, name)) if not member.startswith("_")}
            with self.subTest(name):
                public = {member for member in listed if not member.startswith("_")}
                self.assertLessEqual(own - {"count", "index"}, public)
        self.assertIn("stiffness", members["Simulation"])

    def test_arguments(self):
        import inspect
        tree = ast.parse((ROOT / "python/brio/__init__.pyi").read_text())
        seen = 0
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                continue
            arguments = [argument.arg for argument in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
            real = [name for name, p in inspect.signature(getattr(brio, node.name)).parameters.items()
                    if p.kind != p.VAR_KEYWORD]
            self.assertEqual(arguments, real, node.name)
            seen += 1
        self.assertGreater(seen, 5)

    def test_the_reference_page_is_what_the_package_says(self):
        made = subprocess.run([sys.executable, ROOT / "tools/python_api.py"], check=True, capture_output=True, text=True,
                              encoding="utf-8").stdout
        self.assertGreater(made.count("\n- `"), 60)
        page = (ROOT / "docs/python-api.md").read_text(encoding="utf-8")
        self.assertEqual(page, made, "run: PYTHONPATH=build/python python3 tools/python_api.py > docs/python-api.md")

    def test_the_page_has_code_that_runs(self):
        """The blocks of docs/python.md, one after the other, as somebody would type them."""
        import os
        import re
        import tempfile
        import warnings
        page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"\n```python\n(.*?)\n```", page, re.DOTALL)
        self.assertGreater(len(blocks), 7)
        space, before = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.symlink(ROOT / "scenes", f"{folder}/scenes")
            os.chdir(folder)
            try:
                for number, block in enumerate(blocks):
                    with self.subTest(number):
                        with contextlib.redirect_stdout(io.StringIO()):
                            exec(compile(block, f"docs/python.md block {number}", "exec"), space)
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
