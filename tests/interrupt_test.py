"""Checks that Ctrl-C stops the command cleanly: exit status 130, nothing half-written, what was there is as it was.

    python3 tests/interrupt_test.py --thicket build/thicket

The command runs with a terminal as standard error, so that its progress line says when the work is under way.
"""

import argparse
import hashlib
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

THICKET = None
RECORDS = 20000  # far more than can be anonymized before the signal comes
UNDER_WAY_S = 120  # a build with sanitizers reads slowly
STOPS_WITHIN_S = 60


class Terminal:
    """One end of a pseudo-terminal; the other is some process's standard error."""

    def __init__(self):
        self.ours, self.theirs = pty.openpty()
        self.text = b""

    def read(self, seconds):
        """Takes what there is; false once nobody can write any more."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.ours, 4096)
        except OSError:
            return False
        self.text += piece
        return bool(piece)


class Interrupt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="thicket-interrupt-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def snapshot(self):
        """What is in the folder: path -> a hash of the content."""
        return {str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
                if path.is_file() else "folder" for path in self.folder.rglob("*")}

    def interrupt(self, arguments, phase):
        """Runs the command, sends Ctrl-C when the progress line shows the phase; status, standard output and error."""
        terminal = Terminal()
        self.addCleanup(os.close, terminal.ours)
        process = subprocess.Popen([THICKET, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=terminal.theirs)
        self.addCleanup(process.stdout.close)
        os.close(terminal.theirs)
        try:
            deadline = time.monotonic() + UNDER_WAY_S
            open_end = True
            while open_end and phase.encode() + b":" not in terminal.text and time.monotonic() < deadline:
                open_end = terminal.read(0.1)
            self.assertIn(phase + ":", terminal.text.decode(), "the phase must show in the progress line")
            self.assertIsNone(process.poll(), "the work must still be under way when the signal comes")
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=STOPS_WITHIN_S)[0]
            while terminal.read(0):
                if not select.select([terminal.ours], [], [], 0)[0]:
                    break
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        return process.returncode, output, terminal.text.decode()

    def generate(self):
        subprocess.run([THICKET, "generate", "transcripts", "-n", str(RECORDS), "--seed", "1", "-o", "data", "--quiet"],
                       cwd=self.folder, check=True)

    def test_anonymize_leaves_the_old_output_and_nothing_else(self):
        self.generate()
        (self.folder / "out").mkdir()
        (self.folder / "out" / "published.jsonl").write_text("what was there before\n")
        before = self.snapshot()
        status, output, errors = self.interrupt(
            ["anonymize", "data/policy.yaml", "-o", "out/published.jsonl", "--report", "out/report.json"], "anonymize")
        self.assertEqual((status, output), (130, b""), errors)
        self.assertIn("thicket: interrupted; nothing was written", errors)
        self.assertEqual(self.snapshot(), before)

    def test_anonymize_writes_nothing_to_standard_output(self):
        self.generate()
        before = self.snapshot()
        status, output, errors = self.interrupt(["anonymize", "data/policy.yaml", "-o", "-"], "anonymize")
        self.assertEqual((status, output), (130, b""), errors)
        self.assertEqual(self.snapshot(), before)

    def test_generate_leaves_the_old_data_and_nothing_else(self):
        (self.folder / "data" / "taxonomies").mkdir(parents=True)
        (self.folder / "data" / "students.jsonl").write_text("what was there before\n")
        before = self.snapshot()
        status, output, errors = self.interrupt(["generate", "students", "-n", "1000000", "-o", "data"], "generate")
        self.assertEqual((status, output), (130, b""), errors)
        self.assertEqual(self.snapshot(), before)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    unittest.main(argv=[sys.argv[0], *rest])
