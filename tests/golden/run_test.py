"""Checks that the runner of the golden tests can fail: a test that is wrong in one way must be reported for it."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

RUNNER = pathlib.Path(__file__).resolve().parent / "run.py"

# Stands in for the command: `thicket CODE` runs CODE in a shell.
FAKE = '#!/bin/sh\neval "$1"\n'


class GoldenRunner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.thicket = self.folder / "fake"
        self.thicket.write_text(FAKE)
        self.thicket.chmod(0o755)
        self.test = self.folder / "tests" / "x.test"
        self.test.parent.mkdir()

    def run_test(self, text, *flags):
        self.test.write_text(textwrap.dedent(text).lstrip("\n"))
        done = subprocess.run([sys.executable, RUNNER, "--thicket", self.thicket, "--tests", self.test.parent, *flags],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def passes(self, text, *flags):
        status, output = self.run_test(text, *flags)
        self.assertEqual((status, output.splitlines()[-1]), (0, "1 passed, 0 failed"), output)

    def fails(self, text, reason, *flags):
        status, output = self.run_test(text, *flags)
        self.assertEqual((status, output.splitlines()[-1]), (1, "0 passed, 1 failed"), output)
        self.assertIn(reason, output)

    def test_accepts_what_is_as_described(self):
        self.passes("""
            # All is as it must be
            --- file in/a.txt
            one
            two

            --- file-bytes b.bin
            \\xff\\x00

            --- run 'cat in/a.txt; cat; echo oops >&2; wc -c <b.bin; cp in/a.txt out.txt; exit 3' out.txt
            --- stdin
            three
            --- stdout
            one
            ...
            th...e
            2
            --- stderr
            oops
            --- exit 3
            --- matches out.txt
            one
            two
            --- absent c.txt d.txt
            --- creates out.txt

            --- $ thicket 'printf x'
            --- stdout
            x
            \\ No newline at end
            """)

    def test_rejects_other_output(self):
        self.fails("# t\n--- run 'echo a'\n--- stdout\nb\n", "+a")
        self.fails("# t\n--- run 'echo a >&2'\n--- stderr\nb\n", "+a")
        self.fails("# t\n--- run 'printf a'\n--- stdout\na\n", "No newline")

    def test_rejects_output_that_is_not_mentioned(self):
        self.fails("# t\n--- run 'echo a'\n", "stdout differs")
        self.fails("# t\n--- run 'echo a >&2'\n", "stderr differs")

    def test_wildcards_leave_the_rest_exact(self):
        self.fails("# t\n--- run 'echo a; echo b'\n--- stdout\n...\nc\n", "stdout differs")
        self.fails("# t\n--- run 'echo a; echo b; echo c'\n--- stdout\na\n...\nb\n", "stdout differs")
        self.fails("# t\n--- run 'echo abc'\n--- stdout\na...d\n", "stdout differs")
        self.passes("# t\n--- run 'echo a; echo b; echo a; echo b'\n--- stdout\n...\na\nb\n")

    def test_rejects_another_exit_status(self):
        self.fails("# t\n--- run 'exit 2'\n--- exit 1\n", "must be 1, but is 2")
        self.fails("# t\n--- run 'exit 2'\n", "must be 0, but is 2")
        self.fails("# t\n--- run 'kill -9 $$'\n", "must be 0, but is 137")

    def test_rejects_a_file_that_must_be_absent(self):
        self.fails("# t\n--- file a\nx\n--- run true\n--- absent a\n", "a must not exist")

    def test_rejects_another_file_content(self):
        self.fails("# t\n--- file a\nx\n--- run true\n--- matches a\ny\n", "+x")
        self.fails("# t\n--- run true\n--- matches a\ny\n", "a must exist")

    def test_rejects_files_left_behind(self):
        self.fails("# t\n--- $ n=left; echo >$n.over\n", "left.over was left behind")
        self.fails("# t\n--- $ mkdir out; n=tmp; echo >out/x.$n\n", "temporary file")
        self.fails("# t\n--- $ echo >out; exit 1\n--- exit 1\n", "out was left behind")
        self.passes("# t\n--- $ echo >./out\n")
        self.passes("# t\n--- $ mkdir -p new/folder\n")

    def test_rejects_a_failed_step_that_touches_files(self):
        self.fails("# t\n--- file a\nx\n--- $ echo y >a; exit 1\n--- exit 1\n", "a was changed")
        self.fails("# t\n--- file a\nx\n--- $ rm a; exit 1\n--- exit 1\n", "a is gone")

    def test_limits_the_size_of_files(self):
        self.fails("""
            # t
            --- $ head -c 5000 /dev/zero >out
            --- limit-file-size 1024
            --- stderr
            ...
            """, "status must be 0")

    def test_permissions_hold_for_root_too(self):
        status, output = self.run_test("""
            # t
            --- mode 555 closed
            --- $ echo >closed/out
            --- stderr
            ...ermission denied...
            --- exit 2
            """)
        self.assertEqual(status, 0, output)

    def test_a_small_disk_gets_full_or_is_skipped(self):
        status, output = self.run_test("""
            # t
            --- small-disk 65536 disk
            --- $ head -c 100000 /dev/zero >disk/out
            --- stderr
            ...o space left on device...
            --- exit 1
            --- creates disk/out
            """)
        self.assertEqual(status, 0, output)
        self.assertRegex(output, "1 passed|1 skipped")

    def test_rejects_a_step_that_does_not_end(self):
        self.fails("# t\n--- $ sleep 30\n", "did not end", "--timeout", "1")

    def test_rejects_mistakes_in_the_test_file(self):
        self.fails("--- run true\n", "first line")
        self.fails("# t\n", "must run something")
        self.fails("# t\n--- ran true\n", "but is ran")
        self.fails("# t\n--- run true\n--- stdout\n--- stdout\n", "its second")
        self.fails("# t\n--- run true\n--- exit 1\n2\n", "a line follows")
        self.fails("# t\n--- stdout\n--- run true\n", "belongs to a step")

    def test_update_makes_a_test_pass_and_keeps_the_rest(self):
        text = "# t\n\n--- file a\nx\n\n--- run 'echo a; exit 3'\n--- stdout\n{}\n--- exit {}\n"
        self.run_test(text.format("b", 1), "--update")
        self.assertEqual(self.test.read_text(), text.format("a", 3))
        self.passes(text.format("a...", 3), "--update")
        self.assertEqual(self.test.read_text(), text.format("a...", 3))


if __name__ == "__main__":
    unittest.main()
