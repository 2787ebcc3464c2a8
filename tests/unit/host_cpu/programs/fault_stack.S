# SPDX-License-Identifier: MIT
    auipc sp, 0            # a stack at the lowest addresses of RAM
    addi sp, sp, 32
1:  addi sp, sp, -16
    sd ra, 8(sp)
    j 1b
