"""Notes in the user's cache of what was found in order, so that it is not looked at again in any checkout.

A stamp is an empty file named by a hash of all that decides about a result. Stamps that nobody asks for are forgotten.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import time

KEPT_DAYS = 30


class Stamps:
    """Those of one kind, each a path: `exists()` says that it is there, `touch()` makes it or keeps it."""

    def __init__(self, kind):
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        self.folder = cache / "thicket" / kind
        self.folder.mkdir(parents=True, exist_ok=True)
        for stamp in self.folder.iterdir():
            if time.time() - stamp.stat().st_mtime > KEPT_DAYS * 86400:
                stamp.unlink(missing_ok=True)

    def of(self, key):
        return self.folder / key

    def is_there(self, key):
        """Whether there is one, which is kept for longer then."""
        stamp = self.of(key)
        if stamp.exists():
            stamp.touch()
            return True
        return False


def add_file(digest, path):
    digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())


def add_program(digest, binary):
    """A program and the libraries that it loads."""
    loaded = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    for path in [pathlib.Path(binary), *map(pathlib.Path, re.findall(r"(/\S+) \(0x", loaded))]:
        add_file(digest, path)
