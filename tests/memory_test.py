"""Checks that small files that grow when they are decompressed are refused before they fill the memory.

    python3 tests/memory_test.py --thicket build/thicket

Every format gets a file of some kilobytes that stands for gigabytes. With --max-memory the command must end with exit
status 3 and say so, leave what was there, and never hold much more than it may.
"""

import argparse
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

THICKET = None
SANITIZED = False
LIMIT_MIB = 100
MIB = 1 << 20
# One array may double between two looks at the memory; and what a process has anyway.
SLACK_MIB = LIMIT_MIB + 40

FLAT = """version: 1
input: {format: FORMAT, path: data}
record:
  class: person
  quasi: {age: {ranges: [5, 10]}}
privacy: {k: 2}
"""
SETS = """version: 1
input: {format: transactions, path: data}
record:
  class: basket
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: items.csv}}
privacy: {k: 2, m: 1, n: 0}
"""

LOG = """version: 1
input: {format: querylog, path: data}
record:
  class: vocabulary
  children:
    - {class: term, at: terms, quasi: {term: {taxonomy: items.csv}}}
privacy: {k: 2, epsilon: 2}
"""


def zstd(pieces):
    """A zstd frame of (byte, count) runs and of plain bytes, without a compressor: a run of 128 KiB takes 4 bytes."""
    block = 128 << 10
    blocks = []
    for piece in pieces:
        if isinstance(piece, bytes):
            blocks.append((0, len(piece), piece))
            continue
        byte, count = piece
        while count > 0:
            blocks.append((1, min(count, block), byte))
            count -= block
    frame = struct.pack("<IBB", 0xFD2FB528, 0, (20 - 10) << 3)  # no checksum, a window of 1 MiB
    for i, (kind, size, content) in enumerate(blocks):
        header = (i + 1 == len(blocks)) | kind << 1 | size << 3
        frame += struct.pack("<I", header)[:3] + content
    return frame


def limit_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="thicket-memory-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "items.csv").write_text("a;*\nb;*\n")

    def run_thicket(self, *arguments):
        """Exit status, standard error, and the most memory that was held, in MiB."""
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([THICKET, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit_core)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            return process.returncode, errors.read().decode(), usage.ru_maxrss / 1024

    def refuses(self, arguments, where):
        before = sorted(path.name for path in self.folder.iterdir())
        status, errors, peak = self.run_thicket(*arguments, "--max-memory", f"{LIMIT_MIB}M")
        self.assertEqual(status, 3, errors)
        self.assertEqual(errors.splitlines()[0],
                         f"thicket: {where}: what is held while reading must fit into {LIMIT_MIB} MiB of memory, "
                         "but needs more")
        if not SANITIZED:
            self.assertLess(peak, LIMIT_MIB + SLACK_MIB)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def anonymize(self, policy, content, where="data"):
        (self.folder / "policy.yaml").write_text(policy)
        (self.folder / "data").write_bytes(content)
        self.assertLess(len(content), 300_000)
        self.refuses(["anonymize", "policy.yaml", "-o", "out"], where)

    def test_json_document_of_blanks(self):
        self.anonymize(FLAT.replace("FORMAT", "json"), zstd([(b" ", 4 << 30), b"[]"]))

    def test_json_document_of_brackets(self):
        self.anonymize(FLAT.replace("FORMAT", "json"), zstd([b'[{"age":1,"x":', (b"[", 2 << 30)]))

    def test_json_lines_with_a_long_line(self):
        self.anonymize(FLAT.replace("FORMAT", "jsonl"), zstd([b'{"age":"', (b"1", 900 << 20), b'"}\n']))

    def test_csv_with_a_long_field(self):
        self.anonymize(FLAT.replace("FORMAT", "csv"), zstd([b'age\n"', (b"1", 2 << 30)]))

    def test_csv_with_many_rows(self):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        rows = packer.compress(b"age\n" + b"7\n" * (60 << 20)) + packer.flush()
        self.anonymize(FLAT.replace("FORMAT", "csv"), rows)

    def test_transactions_with_a_long_line(self):
        self.anonymize(SETS, zstd([b"a ", (b"b", 2 << 30)]))

    def test_query_log_with_a_long_query(self):
        self.anonymize(LOG, zstd([b"AnonID\tQuery\tQueryTime\n1\t", (b"b", 2 << 30)]))

    def test_query_log_with_many_rows(self):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        rows = packer.compress(b"AnonID\tQuery\tQueryTime\n" + b"1\ta\t5\n2\ta\t5\n" * (8 << 20)) + packer.flush()
        self.anonymize(LOG, rows)

    def test_xml_with_a_long_value(self):
        policy = FLAT.replace("FORMAT", "xml")
        self.anonymize(policy, zstd([b"<people><person><age>", (b"1", 2 << 30)]))

    def test_xml_with_a_long_comment(self):
        policy = FLAT.replace("FORMAT", "xml")
        self.anonymize(policy, zstd([b"<people><!-- ", (b"1", 250 << 20), b"--></people>"]))

    def test_taxonomy(self):
        (self.folder / "t.csv").write_bytes(zstd([b"a;*\n", (b"\n", 2 << 30)]))
        self.refuses(["taxonomy", "check", "t.csv"], "t.csv")

    def test_init(self):
        (self.folder / "data.json").write_bytes(zstd([(b" ", 4 << 30), b"[]"]))
        self.refuses(["init", "data.json"], "data.json")

    def test_experiment(self):
        status, errors, peak = self.run_thicket("experiment", "ozalp-s", "-n", "30000", "--max-memory", "16M")
        self.assertEqual(status, 3, errors)
        self.assertRegex(errors, r"^thicket: .*: what is held while reading must fit into 16 MiB of memory, but needs "
                                 r"more\n  give a larger --max-memory, use a machine with more memory, or split the "
                                 r"data\n$")
        if not SANITIZED:
            self.assertLess(peak, 16 + SLACK_MIB)

    def test_policies_have_a_bound_of_their_own(self):
        (self.folder / "policy.yaml").write_bytes(zstd([(b"\n", 2 << 30)]))
        status, errors, peak = self.run_thicket("anonymize", "policy.yaml", "-o", "out")
        self.assertEqual((status, errors), (3, "thicket: policy.yaml: a policy must have at most 16 MiB, but has more\n"
                                               "  check that it is the right file\n"))
        if not SANITIZED:
            self.assertLess(peak, SLACK_MIB)

    def test_what_fits_is_published(self):
        (self.folder / "policy.yaml").write_text(FLAT.replace("FORMAT", "jsonl"))
        (self.folder / "data").write_bytes(zstd([b'{"age":1}\n{"age":2}\n']))
        status, errors, _ = self.run_thicket("anonymize", "policy.yaml", "-o", "out", "--max-memory", "1G", "--quiet")
        self.assertEqual((status, errors), (0, ""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    parser.add_argument("--sanitized", action="store_true", help="a build whose own memory says nothing")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    SANITIZED = options.sanitized
    unittest.main(argv=[sys.argv[0], *rest])
