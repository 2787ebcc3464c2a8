/* SPDX-License-Identifier: MIT */
/* A thread begins here with its arguments in a0 to a5, its number in a6, and sp at the end of its memory. */
#include "vector.h"
        .section .text.start, "ax"
        .globl _start
_start:
        andi    sp, sp, -16
        call    main
        li      a7, CALL_EXIT
        ecall
