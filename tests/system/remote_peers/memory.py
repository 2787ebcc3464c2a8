# SPDX-License-Identifier: MIT
"""memory.py ADDRESS: the peer that memory.c is, in Python."""
import sys

import heddle_remote

BASE = 0x10000000
DELAY_PS = 50_000

memory = {}  # lines of 256 bytes, by number


def line_at(place):
    return memory.setdefault(place // 256, bytearray(256))


def load(request):
    return bytes(line_at(place)[place % 256] for place in range(request.address, request.address + request.length))


def store(request):
    whole = bytearray(request.length)
    before = load(request)
    whole[:] = before
    heddle_remote.store(whole, request, base=request.address)
    for i, value in enumerate(whole):
        line_at(request.address + i)[(request.address + i) % 256] = value


with heddle_remote.connect(sys.argv[1], timeout=20) as remote:
    for message in remote:
        if message.kind == heddle_remote.ADVANCE:
            remote.pass_turn()
        elif message.kind == heddle_remote.READ:
            remote.answer(message, data=load(message), delay=DELAY_PS)
        elif message.kind == heddle_remote.WRITE:
            store(message)
            remote.answer(message, delay=DELAY_PS)
