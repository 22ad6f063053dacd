#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Drives the app as somebody does, from outside: the program itself on a screen of its own, keys and clicks.

    tests/ui/story/drive.py --bin build/dev/bin --out out/story [--on gpu]
                            [--before PROGRAM --after PROGRAM]

A program is profiled, its worst kernel read, followed to its source line, the program built anew with the line changed,
profiled again and compared; the chart exported; a long run stopped; a broken file opened. What came of each step is read
from the session files that the app wrote and, of what is only to be seen, from the screen having changed. Pictures of all
steps are in the folder of --out. Without --before and --after, nvcc builds both from story.cu. Ends with 0, or with 1 and
a line that says which step failed; 77 where the app or a compiler is missing.
"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from rfb import Screen  # noqa: E402

SOURCE = Path(__file__).with_name("story.cu")
FAULT, MENDED = "float tile[kTile][kTile];", "float tile[kTile][kTile + 1];"
LAUNCHES = 4  # of two steps


class Failed(Exception):
    pass


def eventually(what, condition, seconds=60.0):
    """Returns what the condition returns once that is something."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if value := condition():
            return value
        time.sleep(0.1)
    raise Failed(f"in {seconds:.0f} s {what}: no")


def free_port():
    import socket
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build(folder, mended):
    """Compiles the story's program, with its fault or without."""
    text = SOURCE.read_text()
    if text.count(FAULT) != 1:
        raise Failed(f"{SOURCE} has no line '{FAULT}'")
    source = folder / "story.cu"
    source.write_text(text.replace(FAULT, MENDED) if mended else text)
    subprocess.run([shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc", "-arch=sm_90", "-cudart", "shared", "-lineinfo",
                    "-o", folder / "story.new", source], check=True)
    os.replace(folder / "story.new", folder / "story")  # as a linker does


class App:
    """The app on its screen, with settings and data of its own."""

    def __init__(self, binaries, folder, out):
        self.folder, self.out, self.binaries, self.shots = folder, out, binaries, 0
        port = free_port()
        environment = dict(os.environ, QT_QPA_PLATFORM=f"vnc:size=1440x900:port={port}", QT_FONT_DPI="96",
                           XDG_DATA_HOME=str(folder / "data"), XDG_CONFIG_HOME=str(folder / "config"),
                           XDG_RUNTIME_DIR=str(folder / "runtime"))
        (folder / "runtime").mkdir(mode=0o700)
        self.log = open(out / "app.log", "w")
        self.process = subprocess.Popen([binaries / "dormer-gui", "--theme", "light"], env=environment, stdout=self.log,
                                        stderr=self.log, cwd=folder)
        self.screen = Screen(port)
        self.last = None

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.log.close()

    def shoot(self, name):
        """A picture, once the screen is at rest; it must show something else than the one before."""
        if self.process.poll() is not None:
            raise Failed(f"the app ended with {self.process.returncode} before {name}")
        before = self.screen.pixels()
        for _ in range(50):
            time.sleep(0.2)
            now = self.screen.pixels()
            if now == before:
                break
            before = now
        self.shots += 1
        pixels = self.screen.save(self.out / f"{self.shots}-{name}.png")
        if pixels == self.last:
            raise Failed(f"{name}: nothing changed on the screen")
        self.last = pixels

    def command(self, words):
        """By the search over everything."""
        self.screen.press("Ctrl", "k")
        time.sleep(0.3)
        self.screen.type(words)
        time.sleep(0.3)
        self.screen.press("Return")
        time.sleep(0.3)

    def sessions(self):
        """Files of the runs so far, the last one last."""
        return sorted((self.folder / "data").glob("**/*.dormer"))

    def finished(self, run):
        """Launches in the file of the run of that number, once it is written to its end; 0 before. A file that grows is
        left alone: who reads it might hold the writer up."""
        files = self.sessions()
        if len(files) <= run or time.time() - files[run].stat().st_mtime < 1 or self.growing(run):
            return 0
        with closing(sqlite3.connect(f"file:{files[run]}?mode=ro", uri=True)) as file:
            return file.execute("select count(*) from launches").fetchone()[0]

    def growing(self, run):
        """Bytes in the write-ahead log of the run; 0 when there is none."""
        files = self.sessions()
        log = Path(f"{files[run]}-wal") if len(files) > run else None
        return log.stat().st_size if log and log.exists() else 0


