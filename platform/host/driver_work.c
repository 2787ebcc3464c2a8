/* SPDX-License-Identifier: MIT */
/* What the driver does at an edge: each lane as far as it comes, again and again until none comes any further. */
#include "driver_internal.h"

#include "hd_address.h"
#include "runtime_internal.h"

enum { LAUNCH_ARGUMENTS, LAUNCH_DESCRIPTOR, LAUNCH_DOORBELL, LAUNCH_RINGS };

static void begin(host_driver *self, transfer *at, host_call *call)
{
    native *block = self->block;
    call->status = HD_STATUS_OK;
    block->counters[STATISTIC_CALLS]++;
    transfer_begin(at, call, block->cursor.n + block->overhead);
}

/* 1: the transfer under way is complete, and its place is free. */
static uint32_t is_over(host_driver *self, transfer *at)
{
    const host_call *call = at->call;
    if (!call || !transfer_is_complete(self->block, at))
        return 0;
    at->call = NULL;
    if (call->status != HD_STATUS_OK)
        driver_fail(self, "the device refused a %s of %llu bytes at 0x%llx: %s at 0x%llx",
                    call->kind == HOST_CALL_READ ? "read" : "write", (unsigned long long)call->bytes,
                    (unsigned long long)call->address, runtime_status_text(call->status),
                    (unsigned long long)call->status_address);
    return 1;
}

static void finish(host_driver *self, operations *from, hd_time t)
{
    host_operation *done = operations_take(from);
    done->ended = t;
    operations_add(&self->finished, done);
    self->block->services->progress(self->block->services->context, t);
}

/* ---- Completion --------------------------------------------------------------------------------------------------- */

/* Marks before the first launch of the lane that still runs. */
static uint32_t pass_marks(host_driver *self, lane *at, hd_time t)
{
    uint32_t passed = 0;
    while (at->running.first && at->running.first->kind == HOST_OPERATION_MARK) {
        at->running.first->mark->turn = at->running.first->turn;
        at->running.first->mark->at = t;
        finish(self, &at->running, t);
        passed = 1;
    }
    return passed;
}

static void complete(host_driver *self, const host_operation *done, const hd_queue_completion *record)
{
    const hd_copy *copy = &done->descriptor.copy.copy;
    if (done->kind == HOST_OPERATION_COPY) {
        if (copy->direction != HD_COPY_FILL)
            shared_memory_remove(&self->shared, copy->host_address);
        return;
    }
    hd_host_launch *launch = &self->launches[record->launch];
    launch->complete = 1;
    launch->start_cycle = record->start_cycle;
    launch->end_cycle = record->end_cycle;
}

static void take_record(host_driver *self, lane *at, hd_time t)
{
    const hd_queue_completion *record = &at->record;
    const host_operation *first = at->running.first;
    const uint32_t is_copy = first->kind == HOST_OPERATION_COPY;
    const uint32_t number = is_copy ? first->descriptor.copy.copy.number : first->descriptor.launch.grid.launch;
    if (record->launch != number || record->status != HD_COMPLETION_DONE || record->index != at->collected) {
        driver_fail(self,
                    "queue %u: the completion record of %s %u is damaged (number %u, status %u, index %u): "
                    "something has overwritten device memory of the queue",
                    (uint32_t)(at - self->lanes), is_copy ? "copy" : "launch", number, record->launch, record->status,
                    record->index);
        return;
    }
    complete(self, first, record);
    at->collected++;
    finish(self, &at->running, t);
    pass_marks(self, at, t);
}

static uint32_t collect(host_driver *self, lane *at, hd_time t)
{
    if (is_over(self, &at->collect)) {
        if (!self->failed)
            take_record(self, at, t);
        return 1;
    }
    if (at->collect.call || !at->running.first || at->taken == self->block->completions[at - self->lanes])
        return 0;
    at->taken++;
    at->collect_call = (host_call){.kind = HOST_CALL_READ,
                                   .address = at->completion + at->collected % RING_ENTRIES * UINT64_C(32),
                                   .bytes = HD_COMPLETION_BYTES,
                                   .into = (uint8_t *)&at->record};
    begin(self, &at->collect, &at->collect_call);
    return 1;
}

/* ---- Operations --------------------------------------------------------------------------------------------------- */

static uint32_t work_access(host_driver *self, lane *at, hd_time t)
{
    host_operation *operation = at->waiting.first;
    if (operation->step) {
        if (!is_over(self, &at->access))
            return 0;
        finish(self, &at->waiting, t);
        return 1;
    }
    if (at->running.first)
        return 0;
    operation->step = 1;
    begin(self, &at->access, &operation->call);
    return 1;
}

/* What the launch or copy writes next, arguments first; returns 0 if that is nothing. */
static uint32_t launch_writes(const host_driver *self, const lane *at, host_operation *operation)
{
    const uint32_t entry = at->written % RING_ENTRIES;
    host_call *call = &operation->call;
    *call = (host_call){.kind = HOST_CALL_WRITE};
    switch (operation->step) {
    case LAUNCH_ARGUMENTS:
        if (operation->kind == HOST_OPERATION_COPY)
            return 0;
        call->address = operation->descriptor.launch.grid.argument_address =
            at->arguments + (uint64_t)entry * HD_ARGUMENT_BYTES_MAX;
        call->from = operation->payload;
        call->bytes = operation->argument_bytes;
        return call->bytes > 0;
    case LAUNCH_DESCRIPTOR:
        call->address = at->ring + entry * UINT64_C(128);
        call->from = (const uint8_t *)&operation->descriptor;
        call->bytes = HD_DESCRIPTOR_BYTES;
        return 1;
    default:
        operation->turn = at->written + 1;
        call->address = HD_HOST_MMIO_BASE + HD_REGISTER_QUEUE_BASE +
                        (uint64_t)(at - self->lanes) * HD_REGISTER_QUEUE_STRIDE + HD_QUEUE_DOORBELL;
        call->from = (const uint8_t *)&operation->turn; /* its low half: everything is little endian */
        call->bytes = 4;
        return 1;
    }
}

