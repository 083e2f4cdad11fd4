"""A test case that runs the command in a folder of its own, over every format that is there.

    class Values(every_format.TestCase):
        def test_same(self):
            for data_format in self.formats:        # postgresql is the last, where its programs are installed
                self.thicket("verify", ...)

`every_format.THICKET` must be set first. Each test has a database of its own on a server that the class starts.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import postgres_server

THICKET = None
# Where data of a format goes, in the test's folder.
OUTPUT = {"jsonl": "data.jsonl", "json": "data.json", "xml": "data.xml", "tables": "tables", "sqlite": "data.db"}


class TestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.formats = list(OUTPUT)
        cls.server = None
        try:
            cls.server = cls.enterClassContext(postgres_server.Server())
            cls.formats.append("postgresql")
        except postgres_server.NotInstalled as missing:
            print(f"without PostgreSQL: {missing}", file=sys.stderr)

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-formats-")))
        self.environment = {**os.environ, "TMPDIR": str(self.folder)}
        if self.server:
            self.environment.update(self.server.environment())
            database = f"of_{self.id().rpartition('.')[2]}"
            self.server.sql(f"CREATE DATABASE {database}")
            self.environment["PGDATABASE"] = database

    def thicket(self, *arguments, status=0):
        """Runs the command, which must end with the status; what it prints."""
        done = subprocess.run([THICKET, *map(str, arguments)], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=600)
        self.assertEqual(done.returncode, status,
                         f"thicket {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
        return done.stdout
