/* SPDX-License-Identifier: MIT */
/* Private to platform/host, and to the floor of tests/bench: one run of a host program. The block resumes it; it answers with
 * the next call. */
#ifndef HD_HOST_RUNTIME_H
#define HD_HOST_RUNTIME_H

#include "host.h"
#include "host_call.h"

typedef struct native_runtime native_runtime;

/* The struct is copied, what it points to is borrowed. NULL: no memory or no thread. The program does not run yet. */
native_runtime *runtime_create(const hd_host_program *program);
/* Unwinds the program wherever it is. NULL is allowed. */
void runtime_destroy(native_runtime *self);

/* Runs the program, whose last call has been answered in place, to its next call; NULL: it has ended. */
host_call *runtime_resume(native_runtime *self);

/* Memory that the program shares with the DMA engine (port_share), at its address on the host bus; NULL: none there. */
uint8_t *runtime_shared(const native_runtime *self, uint64_t address, uint64_t bytes);

/* It was interrupted while it computed, and may do so for ever. */
uint32_t runtime_is_abandoned(const native_runtime *self);
uint32_t runtime_status(const native_runtime *self); /* HD_HOST_* */
const char *runtime_message(const native_runtime *self);
const hd_host_report *runtime_reports(const native_runtime *self, uint32_t *count);
struct runtime_heap;
const struct runtime_heap *runtime_heap_of(const native_runtime *self);
const hd_host_launch *runtime_launches(const native_runtime *self, uint32_t *count);

#endif
