/* SPDX-License-Identifier: MIT */
/* Memory that cannot be had: a program that needs it ends at once, by SIGABRT, and not later or with a wrong result. */
#ifndef TEST_NO_MEMORY_H
#define TEST_NO_MEMORY_H

#include <stdint.h>

/* The calloc after so many others fails; all others have memory. Of this program's own code, its libraries included, but not of
 * shared ones. */
void no_memory_after(uint32_t calls);

#endif
