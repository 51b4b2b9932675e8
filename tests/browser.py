"""A headless Chromium, driven by its own protocol over a pipe: no further package is needed."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), "")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--font-render-hinting=none", "--hide-scrollbars"),
    "--remote-debugging-pipe",
)
PATIENCE = 240  # seconds for an answer
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36}
KEYS |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    """One tab. ``errors`` collects what goes wrong in pages, ``requests`` what they ask for."""

    def __init__(self, profile_folder: Path) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._rest = b""
        self._number = 0
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # the protocol's numbers are 3 and 4, which may be taken here
        ends = [fcntl.fcntl(own, fcntl.F_DUPFD_CLOEXEC, 10) for own in (to_browser, from_browser)]
        self._process = os.posix_spawn(
            CHROMIUM,
            [CHROMIUM, *OPTIONS, f"--user-data-dir={profile_folder}", "about:blank"],
            os.environ,
            file_actions=[
                *((os.POSIX_SPAWN_DUP2, own, to) for own, to in zip(ends, (3, 4), strict=True)),
                *((os.POSIX_SPAWN_OPEN, to, os.devnull, os.O_WRONLY, 0) for to in (1, 2)),
            ],
            setsid=True,
        )
        for own in (to_browser, from_browser, *ends):
            os.close(own)
        self._session = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def close(self) -> None:
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._read)
        os.close(self._write)

    def _ask(self, method: str, **parameters):
        """Send a command and wait for its answer; note events that come before it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for answer in self._messages():
                if answer.get("id") == self._number:
                    if "error" in answer:
                        raise RuntimeError(f"{method}: {answer['error']}")
                    return answer["result"]
        raise TimeoutError(method)

    def _messages(self):
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], PATIENCE)[0]:
                return
            self._rest += os.read(self._read, 1 << 20)
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        self._note(message.get("method"), message.get("params", {}))
        yield message

    def _note(self, method: str | None, told) -> None:
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["exceptionDetails"])[:2000])
        elif method == "Runtime.consoleAPICalled" and told["type"] in {
            "error",
            "assert",
            "warning",
        }:
            self.errors.append(json.dumps(told["args"])[:2000])
        elif method == "Log.entryAdded" and told["entry"]["level"] in {"error", "warning"}:
            self.errors.append(told["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])

    def open(self, path: Path, *, width=1280, height=900, dark=False) -> None:
        """Open a file, and wait until it says that it is ready."""
        self.resize(width, height)
        self.media(dark=dark)
        self._ask("Page.navigate", url=path.absolute().as_uri())
        until = time.monotonic() + PATIENCE
        while not self.run("document.documentElement?.dataset.ready ?? null"):
            if time.monotonic() > until:
                raise TimeoutError(f"{path} does not get ready: {self.errors}")
            time.sleep(0.02)

    def resize(self, width: int, height: int) -> None:
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def media(self, *, dark=False, paper=False) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask(
            "Emulation.setEmulatedMedia", media="print" if paper else "screen", features=[scheme]
        )

    def run(self, script: str):
        """Evaluate JavaScript in the page; return what JSON can hold."""
        found = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:2000])
        return found["result"].get("value")

    def press(self, *keys: str) -> None:
        for key in keys:
            own = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper()))}
            own |= {"code": key if len(key) > 1 else ""}
            text = "\r" if key == "Enter" else key if len(key) == 1 else ""
            self._ask("Input.dispatchKeyEvent", type="keyDown", text=text, **own)
            self._ask("Input.dispatchKeyEvent", type="keyUp", **own)

    def click(self, selector: str, *, across=0.5, down=0.5) -> None:
        """Click with the mouse into an element, at a share of its width and height."""
        self.first(selector, "own.scrollIntoView({block: 'center', inline: 'center'})")
        left, top, width, height = self.first(
            selector, "(({left, top, width, height}) => [left, top, width, height])"
            "(own.getBoundingClientRect())"
        )  # fmt: skip
        x, y = left + width * across, top + height * down
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, selector: str, text: str) -> None:
        """Replace what stands in a field, and leave it."""
        self.first(selector, "own.focus(), own.select()")
        self._ask("Input.insertText", text=text)
        self.press("Tab")

    def settle(self) -> None:
        """Wait until transitions have ended and all is painted."""
        self.run(
            "new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(1)), 250))"
        )

    def save_downloads(self, folder: Path) -> None:
        self._ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def wait_for(self, path: Path) -> None:
        until = time.monotonic() + PATIENCE
        while not path.exists():
            if time.monotonic() > until:
                raise TimeoutError(f"{path} is not saved")
            time.sleep(0.02)

    def each(self, selector: str, script: str) -> list:
        """Evaluate JavaScript for each element, ``own``, that a selector finds."""
        return self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((own) => ({script}))"
        )

    def first(self, selector: str, script: str):
        return self.run(f"((own) => ({script}))(document.querySelector({json.dumps(selector)}))")

    def texts(self, selector: str) -> list[str]:
        return self.each(selector, "own.textContent")

    def count(self, selector: str) -> int:
        return len(self.each(selector, "0"))

    def screenshot(self, *, whole=True) -> bytes:
        found = self._ask(
            "Page.captureScreenshot",
            format="png",
            captureBeyondViewport=whole,
            **({"clip": {**self._size(), "x": 0, "y": 0, "scale": 1}} if whole else {}),
        )
        return base64.b64decode(found["data"])

    def _size(self):
        return self.first("html", "{width: own.scrollWidth, height: own.scrollHeight}")

    def pdf(self) -> bytes:
        self.media(paper=True)
        return base64.b64decode(self._ask("Page.printToPDF", printBackground=True)["data"])
