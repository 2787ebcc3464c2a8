/* SPDX-License-Identifier: MIT */
/* A folder for the traces of a run. */
#ifndef SYSTEM_TRACED_H
#define SYSTEM_TRACED_H

#include "process.h"

typedef struct traced {
    char *folder, *perfetto, *vcd;
} traced;

traced traced_new(void);
void traced_free(traced *of);
/* The run ended well and said nothing about errors; it is freed. */
void expect_pass(finished run);

#endif
