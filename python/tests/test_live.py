"""A simulation of Python in people's hands."""

import base64
import gc
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import warnings
import weakref
from pathlib import Path

import numpy as np

import brio
from common import Case, bar, python, simulate

HERE = Path(__file__).resolve().parent
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NODE = shutil.which("node") or shutil.which("nodejs")


class Hand:
    """One client of the live page, without a browser: says actions, hears texts."""

    def __init__(self, address):
        url = urllib.parse.urlsplit(address)
        self.socket = socket.create_connection((url.hostname, url.port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /socket?{url.query} HTTP/1.1\r\nHost: {url.netloc}\r\nOrigin: http://{url.netloc}\r\n"
                             f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        assert b"101" in head.split(b"\r\n")[0], head

    def say(self, action, **values):
        text = json.dumps({"do": action, **values}).encode()
        length = struct.pack("!BBH", 0x81, 0x80 | 126, len(text))
        self.socket.sendall(length + b"\0\0\0\0" + text)

    def _take(self, count):
        while len(self.bytes) < count:
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionError
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def hear(self, kind):
        """The next message of that kind."""
        while True:
            first, length = self._take(2)
            if length == 126:
                length, = struct.unpack("!H", self._take(2))
            elif length == 127:
                length, = struct.unpack("!Q", self._take(8))
            payload = self._take(length)
            if first & 15 == 1 and (message := json.loads(payload))["type"] == kind:
                return message

    def until(self, condition):
        """The first status for which it holds."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if condition(status := self.hear("status")):
                return status
        raise AssertionError("waited in vain")

    def close(self):
        self.socket.close()


def grab(sim, hand, away=(0, 0.3, 0)):
    """Takes the drawn vertex that reaches furthest along x, which is one of the tip."""
    surface = np.unique(sim.surface)
    tip = int(np.argmax(sim.positions[surface, 0]))
    hand.say("grab", run=0, vertices=[tip], weights=[1], target=(sim.positions[surface[tip]] + away).tolist())


class Live(Case):
    def tearDown(self):
        from brio._live import _open
        self.assertEqual(_open, [], "a test has left a page open")

    def test_the_simulation_goes_on_from_where_the_hand_has_left_it(self):
        sim = simulate("glim")
        for _ in sim.steps(5):
            pass
        x, forces, generation = sim.positions, sim.forces, sim._session.generation
        kept = weakref.ref(sim)
        with sim.live(block=False) as live:
            self.assertTrue(live.is_open)
            self.assertIn("127.0.0.1", live.address)
            hand = Hand(live.address)
            self.assertEqual(hand.hear("owner")["owner"], "Python")
            status = hand.until(lambda s: s["time"] > 0.2)
            self.assertEqual(status["runs"][0]["method"], "glim")
            grab(sim, hand)
            hand.until(lambda s: s["runs"][0]["injected"] > 1e-4)
            self.assertGreater(x[:, 1].max(), 0.1)  # a view from before shows the motion
            self.assertEqual(sim._session.generation, generation)
            self.assertGreater(sim.energy.injected, 0)
            self.assertGreater(sim.time, 0.2)
            self.assertEqual(sim.stiffness().shape, (3 * len(sim.free),) * 2)
            forces[:] = 0
            hand.say("pause")
            hand.until(lambda s: not s["playing"])
            there, t = x.copy(), sim.time
            hand.close()
        self.assertFalse(live.is_open)
        np.testing.assert_array_equal(sim.positions, there)
        np.testing.assert_array_equal(x, there)
        self.assertEqual(sim.time, t)
        self.assertGreater(sim.energy.injected, 0)
        steps = sim.report.step
        report = sim.step()
        self.assertEqual(report.step, steps + 1)
        self.assertAlmostEqual(report.time, t + sim.h, 12)
        self.assertFalse((x == there).all(), "the view goes on with the simulation")
        state = sim.checkpoint()
        there = [sim.step().total for _ in range(3)]
        sim.restore(state)
        self.assertEqual([sim.step().total for _ in range(3)], there)
        del sim, live, x, forces
        gc.collect()
        self.assertIsNone(kept(), "nothing keeps a simulation that was live")

    def test_untouched_it_has_the_bits_of_one_that_was_never_live(self):
        for method in ("si", "glim", "ksiere", "bdf2"):
            with self.subTest(method):
                sim, plain = simulate(method), simulate(method)
                for one in (sim, plain):
                    for _ in one.steps(3):
                        pass
                with sim.live(block=False) as live:
                    hand = Hand(live.address)
                    hand.say("pause")
                    hand.until(lambda s: not s["playing"])
                    hand.close()
                for _ in range(sim.report.step - 3):
                    plain.step()
                np.testing.assert_array_equal(sim.positions, plain.positions)

    def test_what_people_change_stays_changed(self):
        sim = simulate()
        with sim.live(block=False) as live:
            hand = Hand(live.address)
            parameters = hand.hear("parameters")["runs"][0]["parameters"]
            number = next(i for i, p in enumerate(parameters) if p["path"] == "materials[0].E")
            hand.say("set", run=0, index=number, value=4e5)
            step = next(i for i, p in enumerate(parameters) if p["path"] == "integrator.h")
            hand.hear("parameters")
            hand.say("set", run=0, index=step, value=0.005)
            hand.until(lambda s: s["runs"][0]["h"] == 0.005)
            time_then = sim.time
            hand.until(lambda s: s["time"] > time_then + 0.05)
            hand.close()
        self.assertEqual(sim.scene.to_dict()["materials"][0]["E"], 4e5)
        self.assertEqual(sim.h, 0.005)
        t = sim.time
        sim.step()
        self.assertAlmostEqual(sim.time, t + 0.005, 12)
        state = sim.checkpoint()
        again = brio.Simulation.from_checkpoint(state)
        self.assertEqual(again.step().total, sim.step().total)

    def test_a_cut_by_hand(self):
        sim = simulate()
        x = sim.positions
        n = len(x)
        with sim.live(block=False) as live:
            hand = Hand(live.address)
            hand.hear("scene")
            hand.say("cut", **{"from": [0.2, -0.5, 0.05], "to": [0.2, 0.5, 0.05], "eye": [0.2, 0.0, 2.0]})
            hand.hear("scene")
            hand.close()
            with self.refuses("cut"):
                x.sum()
            self.assertGreater(len(sim.positions), n)
        self.assertGreater(len(sim.positions), n)
        self.assertEqual(len(sim.scene.to_dict()["cuts"]), 1)
        state = sim.checkpoint()
        total = sim.step().total
        sim.restore(state)
        self.assertEqual(sim.step().total, total)

    def test_forces_and_supports_from_python_act_while_it_is_live(self):
        sim = simulate(constraints=[{"set": "wall", "motion": "driven"}])
        with sim.live(block=False) as live:
            hand = Hand(live.address)
            sim.drive("wall", [0, 0, 0.05])
            sim.forces[sim.sets["tip"]] = (0, 2, 0)
            t = sim.time
            hand.until(lambda s: s["time"] > t + 0.3)
            self.assertGreater(sim.positions[sim.sets["wall"], 2].min(), 0.004)
            self.assertGreater(sim.energy.injected, 1e-6)
            hand.say("reset")
            hand.say("pause")
            hand.until(lambda s: not s["playing"])
            self.assertEqual(sim.positions[sim.sets["wall"], 2].min(), 0)
            hand.close()
        self.assertEqual(sim.forces[sim.sets["tip"]][0, 1], 2)

    def test_what_cannot_be_while_it_is_live_is_refused(self):
        sim = simulate()
        with sim.live(block=False):
            for name, call in {"step()": sim.step, "checkpoint()": sim.checkpoint, "live()": lambda: sim.live(block=False),
                               "set_state()": lambda: sim.set_state(velocities=0 * sim.velocities)}.items():
                with self.subTest(name), self.refuses(name, "live", "close()"):
                    call()
        sim.step()
        for wrong, parts in {"port": {"port": 70000}, "host": {"host": 5}, "--host": {"host": "no.such"}}.items():
            with self.subTest(wrong), self.refuses(wrong):
                sim.live(block=False, browser=False, **parts)
        sim.step()
        with simulate().live(block=False) as first:
            port = int(first.address.split(":")[2].split("/")[0])
            with self.refuses("cannot listen", str(port)):
                sim.live(block=False, port=port)
        sim.step()

    def test_the_page_hands_it_back(self):
        sim = simulate()
        live = sim.live(block=False)
        hand = Hand(live.address)
        hand.hear("status")
        waited = threading.Thread(target=live.wait)
        waited.start()
        hand.say("end")
        waited.join(60)
        self.assertFalse(waited.is_alive())
        self.assertFalse(live.is_open)
        hand.close()
        sim.step()

    def test_ctrl_c_ends_it_and_the_script_goes_on(self):
        code = ("import brio, json, sys; sim = brio.Simulation(json.loads(sys.argv[1])); sim.live(browser=False); "
                "t = sim.time; sim.step(); print('went on', sim.time > t)")
        child = subprocess.Popen([sys.executable, "-c", code, json.dumps(bar())], stdout=subprocess.PIPE, text=True)
        address = child.stdout.readline()
        self.assertIn("http://127.0.0.1", address)
        hand = Hand(address.strip())
        hand.until(lambda s: s["time"] > 0)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0)
        self.assertIn("went on True", out)
        hand.close()

    def test_python_can_end_while_a_page_is_open(self):
        printed = python("import brio, json, sys; live = brio.Simulation(json.loads(sys.argv[1])).live(block=False); print(live.is_open)",
                         json.dumps(bar()))
        self.assertEqual(printed, "True")

    def test_a_law_of_python_runs_and_its_exceptions_are_said(self):
        broken = threading.Event()

        @brio.energy(stiffness=20.0)
        def leash(x, stiffness):
            if broken.is_set():
                raise ZeroDivisionError("the leash has snapped")
            return stiffness / 2 * np.sum(x**2), stiffness * x

        sim = brio.Simulation(bar(energies=[{"kind": "leash", "set": "tip"}]))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with sim.live(block=False) as live:
                hand = Hand(live.address)
                hand.until(lambda s: s["time"] > 0.05)
                broken.set()
                status = hand.until(lambda s: s["runs"][0]["trouble"])
                self.assertIn("the leash has snapped", status["runs"][0]["trouble"])
                broken.clear()
                t = status["time"]
                hand.say("rewind", seconds=0.05)
                hand.until(lambda s: s["time"] > t + 0.05 and not s["runs"][0]["trouble"])
                hand.close()
        self.assertEqual([w for w in said if issubclass(w.category, brio.SceneWarning)], [])
        sim.step()

    def test_many_times_over(self):
        sim = simulate()
        for _ in range(5):
            t = sim.time
            with sim.live(block=False) as live:
                hand = Hand(live.address)
                hand.until(lambda s: s["time"] > t)
                hand.close()
            sim.step()


@unittest.skipUnless(CHROMIUM and NODE and brio._brio.has_pages(), "needs Chromium, Node.js and the viewer")
class Browser(Case):
    def test_a_drag_in_chromium(self):
        sim = simulate("glim")
        with tempfile.TemporaryDirectory() as folder:
            live = sim.live(block=False)
            picture = os.environ.get("BRIO_PICTURES", folder) + "/python_live.png"
            done = subprocess.run([NODE, HERE / "drive_live.mjs", live.address, picture], capture_output=True, text=True)
            live.close()
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["button"], "Back to Python")
        self.assertIn("has the simulation again", seen["ended"])
        self.assertGreater(seen["injected"], 1e-4)
        self.assertNotEqual(sim.energy.injected, 0)  # a hand also takes
        self.assertEqual(seen["complaints"], [])
        sim.step()

    def test_a_notebook_shows_the_live_page_in_a_frame(self):
        sim = simulate("glim")
        with sim.live(block=False) as live:
            self.assertEqual(complaints_of(self, live._repr_html_(), "notebook_live", served=True), [])
        self.assertNotIn("iframe", live._repr_html_())

    def test_notebooks_show_pages(self):
        sim = brio.Simulation(bar(), record=True)
        for _ in sim.steps(30):
            pass
        things = {"simulation": sim, "simulation_now": simulate("glim"), "mesh": brio.mesh("hippo", vertices=300),
                  "comparison": brio.compare(bar(), ["si", "glim"], steps=10)}
        for name, thing in things.items():
            with self.subTest(name):
                html = thing._repr_html_()
                self.assertIn("<iframe srcdoc=", html)
                self.assertEqual(complaints_of(self, html, f"notebook_{name}"), [])


def complaints_of(case, html, name, served=False):
    """What the browser complains about when it opens a page around it, as a notebook has it. A body must be seen in the frame."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "notebook.html"
        file.write_text(f"<!doctype html><meta charset=utf-8><h1>A notebook</h1>{html}", encoding="utf-8")
        page, server = str(file), None
        if served:  # from this machine's server, as notebooks are
            import functools
            import http.server

            class Quiet(http.server.SimpleHTTPRequestHandler):
                def log_message(self, *_):
                    pass

            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            page = f"http://localhost:{server.server_port}/notebook.html"
        picture = os.environ.get("BRIO_PICTURES", folder) + f"/{name}.png"
        done = subprocess.run([NODE, HERE / "look.mjs", page, picture, "60"], capture_output=True, text=True)
        if server:
            server.shutdown()
            server.server_close()
        case.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        case.assertGreaterEqual(seen["body"], 1000, "no body is seen in the frame")
        return [text for text in seen["complaints"] if "favicon" not in text]


if __name__ == "__main__":
    unittest.main()