static uint32_t work_command(host_driver *self, lane *at, hd_time t)
{
    host_operation *operation = at->waiting.first;
    if (at->access.call) {
        if (!is_over(self, &at->access))
            return 0;
        operation->step++;
    } else if (at->written - at->collected == RING_ENTRIES) {
        return 0;
    }
    if (operation->step == LAUNCH_RINGS) {
        at->written++;
        operation->told = t;
        operations_add(&at->running, operations_take(&at->waiting));
        return 1;
    }
    if (!launch_writes(self, at, operation)) {
        operation->step++;
        launch_writes(self, at, operation);
    }
    begin(self, &at->access, &operation->call);
    return 1;
}

/* It does not hold up the launches behind it. */
static uint32_t work_mark(host_driver *self, lane *at, hd_time t)
{
    operations_add(&at->running, operations_take(&at->waiting));
    if (at->running.first == at->running.last)
        pass_marks(self, at, t);
    return 1;
}

static uint32_t work_await(host_driver *self, lane *at, hd_time t)
{
    if (at->waiting.first->mark->turn < at->waiting.first->turn)
        return 0;
    finish(self, &at->waiting, t);
    return 1;
}

static uint32_t work_lane(host_driver *self, lane *at, hd_time t)
{
    static uint32_t (*const works[])(host_driver *, lane *, hd_time) = {
        [HOST_OPERATION_ACCESS] = work_access, [HOST_OPERATION_LAUNCH] = work_command,
        [HOST_OPERATION_COPY] = work_command,  [HOST_OPERATION_MARK] = work_mark,
        [HOST_OPERATION_AWAIT] = work_await,
    };
    uint32_t changed = collect(self, at, t);
    while (!self->failed && at->waiting.first && works[at->waiting.first->kind](self, at, t))
        changed = 1;
    return changed;
}

/* ---- The device says that something is wrong ------------------------------------------------------------------------ */

/* Reads one error register after another, then tells what they say. */
static void ask_for_error(host_driver *self)
{
    if (self->error.call && !is_over(self, &self->error))
        return;
    if (self->error_step == 3) {
        driver_fail(self, "the device refused descriptor %u of queue %u: %s", self->error_values[2],
                    self->error_values[1], runtime_queue_error_text(self->error_values[0]));
        return;
    }
    self->error_call = (host_call){.kind = HOST_CALL_READ,
                                   .address = HD_HOST_MMIO_BASE + HD_REGISTER_ERROR + self->error_step * UINT64_C(4),
                                   .bytes = 4,
                                   .into = (uint8_t *)&self->error_values[self->error_step]};
    self->error_step++;
    begin(self, &self->error, &self->error_call);
}

void driver_work(host_driver *self, hd_time t)
{
    uint32_t changed;
    if (self->posted)
        self->block->services->progress(self->block->services->context, t);
    self->posted = 0;
    if (self->block->device_error && !self->failed)
        ask_for_error(self);
    do {
        changed = 0;
        for (uint32_t i = 0; i < HOST_LANES && !self->failed; i++)
            changed |= work_lane(self, &self->lanes[i], t);
    } while (changed && !self->failed);
}

/* ---- What is left ------------------------------------------------------------------------------------------------- */

uint64_t driver_next_edge(const host_driver *self)
{
    const native *block = self->block;
    uint64_t next = UINT64_MAX;
    if (self->failed)
        return next;
    for (uint32_t i = 0; i < block->transfer_count; i++) {
        const transfer *at = block->transfers[i];
        if (at->call && block->cursor.n <= at->edge && at->edge < next)
            next = at->edge;
    }
    return next;
}

uint32_t driver_transfers(const host_driver *self)
{
    for (uint32_t i = 0; i < self->block->transfer_count; i++)
        if (self->block->transfers[i]->call)
            return 1;
    return 0;
}

uint32_t host_driver_has_work(const host_driver *self)
{
    for (uint32_t i = 0; i < HOST_LANES; i++)
        if (!host_driver_is_idle(self, i))
            return 1;
    return 0;
}

uint32_t host_driver_awaits_owner(const host_driver *self)
{
    for (uint32_t i = 0; i < HOST_LANES; i++) {
        const host_operation *first = self->lanes[i].waiting.first;
        if (first && first->kind == HOST_OPERATION_AWAIT && first->mark->is_owners && first->mark->turn < first->turn)
            return 1;
    }
    return 0;
}

void driver_describe(const host_driver *self, const hd_text_sink *sink)
{
    for (uint32_t i = 0; i < HOST_LANES; i++) {
        const lane *at = &self->lanes[i];
        const host_operation *first = at->waiting.first;
        if (at->running.first)
            sink->line(sink->context, "the host waits for %s of queue %u",
                       at->running.first->kind == HOST_OPERATION_COPY ? "a copy" : "a launch", i);
        if (first && first->kind == HOST_OPERATION_AWAIT)
            sink->line(sink->context, "queue %u waits for an event", i);
        else if (first && at->access.call)
            sink->line(sink->context, "the host waits for a %s of %llu bytes at 0x%llx: %llu sent, %u in flight",
                       at->access.call->kind == HOST_CALL_READ ? "read" : "write",
                       (unsigned long long)at->access.call->bytes, (unsigned long long)at->access.call->address,
                       (unsigned long long)at->access.issued, at->access.in_flight);
    }
}
