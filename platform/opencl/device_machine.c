/* SPDX-License-Identifier: MIT */
/* The machine that the environment names: opened, asked, and its results at the end. */
#include "device_machine.h"

#include <stdlib.h>
#include <string.h>

#include "library_machine.h"

#define GRAIN 100000u /* ps: what a step lets pass */
#define LINE_BYTES 128u
#define PREFIX "HEDDLE_OPENCL" /* of variables of the environment */

/* ---- Errors ------------------------------------------------------------------------------------------------------------ */

device_error device_error_from(device *of, heddle_error error)
{
    static const device_error errors[] = {
        [HEDDLE_OK] = DEVICE_OK,
        [HEDDLE_ERROR_MEMORY] = DEVICE_NO_MEMORY,
        [HEDDLE_ERROR_HOST_MEMORY] = DEVICE_NO_HOST_MEMORY,
        [HEDDLE_ERROR_DEVICE] = DEVICE_STOPPED,
        [HEDDLE_ERROR_FAULT] = DEVICE_STOPPED,
        [HEDDLE_ERROR_DEADLOCK] = DEVICE_STOPPED,
        [HEDDLE_ERROR_LIVELOCK] = DEVICE_STOPPED,
        [HEDDLE_ERROR_LIMIT] = DEVICE_STOPPED,
    };
    if (!error)
        return DEVICE_OK;
    free(of->message);
    of->message = strdup(heddle_message());
    const device_error result = error < sizeof errors / sizeof *errors ? errors[error] : DEVICE_OK;
    return result ? result : DEVICE_REFUSED;
}

const char *device_message(device *of)
{
    return of->message ? of->message : "";
}

/* ---- Opening ----------------------------------------------------------------------------------------------------------- */

device_error device_open(device **opened)
{
    device *made = calloc(1, sizeof *made);
    if (!made)
        return DEVICE_NO_HOST_MEMORY;
    const heddle_error error = library_machine_open(PREFIX, GRAIN, &made->machine, &made->name);
    if (!error) {
        *opened = made;
        return DEVICE_OK;
    }
    free(made);
    return error == HEDDLE_ERROR_HOST_MEMORY ? DEVICE_NO_HOST_MEMORY : DEVICE_NO_MACHINE;
}

static uint32_t megahertz(uint64_t period)
{
    return period ? (uint32_t)((1000000 + period / 2) / period) : 0;
}

void device_limits_of(device *of, device_limits *limits)
{
    heddle_limits all = {.struct_bytes = sizeof all};
    device_error_from(of, heddle_limits_get(of->machine, &all));
    *limits = (device_limits){.name = of->name,
                              .cores = all.cores,
                              .lanes = all.lanes ? all.lanes : 1,
                              .clock_mhz = megahertz(all.clock_period),
                              .group_threads = all.threads_per_block ? all.threads_per_block : 1,
                              .local_bytes = all.scratchpad_bytes,
                              .line_bytes = LINE_BYTES,
                              .cache_bytes = all.cache_bytes,
                              .memory_bytes = all.memory_bytes,
                              .largest_allocation = all.free_bytes};
}

/* ---- Memory and programs --------------------------------------------------------------------------------------------------- */

device_error device_allocate(device *of, uint64_t bytes, uint32_t *address)
{
    return device_error_from(of, heddle_allocate(of->machine, bytes, address));
}

void device_free(device *of, uint32_t address)
{
    device_error_from(of, heddle_free(of->machine, address));
}

struct device_program {
    device *owner;
    heddle_program *program;
};

device_error device_load(device *of, const void *image, size_t bytes, device_program **loaded)
{
    device_program *made = malloc(sizeof *made);
    if (!made)
        return DEVICE_NO_HOST_MEMORY;
    made->owner = of;
    const device_error error = device_error_from(of, heddle_program_load(of->machine, image, bytes, &made->program));
    if (error) {
        free(made);
        return error;
    }
    *loaded = made;
    return DEVICE_OK;
}

void device_unload(device *of, device_program *gone)
{
    device_error_from(of, heddle_program_unload(gone->program));
    free(gone);
}

/* The library's handles are pointers that need no memory. */
device_error device_kernel_named(device_program *of, const char *name, device_kernel **kernel)
{
    heddle_kernel *found;
    const device_error error = device_error_from(of->owner, heddle_program_kernel(of->program, name, &found));
    if (!error)
        *kernel = (device_kernel *)found;
    return error;
}

/* ---- Time ------------------------------------------------------------------------------------------------------------------- */

uint64_t device_time(device *of)
{
    uint64_t time = 0;
    device_error_from(of, heddle_time(of->machine, &time));
    return time;
}

device_error device_step(device *of)
{
    const uint64_t next = (device_time(of) / GRAIN + 1) * GRAIN;
    return device_error_from(of, heddle_advance_until(of->machine, next));
}

/* ---- Results ---------------------------------------------------------------------------------------------------------------- */

void device_finish(device *of)
{
    library_machine_finish(PREFIX, of->machine);
}
