/* SPDX-License-Identifier: MIT */
/* The device that a host program finds here: global memory, and registers whose doorbell runs grids to their end. */
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "app.h"
#include "floor_grid.h"
#include "hd_address.h"
#include "hd_queue.h"
#include "runtime.h"

typedef struct queue {
    uint32_t ring, completion, entries, done;
} queue;

typedef struct device {
    floor_machine machine;
    queue queues[HD_QUEUES_MAX];
} device;

static void *global(device *self, uint64_t address, uint64_t bytes)
{
    uint8_t *found = floor_global(&self->machine.memory, address, bytes);
    if (!found)
        floor_fail("the host accesses 0x%llx", (unsigned long long)address);
    return found;
}

static void run_next_of(device *self, uint32_t number)
{
    queue *q = &self->queues[number];
    const uint32_t entry = q->done % q->entries;
    hd_queue_descriptor descriptor;
    memcpy(&descriptor, global(self, q->ring + entry * HD_DESCRIPTOR_BYTES, sizeof descriptor), sizeof descriptor);
    const hd_grid *grid = &descriptor.grid;
    memcpy(self->machine.memory.constant, global(self, grid->argument_address, grid->argument_bytes),
           grid->argument_bytes);
    floor_grid_run(&self->machine, grid);
    const hd_queue_completion record = {grid->launch, HD_COMPLETION_DONE, number, q->done, 0, 0};
    memcpy(global(self, q->completion + entry * HD_COMPLETION_BYTES, sizeof record), &record, sizeof record);
    q->done++;
}

static void write_register(device *self, uint32_t offset, uint32_t value)
{
    const uint32_t number = (offset - HD_REGISTER_QUEUE_BASE) / HD_REGISTER_QUEUE_STRIDE;
    if (offset < HD_REGISTER_QUEUE_BASE || number >= HD_QUEUES_MAX)
        floor_fail("the host writes register 0x%x", offset);
    queue *q = &self->queues[number];
    switch (offset % HD_REGISTER_QUEUE_STRIDE) {
    case HD_QUEUE_RING: q->ring = value; break;
    case HD_QUEUE_COMPLETION: q->completion = value; break;
    case HD_QUEUE_ENTRIES: q->entries = value; break;
    case HD_QUEUE_DOORBELL:
        while (q->done != value)
            run_next_of(self, number);
        break;
    default: floor_fail("the host writes register 0x%x", offset);
    }
}

static uint32_t read_register(uint32_t offset)
{
    switch (offset) {
    case HD_REGISTER_IDENTIFICATION: return HD_IDENTIFICATION;
    case HD_REGISTER_VERSION: return HD_QUEUE_VERSION;
    case HD_REGISTER_QUEUES: return HD_QUEUES_MAX;
    case HD_REGISTER_MEMORY_PAGES: return FLOOR_GLOBAL_BYTES / 4096;
    default: floor_fail("the host reads register 0x%x", offset);
    }
}

static void serve_register(device *self, const host_call *call)
{
    const uint32_t offset = (uint32_t)(call->address - HD_HOST_MMIO_BASE);
    uint32_t value;
    if (call->kind == HOST_CALL_WRITE) {
        memcpy(&value, call->from, sizeof value);
        write_register(self, offset, value);
    } else {
        value = read_register(offset);
        memcpy(call->into, &value, sizeof value);
    }
}

/* Who waits finds all done: grids run while the doorbell is written. */
static void serve(device *self, const host_call *call)
{
    if (call->kind == HOST_CALL_WAIT)
        return;
    if (call->address >= HD_HOST_MMIO_BASE)
        serve_register(self, call);
    else if (call->kind == HOST_CALL_READ)
        memcpy(call->into, global(self, call->address, call->bytes), call->bytes);
    else if (call->kind == HOST_CALL_WRITE)
        memcpy(global(self, call->address, call->bytes), call->from, call->bytes);
    else
        memset(global(self, call->address, call->bytes), (int)(call->value & 0xFF), call->bytes);
}

static void run_host(device *self, const hd_host_program *program, const char *app)
{
    native_device shared = {.device = {.queues_used = 1}};
    native_runtime *runtime = runtime_create(program, &shared, 0);
    if (!runtime)
        floor_fail("no thread or no memory for the host program");
    for (const host_call *call = runtime_resume(runtime); call; call = runtime_resume(runtime))
        serve(self, call);
    if (runtime_status(runtime) != HD_HOST_PASS)
        floor_fail("%s: %s", app, runtime_message(runtime));
    runtime_destroy(runtime);
    native_device_release(&shared);
}

/* Kept from run to run: pages that the host has to find first are no part of the floor. */
static device *fresh_device(isa_program *program)
{
    static device kept;
    memset(kept.queues, 0, sizeof kept.queues);
    kept.machine.result = (floor_result){0};
    kept.machine.program = program;
    kept.machine.meetings = isa_program_table(program, isa_reconvergence.name);
    return &kept;
}

floor_result floor_run(const char *apps, const char *name, const hd_host_option *options, uint32_t option_count)
{
    hd_app app = {0};
    char folder[4096], *error = NULL, refusal[256];
    snprintf(folder, sizeof folder, "%s/%s", apps, name);
    if (!hd_app_open(&app, folder, &error) || !hd_app_open_library(&app, folder, &error))
        floor_fail("%s", error);
    isa_program *program = isa_program_load(app.elf, app.elf_bytes, refusal, sizeof refusal);
    if (!program)
        floor_fail("%s: %s", app.elf_path, refusal);
    device *self = fresh_device(program);
    run_host(
        self,
        &(hd_host_program){.entry = app.entry, .kernels = program, .options = options, .option_count = option_count},
        name);
    isa_program_free(program);
    hd_app_close(&app);
    return self->machine.result;
}
