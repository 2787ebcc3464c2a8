# SPDX-License-Identifier: MIT
# Counts in memory for ever: 4 instructions a turn.
    auipc a0, 1             # the counter lies a page on
loop:
    ld t0, 0(a0)
    addi t0, t0, 1
    sd t0, 0(a0)
    j loop
