# SPDX-License-Identifier: MIT
# RAM is zero when the machine starts, and what lies in it is in place: stack, pointers, and off. a1, the bytes of RAM or 0,
# is passed on.
    .section .start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la tp, __tls_begin
    call firmware_main
1:  wfi
    j 1b

# Where other harts begin than the first, which runs the host program. They sleep, unless the app has a hart_main: it is entered with
# gp, and the number of the hart in a0, and without a stack.
    .globl _start_hart
_start_hart:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    j hart_main
    .weak hart_main
hart_main:
    wfi
    j hart_main

# The kernels of the app, as the linker of kernels left them.
    .section .kernels, "a"
#ifdef KERNEL_ELF
    .incbin KERNEL_ELF
#endif
