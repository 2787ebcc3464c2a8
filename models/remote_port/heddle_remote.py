# SPDX-License-Identifier: MIT
"""A client for Heddle's remote port. docs/remote-port.md describes the protocol byte by byte.

    with heddle_remote.connect("unix:memory.socket") as remote:
        for message in remote:
            if message.kind == heddle_remote.READ:
                remote.answer(message, data=bytes(message.length), delay=50_000)
            elif message.kind == heddle_remote.ADVANCE:
                remote.pass_turn()

Times are in picoseconds. What goes wrong is a RemoteError; nothing waits longer than the timeout.
"""

from __future__ import annotations

import dataclasses
import socket
import struct
import time
from types import TracebackType
from typing import Iterator, Optional, Type, Union

VERSION = 1
MAGIC = int.from_bytes(b"HDREMOTE", "little")
DATA_MAX = 1024
REQUESTS = 64
NEVER = 2**64 - 1

HELLO, READ, WRITE, ANSWER, INTERRUPT, ADVANCE, BYE = range(1, 8)
UNTIMED, ENABLES, LEVEL = 1, 2, 4
OK, ADDRESS_ERROR, COMMAND_ERROR, BURST_ERROR, BYTE_ENABLE_ERROR, GENERIC_ERROR = range(6)

_HEADER = struct.Struct("<IHHQQQII")
_RETRY_SECONDS = 0.01
Bytes = Union[bytes, bytearray, memoryview]


class RemoteError(Exception):
    """The connection cannot be used any more, or cannot be made."""


@dataclasses.dataclass
class Message:
    kind: int
    flags: int = 0
    tag: int = 0
    time: int = 0
    address: int = 0
    length: int = 0
    status: int = 0
    data: bytes = b""

    def encode(self) -> bytes:
        header = _HEADER.pack(
            _HEADER.size + len(self.data),
            self.kind,
            self.flags,
            self.tag,
            self.time,
            self.address,
            self.length,
            self.status,
        )
        return header + self.data

    @property
    def is_untimed(self) -> bool:
        return bool(self.flags & UNTIMED)


