/* SPDX-License-Identifier: MIT */
/* A program of the user while it runs. */
#ifndef HD_DEVICE_PROCESS_H
#define HD_DEVICE_PROCESS_H

#include <stdint.h>

typedef struct device_process {
    const char *const *words; /* its name and its arguments, NULL at the end */
    const char *folder;       /* its working directory; NULL: that of this process */
    const char *awaited;      /* a text that it is to print on its standard output; NULL: any */
    uint32_t timeout;         /* s, after which it is ended; 0: never */
    int leads;                /* a process group, which is ended with it; else it shares that of this process, and the terminal */
    int code;                 /* how it has ended: its exit code, or 128 and a signal */
    int signal;               /* that one; 0: none */
    int is_late;              /* it was ended so */
    int has_printed;          /* what was awaited */
} device_process;

/* Returns 1 when it has ended, or 0 and errno if it cannot be started. It does not live longer than this process. What ends this process
 * in order ends it, too: interrupt.h. */
int device_process_run(device_process *process);

#endif
