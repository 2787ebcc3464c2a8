# SPDX-License-Identifier: MIT
    nop
    .word 0xffffffff