class Remote:
    """A connection to a port. Iterating gives its messages until it says BYE."""

    def __init__(self, connection: socket.socket, timeout: float) -> None:
        self._socket = connection
        self._timeout = timeout
        self.hello = Message(0)

    def greet(self) -> None:
        self.send(Message(HELLO, tag=MAGIC, length=REQUESTS, status=VERSION))
        hello = self.receive()
        if hello is None or hello.kind != HELLO or hello.tag != MAGIC:
            raise RemoteError("the first message of the other side is no HELLO")
        if hello.status != VERSION:
            raise RemoteError(
                f"the other side speaks version {hello.status} of the protocol, this one speaks version {VERSION}"
            )
        self.hello = hello

    def send(self, message: Message) -> None:
        self._socket.settimeout(self._timeout)
        try:
            self._socket.sendall(message.encode())
        except socket.timeout:
            raise RemoteError(f"the other side has taken nothing within {self._timeout:g} s") from None
        except OSError as error:
            raise RemoteError(f"the other side has closed the connection: {error.strerror}") from None

    def _fetch(self, count: int, end: float) -> bytes:
        """Fewer bytes: nothing comes any more."""
        data = b""
        while len(data) < count:
            try:
                self._socket.settimeout(max(end - time.monotonic(), 1e-6))  # 0 would not wait at all
                part = self._socket.recv(count - len(data))
            except socket.timeout:
                raise RemoteError(f"the other side has sent no whole message within {self._timeout:g} s") from None
            except ConnectionResetError:
                part = b""
            except OSError as error:
                raise RemoteError(f"receiving: {error.strerror}") from None
            if not part:
                break
            data += part
        return data

    def receive(self) -> Optional[Message]:
        """The next message; None: the other side has said BYE, or closed the connection."""
        end = time.monotonic() + self._timeout
        header = self._fetch(_HEADER.size, end)
        if not header:
            return None
        if len(header) < _HEADER.size:
            raise RemoteError("the other side has closed the connection within a message")
        total, kind, flags, tag, at, address, length, status = _HEADER.unpack(header)
        if not _HEADER.size <= total <= _HEADER.size + DATA_MAX:
            raise RemoteError("what the other side has sent is no message: a length that no message has")
        data = self._fetch(total - _HEADER.size, end)
        if len(data) < total - _HEADER.size:
            raise RemoteError("the other side has closed the connection within a message")
        if not HELLO <= kind <= BYE:
            raise RemoteError("what the other side has sent is no message: an unknown kind of message")
        return None if kind == BYE else Message(kind, flags, tag, at, address, length, status, data)

    def __iter__(self) -> Iterator[Message]:
        while (message := self.receive()) is not None:
            yield message

    def answer(self, request: Message, status: int = OK, data: Bytes = b"", delay: int = 0) -> None:
        """Of a READ or WRITE; delay: from the request's time on."""
        self.send(
            Message(
                ANSWER,
                request.flags & UNTIMED,
                request.tag,
                request.time + delay,
                request.address,
                request.length,
                status,
                bytes(data),
            )
        )

    def read(self, tag: int, at: int, address: int, length: int) -> None:
        """At the peer's initiative: answered by an ANSWER of the same tag."""
        self.send(Message(READ, tag=tag, time=at, address=address, length=length))

    def write(self, tag: int, at: int, address: int, data: Bytes) -> None:
        self.send(Message(WRITE, tag=tag, time=at, address=address, length=len(data), data=bytes(data)))

    def interrupt(self, line: int, at: int, level: int = 1, hart_line: Optional[int] = None) -> None:
        """An event on a line of port interrupt; with hart_line (bit of mip) a level on one of port level."""
        flags = 0 if hart_line is None else LEVEL
        self.send(Message(INTERRUPT, flags, line, at, hart_line or 0, 0, level))

    def pass_turn(self, until: int = NEVER) -> None:
        """The answer to an ADVANCE: all has been said that is to happen before `until`."""
        self.send(Message(ADVANCE, time=until))

    def bye(self) -> None:
        """Instead of passing the turn: nothing more is said."""
        self.send(Message(BYE))

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Remote:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def store(memory: bytearray, request: Message, base: int = 0) -> None:
    """Carries a WRITE out, byte enables included."""
    enables = request.data[request.length :] if request.flags & ENABLES else b"\xff" * request.length
    for i in range(request.length):
        if enables[i]:
            memory[request.address - base + i] = request.data[i]


def _open(address: str) -> socket.socket:
    kind, _, place = address.partition(":")
    if kind == "unix" and place:
        connection = socket.socket(socket.AF_UNIX)
        target: Union[str, tuple[str, int]] = place
    elif kind == "tcp" and place.isdigit() and 0 < int(place) < 65536:
        connection = socket.socket(socket.AF_INET)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        target = ("127.0.0.1", int(place))
    else:
        raise RemoteError(f"{address}: expected unix:PATH or tcp:PORT")
    try:
        connection.connect(target)
    except OSError:
        connection.close()
        raise
    return connection


def connect(address: str, timeout: float = 10.0) -> Remote:
    """address: "unix:PATH", or "tcp:PORT" on loopback. Tries until somebody listens there, or the timeout is over."""
    end = time.monotonic() + timeout
    while True:
        try:
            remote = Remote(_open(address), timeout)
            break
        except (ConnectionRefusedError, FileNotFoundError) as error:
            if time.monotonic() >= end:
                raise RemoteError(f"{address}: {error.strerror}") from None
            time.sleep(_RETRY_SECONDS)
        except OSError as error:
            raise RemoteError(f"{address}: {error.strerror}") from None
    try:
        remote.greet()
    except RemoteError:
        remote.close()
        raise
    return remote
