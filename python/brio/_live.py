"""A simulation in people's hands: the live page on an object of Python."""

import atexit
import html
import os
import sys
import time
import warnings

from ._brio import Error
from ._errors import SceneWarning

_open = []  # what is live keeps itself: a page may be the only one that knows of it


@atexit.register
def _close_all():
    for live in list(_open):
        live.close()


class Live:
    """The page of a simulation that is live: `address` opens it in a browser of this machine. Until close() the clock of the
    page steps the simulation, and people drag it; from Python it can be looked at, pushed (sim.forces) and driven. Ends by
    close(), by the end of a `with` block, or by a button on the page. In a notebook it shows the page."""

    def __init__(self, simulation, host, port):
        self._simulation = simulation
        self.address = simulation._session.go_live(host, port)
        _open.append(self)

    @property
    def is_open(self):
        """False once it was closed, here or on the page."""
        return self in _open and not self._simulation._session.live_is_over

    def wait(self):
        """Waits until the page hands the simulation back, or Ctrl-C; then closes."""
        try:
            while self.is_open:
                time.sleep(0.1)
        except KeyboardInterrupt:
            print("", file=sys.stderr)  # after the ^C of the terminal
        self.close()

    def close(self):
        """The simulation goes on in Python from where the people have left it, with what they changed."""
        if self not in _open:
            return
        _open.remove(self)
        trouble = self._simulation._taken_back()
        if trouble:
            warnings.warn(f"live: {trouble}", SceneWarning, stacklevel=2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<brio.Live at {self.address}>" if self.is_open else "<brio.Live, closed>"

    def _repr_html_(self):
        if not self.is_open:
            return html.escape(repr(self))
        address = html.escape(self.address, quote=True)
        return (f'<iframe src="{address}" title="brio live" allow="fullscreen" style="width:100%;height:720px;border:0"></iframe>'
                f'<p><a href="{address}" target="_blank">brio live in a window of its own</a></p>')


def go_live(simulation, block, browser, host, port):
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise Error(f"port: expected a whole number from 0 (any that is free) to 65535, got {port!r}")
    if not isinstance(host, str):
        raise Error(f"host: expected an address such as \"127.0.0.1\", got {host!r}")
    live = Live(simulation, host, port)
    if not (host == "localhost" or host.startswith("127.")):
        warnings.warn(f"host {host}: whoever can reach this machine and knows the address, which is sent without encryption, can "
                      "move the bodies", SceneWarning, stacklevel=3)
    # A browser of the desktop, where there is one; webbrowser would open one in the terminal otherwise.
    if browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        import webbrowser  # takes a while, and few need it
        webbrowser.open(live.address)
    if not block:
        return live
    print(f"{live.address}\nOpen it in a browser; Ctrl-C, or the button on the page, gives the simulation back to Python.", flush=True)
    live.wait()
    return None
