# SPDX-License-Identifier: MIT
    nop
    nop
    ebreak