def run_story(app, programs, on):
    app.shoot("start")
    app.command("Profile a program")
    app.screen.type(f"{programs.target} 2")
    app.command("Count per source line")
    app.shoot("program")
    app.screen.press("Ctrl", "r")
    eventually("the first run ends with its launches", lambda: app.finished(0) >= LAUNCHES, 120)
    time.sleep(1)
    app.shoot("ran")
    app.command("transpose")
    app.shoot("worst-kernel")
    app.command("Show the recommendations")
    app.shoot("recommendations")
    app.command("Show the source")
    app.shoot("line")

    programs.mend()
    app.command("Show the roofline")
    app.screen.press("Ctrl", "r")
    eventually("the second run ends with its launches", lambda: app.finished(1) >= LAUNCHES, 120)
    time.sleep(1)
    app.command("transpose")
    app.shoot("fixed")
    compared = subprocess.run([app.binaries / "dormer", "compare", *app.sessions()[:2]], capture_output=True, text=True)
    if "faster" not in compared.stdout:
        raise Failed("the second run is not faster: " + compared.stdout + compared.stderr)
    shown = subprocess.run([app.binaries / "dormer", "show", app.sessions()[0]], capture_output=True, text=True)
    if "kTile + 1" not in shown.stdout:
        raise Failed("the advice is another: " + shown.stdout + shown.stderr)
    origin = "measured" if on == "gpu" else "emulated"
    with closing(sqlite3.connect(f"file:{app.sessions()[0]}?mode=ro", uri=True)) as file:
        found = {row[0] for row in file.execute("select origin from processes")}
    if found != {origin}:
        raise Failed(f"the run was {found}, not {origin}")

    picture = app.folder / "roofline.png"
    app.screen.press("Ctrl", "e")
    time.sleep(1)
    app.screen.press("Ctrl", "a")
    app.screen.type(str(picture))
    app.screen.press("Return")
    eventually("the chart is exported", picture.exists)
    app.shoot("exported")


def stop_and_stumble(app, programs):
    app.command("Profile a program")
    app.screen.press("Ctrl", "a")
    app.screen.type(f"{programs.target} 1000000")
    app.screen.press("Ctrl", "r")
    eventually("the long run is written", lambda: app.growing(2) > 100_000, 120)
    app.shoot("long-run")
    app.screen.press("Escape")
    eventually("Esc ends the long run, and what finished is kept", lambda: app.finished(2) >= LAUNCHES)
    app.shoot("stopped")

    broken = app.folder / "broken.dormer"
    broken.write_text("SQLite format 3")
    app.screen.press("Ctrl", "o")
    time.sleep(1)
    app.screen.type(str(broken))
    app.screen.press("Return")
    time.sleep(1)
    app.shoot("broken-file")


class Programs:
    """The program with its fault, and the one without, which takes its place."""

    def __init__(self, folder, before, after):
        self.folder, self.after, self.target = folder, after, folder / "story"
        if before:
            shutil.copy2(before, self.target)
        else:
            build(folder, False)

    def mend(self):
        if self.after:
            shutil.copy2(self.after, self.folder / "story.new")
            os.replace(self.folder / "story.new", self.target)
        else:
            build(self.folder, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True, help="folder of dormer-gui and dormer")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--on", choices=["emulator", "gpu"], default="emulator", help="where the app is to run it")
    parser.add_argument("--before", type=Path, help="the program with its fault, built already")
    parser.add_argument("--after", type=Path, help="the program without it")
    arguments = parser.parse_args()
    binaries = arguments.bin.resolve()
    if not (binaries / "dormer-gui").exists():
        print(f"skipped: there is no {binaries}/dormer-gui")
        return 77
    if not arguments.before and not (shutil.which("nvcc") or Path("/usr/local/cuda/bin/nvcc").exists()):
        print("skipped: no nvcc here; --before and --after name programs that are built")
        return 77
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = Programs(folder, arguments.before, arguments.after)
        app = App(binaries, folder, out)
        try:
            run_story(app, programs, arguments.on)
            stop_and_stumble(app, programs)
        except (Failed, ConnectionError) as problem:
            app.screen.save(out / "failed.png") if app.process.poll() is None else None
            print(f"story: {problem}; pictures so far are in {out}", file=sys.stderr)
            return 1
        finally:
            app.close()
    print(f"{app.shots} pictures in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
