/* SPDX-License-Identifier: MIT */
/*
 * What the runtime needs of a machine, without anything of OpenCL. device_machine.c makes it of heddle.h; tests have one of
 * their own that computes nothing and counts time.
 *
 * A lane carries out what is posted to it in order; lanes run beside each other. Time passes only in device_open and device_step.
 */
#ifndef OPENCL_DEVICE_H
#define OPENCL_DEVICE_H

#include <stddef.h>
#include <stdint.h>

typedef struct device device;
typedef struct device_lane device_lane;
typedef struct device_mark device_mark; /* a moment in a lane */
typedef struct device_program device_program;
typedef struct device_kernel device_kernel;

typedef enum device_error {
    DEVICE_OK,
    DEVICE_NO_MEMORY,      /* of the device */
    DEVICE_NO_HOST_MEMORY, /* of the process */
    DEVICE_NO_MACHINE,     /* it cannot be opened */
    DEVICE_REFUSED,        /* the program or the launch is refused; nothing else is wrong */
    DEVICE_STOPPED,        /* a fault or a hang: nothing more happens */
} device_error;

typedef struct device_limits {
    const char *name; /* of the machine; as long as it */
    uint32_t cores;
    uint32_t lanes; /* of a warp */
    uint32_t clock_mhz;
    uint32_t group_threads; /* of a block at most */
    uint32_t local_bytes;   /* of a block at most */
    uint32_t line_bytes;
    uint64_t cache_bytes; /* that all cores share; 0: none */
    uint64_t memory_bytes;
    uint64_t largest_allocation;
} device_limits;

typedef enum device_operation_kind {
    DEVICE_WRITE, /* `bytes` from `host` to `to` */
    DEVICE_READ,  /* `bytes` from `from` to `host` */
    DEVICE_COPY,  /* `bytes` from `from` to `to`, which do not overlap */
    DEVICE_FILL,  /* `bytes` at `to` become `value` */
    DEVICE_LAUNCH,
} device_operation_kind;

typedef struct device_operation {
    device_operation_kind kind;
    uint32_t to;
    uint32_t from;
    uint32_t value;
    void *host; /* borrowed until the operation is done */
    size_t bytes;
    device_kernel *kernel;
    uint32_t groups[3];
    uint32_t group[3]; /* threads */
    uint32_t scratchpad_bytes;
    uint32_t argument_bytes;
    const void *arguments; /* copied when it is posted */
} device_operation;

/* Opens the machine that the environment names (docs/opencl.md). */
device_error device_open(device **opened);
void device_limits_of(device *of, device_limits *limits);
/* What the last refusal or the end of the machine was about. */
const char *device_message(device *of);
/* Leaves what a finished program leaves behind: its results. The device can still be used. */
void device_finish(device *of);

device_error device_allocate(device *of, uint64_t bytes, uint32_t *address);
/* Nothing that uses it is in a lane any more. */
void device_free(device *of, uint32_t address);

device_error device_load(device *of, const void *image, size_t bytes, device_program **loaded);
/* Nothing of it is in a lane any more. */
void device_unload(device *of, device_program *gone);
device_error device_kernel_named(device_program *of, const char *name, device_kernel **kernel);

/* NULL: there are no more. */
device_lane *device_lane_open(device *of);
/* launch, which may be NULL: the number of a launch. */
device_error device_post(device_lane *lane, const device_operation *operation, uint32_t *launch);
/* A mark behind what was posted. */
device_error device_record(device_lane *lane, device_mark **mark);
/* What is posted from here on waits for the mark. */
device_error device_await(device_lane *lane, device_mark *mark);
/* Has everything before it been done, and since when (ps)? */
int device_mark_is_done(device_mark *mark, uint64_t *time);
void device_mark_free(device_mark *mark);
/* When a launch that is done began and ended (ps). */
void device_launch_times(device *of, uint32_t launch, uint64_t *begin, uint64_t *end);

/* ps since the machine was opened. */
uint64_t device_time(device *of);
/* Lets a little time pass. */
device_error device_step(device *of);

#endif
