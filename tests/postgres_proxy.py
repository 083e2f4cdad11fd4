"""Stands between the command and a PostgreSQL server, counts what they say to each other, and disturbs it.

    proxy = postgres_proxy.Bytes(server, 500_000, action)     on 127.0.0.1: after half a megabyte, action()
    proxy = postgres_proxy.Messages(server, folder, 17)       on a Unix socket in the folder: the 17th message is lost
    subprocess.run([...], env={**os.environ, **server.environment(), **proxy.environment()})
    proxy.close()
"""

import socket
import threading


class Proxy:
    """What the two have in common: connections, and a thread for each direction of one.

    Subclasses cut what was received into parts (`parts`) and say at which the connection is cut (`cuts`).
    """

    def __init__(self, listener):
        self.listener = listener
        self.lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()

    def environment(self):
        """Where the command finds the proxy; what is said must not be encrypted."""
        host, port = self.address()
        return {"PGHOST": host, "PGPORT": str(port), "PGSSLMODE": "disable", "PGGSSENCMODE": "disable"}

    def _accept(self):
        while True:
            try:
                thicket, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = self.connect()
            except OSError:
                thicket.close()
                continue
            threading.Thread(target=self._serve, args=(thicket, server), daemon=True).start()

    def _serve(self, thicket, server):
        with thicket, server:
            back = threading.Thread(target=self._pass, args=(server, thicket, "server"), daemon=True)
            back.start()
            self._pass(thicket, server, "thicket")
            back.join()

    def _pass(self, source, target, name):
        try:
            for part in self.parts(source, name):
                if self.cuts(part, name):
                    break
                target.sendall(part)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Bytes(Proxy):
    """Does something once after so many bytes.

    `action` is called when `after` bytes have come from the side `source` ("thicket" or "server"), and with them the bytes
    `mark`; no byte passes while it runs. If it returns true, the connection is cut. `done` says that it was called.
    """

    def __init__(self, server, after, action, source="thicket", mark=b""):
        self.server, self.after, self.action, self.source, self.mark = server, after, action, source, mark
        self.bytes = 0
        self.done = threading.Event()
        super().__init__(socket.create_server(("127.0.0.1", 0)))

    def address(self):
        return self.listener.getsockname()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.server.port))

    def parts(self, source, _):
        while piece := source.recv(16384):
            yield piece

    def cuts(self, part, name):
        return name == self.source and self._reached(part) and self.action()

    def _reached(self, piece):
        with self.lock:
            self.bytes += len(piece)
            if self.bytes < self.after or self.mark not in piece or self.done.is_set():
                return False
            self.done.set()
            return True


class Messages(Proxy):
    """Cuts the connection at the n-th message, from either side; None: counts them only."""

    PORT = 5432

    def __init__(self, server, folder, at=None):
        self.server, self.folder, self.at = server, folder, at
        self.messages = 0
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"{folder}/.s.PGSQL.{self.PORT}")
        listener.listen()
        super().__init__(listener)

    def address(self):
        return str(self.folder), self.PORT

    def connect(self):
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{self.server.directory}/.s.PGSQL.{self.server.port}")
        return server

    def parts(self, source, name):
        """A message is its type, but for the first one of a connection, the length of the rest, and the rest."""
        held = b""
        head = 0 if name == "thicket" else 1
        while piece := source.recv(65536):
            held += piece
            while len(held) >= head + 4:
                size = head + int.from_bytes(held[head:head + 4], "big")
                if len(held) < size:
                    break
                yield held[:size]
                held, head = held[size:], 1

    def cuts(self, part, name):
        with self.lock:
            self.messages += 1
            return self.at is not None and self.messages >= self.at
