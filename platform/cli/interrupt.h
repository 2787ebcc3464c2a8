/* SPDX-License-Identifier: MIT */
/*
 * Signals that end the command: Ctrl-C (SIGINT), SIGTERM and SIGHUP. No temporary file is left of it, whatever it was doing.
 */
#ifndef HD_INTERRUPT_REQUEST_H
#define HD_INTERRUPT_REQUEST_H

/* From the start of the process on: they end it at once. */
void interrupt_end_process(void);
/* From now on the first asks the command to end in order, the second ends the process. */
void interrupt_catch(void);
int interrupt_is_requested(void);
/* Of a command that has ended in order: 128 and the signal, 130 for Ctrl-C. */
int interrupt_exit_code(void);

#endif
