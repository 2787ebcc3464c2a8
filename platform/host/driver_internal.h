/* SPDX-License-Identifier: MIT */
/* Private to platform/host: the driver as the block works it. */
#ifndef HD_HOST_DRIVER_INTERNAL_H
#define HD_HOST_DRIVER_INTERNAL_H

#include "driver.h"
#include "native.h"
#include "shared_memory.h"

#define FAILURE_BYTES 256u

typedef struct operations {
    host_operation *first;
    host_operation *last;
} operations;

typedef struct lane {
    operations waiting; /* the first of them may be at work */
    operations running; /* what the device has, and the marks between */
    transfer access;    /* of the first that waits */
    transfer collect;   /* of the completion record of the first that runs */
    host_call collect_call;
    hd_queue_completion record;
    uint32_t ring; /* device addresses */
    uint32_t completion;
    uint32_t arguments;
    uint32_t written;   /* descriptors since it was opened, mod 2^32 */
    uint32_t collected; /* completion records, likewise */
    uint32_t taken;     /* completion interrupts since reset, mod 2^32 */
} lane;

struct host_driver {
    native *block;
    lane lanes[HOST_LANES];
    operations finished;
    shared_memory shared; /* of copies by the DMA engine */
    uint32_t posted;      /* since the last edge */
    uint32_t failed;
    uint32_t error_step; /* of reading the device's error registers */
    uint32_t error_values[3];
    transfer error;
    host_call error_call;
    hd_host_launch *launches;
    uint32_t launch_count;
    uint32_t launch_capacity;
    char failure[FAILURE_BYTES];
};

/* ---- driver.c ----------------------------------------------------------------------------------------------------- */

void driver_destroy(host_driver *self); /* NULL is allowed */
void driver_reset(host_driver *self);
/* Nothing is carried out from here on. */
void driver_fail(host_driver *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void operations_add(operations *list, host_operation *added);
host_operation *operations_take(operations *list);

/* The bytes that the DMA engine finds there; NULL: none. */
uint8_t *driver_shared(const host_driver *self, uint64_t address, uint64_t bytes);

/* ---- driver_work.c ------------------------------------------------------------------------------------------------ */

/* Everything that can go on at the edge at t. */
void driver_work(host_driver *self, hd_time t);
/* The earliest edge after the cursor's last at which a transfer begins; UINT64_MAX: none. */
uint64_t driver_next_edge(const host_driver *self);
uint32_t driver_transfers(const host_driver *self);
void driver_describe(const host_driver *self, const hd_text_sink *sink);

#endif
