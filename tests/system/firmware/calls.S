/* SPDX-License-Identifier: MIT */
/* Calls an environment that there is not. */
        .globl  _start
_start: ecall
