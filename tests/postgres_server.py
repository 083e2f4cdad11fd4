"""A PostgreSQL server for tests, on a free port and in a temporary directory.

    python3 tests/postgres_server.py -- COMMAND...

runs the command with PGHOST, PGPORT, PGUSER and PGDATABASE set (and THICKET_TEST_SERVER, so that a test knows that the
server is there for it), and returns its status; 77 where PostgreSQL is not installed. In Python:

    with postgres_server.Server() as server:
        server.sql("CREATE TABLE people (id int)")
        subprocess.run([...], env={**os.environ, **server.environment()})

The server listens on 127.0.0.1 and on a Unix socket in its own directory. It trusts everybody on the socket, and asks
for passwords on 127.0.0.1. Whatever happens, it is stopped and its directory removed. It does not run as root: where
the tests do, the user postgres or nobody runs it.
"""

import glob
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

SKIPPED = 77
SUPERUSER = "postgres"
DATABASE = "postgres"
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "20",
    "autovacuum": "off",
    "logging_collector": "off",
}
HBA = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


class NotInstalled(Exception):
    """The server's programs are not here."""


def find_programs():
    """The directory of initdb and pg_ctl."""
    directories = os.environ.get("PATH", "").split(os.pathsep)
    if shutil.which("pg_config"):
        found = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False)
        directories.append(found.stdout.strip())
    directories += sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    for directory in directories:
        path = pathlib.Path(directory).resolve() if directory else None
        if path and all(os.access(path / name, os.X_OK) for name in ("initdb", "pg_ctl", "postgres", "psql")):
            return path
    raise NotInstalled("initdb, pg_ctl and psql must be installed, but are not: apt-get install postgresql")


def server_user():
    """Whom the server runs as, where the tests run as root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NotInstalled("root may not run a server, and there is neither a user postgres nor nobody")


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Server:
    def __init__(self):
        self.programs = find_programs()
        self.user = server_user() if os.geteuid() == 0 else None
        self.directory = None
        self.port = None

    def __enter__(self):
        # Short: the path of a Unix socket may have 107 bytes only.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="thicket-pg-", dir="/tmp"))
        try:
            if self.user:
                os.chown(self.directory, self.user.pw_uid, self.user.pw_gid)
            self._run("initdb", "--pgdata", self._data(), "--username", SUPERUSER, "--auth", "trust",
                      "--encoding", "UTF8", "--no-locale", "--no-sync", "--no-instructions")
            with open(self.directory / "data" / "postgresql.conf", "a", encoding="utf-8") as settings:
                settings.writelines(f"{key} = '{value}'\n" for key, value in SETTINGS.items())
            (self.directory / "data" / "pg_hba.conf").write_text(HBA)
            self._start_on_free_port()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_):
        self._remove()

    def environment(self):
        return {"PGHOST": str(self.directory), "PGPORT": str(self.port), "PGUSER": SUPERUSER, "PGDATABASE": DATABASE}

    def sql(self, statements, database=DATABASE, user=SUPERUSER):
        """Runs statements; the rows of the last one as text, columns separated by |."""
        done = subprocess.run(
            [str(self.programs / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.directory),
             "-p", str(self.port), "-U", user, "-d", database, "-f", "-"],
            input=statements, capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.rstrip("\n")

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.directory}"
        self._run("pg_ctl", "start", "--wait", "--timeout=60", "--pgdata", self._data(), "--log", self._log(),
                  "--options", options)

    def stop(self, mode="fast"):
        """Mode `immediate` is as if the machine had lost its power."""
        self._run("pg_ctl", "stop", "--wait", "--timeout=60", "--mode", mode, "--pgdata", self._data())

    def _data(self):
        return str(self.directory / "data")

    def _log(self):
        return str(self.directory / "log")

    def _start_on_free_port(self):
        for attempt in range(5):
            self.port = free_port()
            try:
                return self.start()
            except RuntimeError:
                # Somebody else may have taken the port meanwhile.
                if attempt == 4:
                    raise

    def _run(self, program, *arguments):
        identity = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        # The server keeps its standard output open: it must not be a pipe that somebody reads to its end.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run([str(self.programs / program), *arguments], cwd=self.directory,
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False,
                                  env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}, **identity)
            output.seek(0)
            if done.returncode != 0:
                raise RuntimeError(f"{program} failed: {output.read().decode(errors='replace')}")

    def _remove(self):
        if (self.directory / "data" / "postmaster.pid").exists():
            try:
                self.stop("immediate")
            except RuntimeError as failure:
                print(failure, file=sys.stderr)
        shutil.rmtree(self.directory, ignore_errors=True)


def exit_on_signals():
    """Turns SIGTERM into an exception, so that the server is stopped; SIGINT is one already."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments:
        sys.exit(__doc__)
    exit_on_signals()
    try:
        server = Server()
    except NotInstalled as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return SKIPPED
    with server:
        variables = {**os.environ, **server.environment(), "THICKET_TEST_SERVER": "1"}
        return subprocess.run(arguments, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
