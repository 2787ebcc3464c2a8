# SPDX-License-Identifier: MIT
"""The client in Python, opposite a port that is a thread of the test."""
import socket
import struct
import tempfile
import threading
import time
import unittest

import heddle_remote

HELLO = struct.pack("<IHH8sQQII", 40, 1, 0, b"HDREMOTE", 7, 0, 64, 1)


def packed(kind, flags=0, tag=0, at=0, address=0, length=0, status=0, data=b""):
    return struct.pack("<IHHQQQII", 40 + len(data), kind, flags, tag, at, address, length, status) + data


class Port:
    """Listens in a folder of its own; `act` gets the connection, behind the HELLOs unless there are none."""

    def __init__(self, act, hello=HELLO, family=socket.AF_UNIX):
        self.act, self.hello, self.seen = act, hello, b""
        self.folder = tempfile.TemporaryDirectory()
        self.listening = socket.socket(family)
        self.listening.bind(self.folder.name + "/socket" if family == socket.AF_UNIX else ("127.0.0.1", 0))
        self.listening.listen(1)
        name = self.listening.getsockname()
        self.address = f"unix:{name}" if family == socket.AF_UNIX else f"tcp:{name[1]}"
        self.thread = threading.Thread(target=self.serve)

    def serve(self):
        connection, _ = self.listening.accept()
        with connection:
            self.seen = connection.recv(40, socket.MSG_WAITALL)
            connection.sendall(self.hello)
            self.act(connection)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.thread.join()
        self.listening.close()
        self.folder.cleanup()


def stay(connection):
    connection.recv(1)


def leave(connection):
    pass


class Client(unittest.TestCase):
    def expect_error(self, part, call, *arguments, **named):
        with self.assertRaises(heddle_remote.RemoteError) as caught:
            call(*arguments, **named)
        self.assertIn(part, str(caught.exception))

    def expect_receive_error(self, part, act, timeout=5.0):
        with Port(act) as port, heddle_remote.connect(port.address, timeout) as remote:
            self.expect_error(part, remote.receive)

    def test_says_hello_as_the_document_says(self):
        for family in socket.AF_UNIX, socket.AF_INET:
            with Port(stay, family=family) as port, heddle_remote.connect(port.address) as remote:
                self.assertEqual(remote.hello.time, 7)
                self.assertEqual(port.seen, struct.pack("<IHH8sQQII", 40, 1, 0, b"HDREMOTE", 0, 0, 64, 1))

    def test_sends_what_the_document_says(self):
        wanted = [
            packed(2, tag=1, at=2, address=3, length=4),
            packed(3, tag=5, at=6, address=7, length=3, data=b"abc"),
            packed(5, tag=8, at=9, status=1),
            packed(5, 4, tag=8, at=9, address=11, status=0),
            packed(6, at=heddle_remote.NEVER),
            packed(6, at=12),
            packed(4, 1, tag=13, at=114, address=15, length=2, status=0, data=b"xy"),
            packed(4, 0, tag=13, at=14, address=15, length=2, status=5),
            packed(7),
        ]
        got = []

        def take(connection):
            got.extend(connection.recv(len(message), socket.MSG_WAITALL) for message in wanted)

        with Port(take) as port, heddle_remote.connect(port.address) as remote:
            remote.read(tag=1, at=2, address=3, length=4)
            remote.write(tag=5, at=6, address=7, data=b"abc")
            remote.interrupt(8, at=9)
            remote.interrupt(8, at=9, level=0, hart_line=11)
            remote.pass_turn()
            remote.pass_turn(12)
            untimed = heddle_remote.Message(heddle_remote.READ, 1, 13, 14, 15, 2)
            remote.answer(untimed, data=b"xy", delay=100)
            remote.answer(heddle_remote.Message(heddle_remote.READ, 0, 13, 14, 15, 2), heddle_remote.GENERIC_ERROR)
            remote.bye()
        self.assertEqual(got, wanted)

    def test_receives_what_comes_byte_by_byte_until_bye(self):
        def trickle(connection):
            for byte in packed(3, 2, tag=1, at=2, address=3, length=2, data=b"ab\xff\0") + packed(6, at=4) + packed(7):
                connection.sendall(bytes([byte]))

        with Port(trickle) as port, heddle_remote.connect(port.address) as remote:
            messages = list(remote)
        self.assertEqual([message.kind for message in messages], [heddle_remote.WRITE, heddle_remote.ADVANCE])
        write = messages[0]
        self.assertEqual((write.tag, write.time, write.address, write.length), (1, 2, 3, 2))
        memory = bytearray(b"......")
        heddle_remote.store(memory, write, base=1)
        self.assertEqual(memory, b"..a...")
        self.assertFalse(write.is_untimed)

    def test_a_closed_connection_is_the_end_but_not_within_a_message(self):
        with Port(leave) as port, heddle_remote.connect(port.address) as remote:
            self.assertIsNone(remote.receive())
        half = packed(3, length=2, data=b"ab")
        for cut in 1, 39, 41:
            self.expect_receive_error("within a message", lambda connection, cut=cut: connection.sendall(half[:cut]))

    def test_what_is_no_message_is_refused(self):
        self.expect_receive_error("a length that no message has", lambda c: c.sendall(b"\x05\0\0\0" + bytes(36)))
        self.expect_receive_error("a length that no message has", lambda c: c.sendall(b"\xff" * 40))
        self.expect_receive_error("an unknown kind of message", lambda c: c.sendall(packed(8)))

    def test_waits_no_longer_than_the_timeout(self):
        began = time.monotonic()
        self.expect_receive_error("has sent no whole message within 0.3 s", stay, 0.3)
        self.assertLess(time.monotonic() - began, 5)

        def trickle_for_ever(connection):
            try:
                for byte in packed(6):
                    connection.sendall(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                pass

        self.expect_receive_error("has sent no whole message within 0.3 s", trickle_for_ever, 0.3)

        def send_for_ever(remote):
            while True:
                remote.write(tag=0, at=0, address=0, data=bytes(1024))

        with Port(lambda c: time.sleep(1)) as port, heddle_remote.connect(port.address, 0.3) as remote:
            self.expect_error("the other side has taken nothing within 0.3 s", send_for_ever, remote)

    def test_another_version_or_none_at_all_is_refused(self):
        for hello, part in (
            (HELLO[:36] + b"\2\0\0\0", "speaks version 2 of the protocol, this one speaks version 1"),
            (packed(6), "is no HELLO"),
            (b"", "is no HELLO"),
        ):
            with Port(leave, hello) as port:
                self.expect_error(part, heddle_remote.connect, port.address)

    def test_an_address_where_nobody_is(self):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            self.expect_error("No such file", heddle_remote.connect, f"unix:{folder}/socket", 0.2)
            self.assertGreaterEqual(time.monotonic() - began, 0.2)
        for wrong in "nowhere", "unix:", "tcp:0", "tcp:65536", "tcp:x":
            self.expect_error("expected unix:PATH or tcp:PORT", heddle_remote.connect, wrong)

    def test_waits_for_the_port_to_be_there(self):
        with tempfile.TemporaryDirectory() as folder:
            listening = socket.socket(socket.AF_UNIX)

            def come_late():
                time.sleep(0.2)
                listening.bind(folder + "/socket")
                listening.listen(1)
                connection, _ = listening.accept()
                connection.recv(40, socket.MSG_WAITALL)
                connection.sendall(HELLO)
                connection.close()

            thread = threading.Thread(target=come_late)
            thread.start()
            heddle_remote.connect(f"unix:{folder}/socket", 10).close()
            thread.join()
            listening.close()


unittest.main()
