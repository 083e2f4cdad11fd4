"""What a wheel must be: small, quick to import, and free of libpq. Run in an environment that has only the wheel."""

import os
import subprocess
import sys
import zipfile

MOST_BYTES = 15 * 1024 * 1024
MOST_SECONDS = 0.1

wheel = sys.argv[1]
size = os.path.getsize(wheel)
assert size < MOST_BYTES, f"a wheel must be smaller than {MOST_BYTES} bytes, but has {size}"
names = zipfile.ZipFile(wheel).namelist()
assert not [name for name in names if "libpq" in name], "libpq must be loaded on demand, but is in the wheel"
for needed in ("thicket/__init__.py", "thicket/py.typed", "thicket/_thicket.pyi"):
    assert needed in names, f"a wheel must have {needed}, but has not"
assert "manylinux" in os.path.basename(wheel), "a wheel must be for manylinux"

# The time of the process itself, since others may be running: the best of several.
CLOCK = "import time; t = time.process_time(); import thicket; print(time.process_time() - t)"
seconds = min(
    float(subprocess.run([sys.executable, "-c", CLOCK], check=True, capture_output=True).stdout)
    for _ in range(5)
)
assert seconds < MOST_SECONDS, f"importing must take less than {MOST_SECONDS} s, but takes {seconds:.3f}"
import thicket  # noqa: E402

maps = open("/proc/self/maps").read()
assert "libpq" not in maps, "libpq must be loaded on demand, but is there after import"
print(f"wheel: {size:,} bytes, imports in {seconds:.3f} s, thicket {thicket.__version__}")
