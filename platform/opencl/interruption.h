/* SPDX-License-Identifier: MIT */
/* Ctrl-C, and the other signals that end a program, while the machine runs: which kernels it was running. */
#ifndef OPENCL_INTERRUPTION_H
#define OPENCL_INTERRUPTION_H

/* From now on those that nobody else handles are noted. */
void interruption_prepare(void);
/* Around each step, and around what takes one after the other. A signal that came in between ends the program behind the step that is next;
 * any other time at once, as ever. */
void interruption_begin_step(void);
void interruption_end_step(void);

#endif
