"""Checks what becomes of files when an output fails at the last moment, and when standard streams are not what they should be.

    python3 tests/files_test.py --thicket build/thicket

What needs no pipes or descriptors of its own is a golden test (tests/golden/files/).
"""

import argparse
import fcntl
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time
import unittest

THICKET = None
F_SETPIPE_SZ = 1031
OLD = "what was there before\n"
PATIENCE_S = 60


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="thicket-files-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.thicket("generate", "students", "-n", "60", "--seed", "7", "-o", "data", "--quiet")
        (self.folder / "report.json").write_text(OLD)
        (self.folder / "link.csv").write_text(OLD)

    def thicket(self, *arguments, **how):
        return subprocess.run([THICKET, *arguments], cwd=self.folder, check="status" not in how,
                              **{name: value for name, value in how.items() if name != "status"})

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def publish_to_pipe(self, taken):
        """Publishes to a small pipe whose reader goes away after some bytes; the exit status."""
        reader, writer = os.pipe()
        fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)

        def read():
            if taken:
                os.read(reader, taken)
            os.close(reader)

        thread = threading.Thread(target=read)
        thread.start()
        if not taken:
            thread.join()
        done = self.thicket("anonymize", "data/policy.yaml", "-o", "-", "--report", "report.json", "--link", "link.csv",
                            stdout=writer, stderr=subprocess.PIPE, status=None)
        os.close(writer)
        thread.join()
        self.assertIn(b"standard output: cannot be written: Broken pipe", done.stderr)
        return done.returncode

    def test_the_old_report_and_link_return_when_nobody_reads_the_output(self):
        self.assertEqual(self.publish_to_pipe(0), 4)
        self.assertEqual((self.folder / "report.json").read_text(), OLD)
        self.assertEqual((self.folder / "link.csv").read_text(), OLD)
        self.assertEqual(self.names(), ["data", "link.csv", "report.json"])

    def test_the_report_and_the_link_of_records_that_went_out_stay(self):
        self.assertEqual(self.publish_to_pipe(10), 4)
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["input"]["records"], 60)
        self.assertEqual((self.folder / "link.csv").read_text().splitlines()[0], "published,original")
        self.assertEqual(self.names(), ["data", "link.csv", "report.json"])

    def spoil_and_finish(self, arguments, spoil):
        """Starts the command, spoils its target when it has begun to write beside it, and only then hands over the data."""
        process = subprocess.Popen([THICKET, *arguments, "-i", "-"], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + PATIENCE_S
        while not list(self.folder.glob(".out*.tmp")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        spoil()
        errors = process.communicate((self.folder / "data" / "students.jsonl").read_bytes(), timeout=PATIENCE_S)[1]
        self.assertNotEqual(process.returncode, 0)
        return errors.decode()

    def test_the_old_report_and_link_return_when_the_output_cannot_get_its_name(self):
        old = [self.folder / "report.json", self.folder / "link.csv"]
        inodes = [path.stat().st_ino for path in old]
        errors = self.spoil_and_finish(["anonymize", "data/policy.yaml", "-o", "out.jsonl", "--report", "report.json",
                                        "--link", "link.csv"], (self.folder / "out.jsonl").mkdir)
        self.assertIn("out.jsonl: cannot be written: Is a directory", errors)
        self.assertEqual([path.read_text() for path in old], [OLD, OLD])
        self.assertEqual([path.stat().st_ino for path in old], inodes)
        self.assertEqual(self.names(), ["data", "link.csv", "out.jsonl", "report.json"])

    def test_the_old_policy_returns_when_tables_or_a_database_fail(self):
        def fill():
            (self.folder / "out").mkdir()
            (self.folder / "out" / "mine").write_text(OLD)
        for to, out, spoil, message in (
                ("tables", "out", fill, "must be a new folder, or hold nothing but the tables, but holds other files"),
                ("sqlite", "out.db", (self.folder / "out.db-wal").touch, "must not be in use, but out.db-wal is there")):
            with self.subTest(to=to):
                before = self.names()
                errors = self.spoil_and_finish(
                    ["convert", "data/policy.yaml", "--to", to, "-o", out, "--policy", "report.json"], spoil)
                self.assertIn(message, errors)
                self.assertEqual((self.folder / "report.json").read_text(), OLD)
                self.assertEqual(self.names(), sorted(before + [{"out.db": "out.db-wal"}.get(out, out)]))

    def test_no_temporary_file_is_taken_for_a_closed_standard_output(self):
        # Each record that is written would make the file longer that is being copied: it would never end.
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, 1 << 24))
        for closed in ((1,), (0, 1), (0, 1, 2)):
            def prepare(closed=closed):
                limit()
                for descriptor in closed:
                    os.close(descriptor)
            done = self.thicket("anonymize", "data/policy.yaml", "-o", "-", "--report", "report.json", "--link",
                                "link.csv", status=None, preexec_fn=prepare, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual((self.folder / "report.json").read_text(), OLD)
            self.assertEqual((self.folder / "link.csv").read_text(), OLD)
            self.assertEqual(self.names(), ["data", "link.csv", "report.json"])

    def test_a_file_is_published_with_all_streams_closed(self):
        def close():
            for descriptor in range(3):
                os.close(descriptor)
        self.thicket("anonymize", "data/policy.yaml", "-o", "out.jsonl", "--seed", "1", "--quiet", preexec_fn=close)
        self.thicket("anonymize", "data/policy.yaml", "-o", "again.jsonl", "--seed", "1", "--quiet")
        self.assertEqual((self.folder / "out.jsonl").read_bytes(), (self.folder / "again.jsonl").read_bytes())

    def test_what_is_published_is_named_when_the_summary_cannot_be_printed(self):
        with open("/dev/full", "wb") as full:
            done = self.thicket("anonymize", "data/policy.yaml", "-o", "out.jsonl", stdout=full,
                                stderr=subprocess.PIPE, status=None)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"out.jsonl is published all the same", done.stderr)
        self.assertTrue((self.folder / "out.jsonl").exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    unittest.main(argv=[sys.argv[0], *rest])
