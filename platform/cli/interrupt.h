/* SPDX-License-Identifier: MIT */
/* Ctrl-C: the first asks the run to end, the second ends the process. */
#ifndef HD_INTERRUPT_REQUEST_H
#define HD_INTERRUPT_REQUEST_H

void interrupt_catch(void);
int interrupt_is_requested(void);

#endif
