/* SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_HOST_MEMORY_H
#define FIRMWARE_HOST_MEMORY_H

#include <stdint.h>

/* Before the first allocation. 0: the CPU does not say, RAM is as large as the linker script says. */
void host_memory_begin(uint64_t ram_bytes);

#endif
