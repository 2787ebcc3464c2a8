/* SPDX-License-Identifier: MIT */
/* Private to platform/host, and to the floor of tests/bench: one run of a host program. The block resumes it; it answers with
 * the next call. */
#ifndef HD_HOST_RUNTIME_H
#define HD_HOST_RUNTIME_H

#include "host.h"
#include "host_call.h"
#include "runtime_internal.h"
#include "shared_memory.h"

typedef struct native_runtime native_runtime;

/* What programs share that use one device. */
typedef struct native_device {
    runtime_device device;
    shared_memory memory; /* with the DMA engine */
} native_device;

/* When none of them is left; it is all zero then. */
void native_device_release(native_device *shared);

/* The struct is copied, what it points to is borrowed, and so is the device until the runtime is destroyed. NULL: no memory
 * or no thread. The program does not run yet. default_queue: its number on the device, whose queues_used says that it is used. */
native_runtime *runtime_create(const hd_host_program *program, native_device *shared, uint32_t default_queue);
/* Unwinds the program wherever it is. NULL is allowed. */
void runtime_destroy(native_runtime *self);

/* Runs the program, whose last call has been answered in place, to its next call; NULL: it has ended. */
host_call *runtime_resume(native_runtime *self);

/* 1: it does once more what it has done before, so that what it prints has been printed. */
void runtime_set_replayed(native_runtime *self, uint32_t is_replayed);

/* It was interrupted while it computed, and may do so for ever. */
uint32_t runtime_is_abandoned(const native_runtime *self);
uint32_t runtime_status(const native_runtime *self); /* HD_HOST_* */
const char *runtime_message(const native_runtime *self);
const hd_host_report *runtime_reports(const native_runtime *self, uint32_t *count);
struct runtime_heap;
/* Has it this queue of the device? */
uint32_t runtime_has_queue(const native_runtime *self, uint32_t number);
/* Of the device that it uses. */
const struct runtime_heap *runtime_heap_of(const native_runtime *self);
const hd_host_launch *runtime_launches(const native_runtime *self, uint32_t *count);

#endif
