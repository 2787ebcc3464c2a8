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

# Where other harts begin than the first, which runs the host program. They sleep, unless the program has a hart_main (firmware.ld): it
# is called with the number of the hart in a0, on a stack of its own, at the top of which are its thread-local variables.
    .globl _start_hart
_start_hart:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    j __hart_first

    .globl __hart_begins
__hart_begins:
    lui t0, %hi(__hart_stack_bytes)
    addi t0, t0, %lo(__hart_stack_bytes)
    addi t1, a0, -1
    mul t0, t0, t1
    la sp, __hart_stacks_top
    sub sp, sp, t0
    lui t0, %hi(__tls_bytes)
    addi t0, t0, %lo(__tls_bytes)
    sub sp, sp, t0
    mv tp, sp
    la t0, __tls_begin
    la t1, __tls_values_end
    mv t2, tp
1:  bgeu t0, t1, 2f
    ld t3, 0(t0)
    sd t3, 0(t2)
    addi t0, t0, 8
    addi t2, t2, 8
    j 1b
2:  call __hart_main
    .globl __hart_sleeps
__hart_sleeps:
    wfi
    j __hart_sleeps

# The kernels of the app, as the linker of kernels left them.
    .section .kernels, "a"
#ifdef KERNEL_ELF
    .incbin KERNEL_ELF
#endif
