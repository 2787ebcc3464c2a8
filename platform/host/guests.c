/* SPDX-License-Identifier: MIT */
/* The programs of a native host. They share the device, and run one after another: each when its own call is complete. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "native.h"
#include "program.h"

static uint32_t runs(const guest *at)
{
    return at->runtime != NULL && runtime_status(at->runtime) == HD_HOST_RUNNING;
}

void guests_create(native *self)
{
    const hd_services *s = self->services;
    const uint32_t *count = s->extension(s->context, HD_EXTENSION_HOST_PROGRAMS);
    const uint32_t tracks = count != NULL ? *count : 1;
    const uint32_t first =
        tracks > 1 ? hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "program", tracks) : HD_TRACE_BLOCK;
    for (uint32_t i = 0; i < HD_HOST_PROGRAMS_MAX; i++)
        self->guests[i].track = i < tracks && tracks > 1 && self->trace != NULL ? first + i : HD_TRACE_BLOCK;
    transfer_add(self, &self->guests[0].own);
    self->served = 1;
}

/* A program that is abandoned keeps what it uses for as long as the process. */
void guests_release(native *self)
{
    const uint32_t is_abandoned = hd_host_native_is_abandoned((const hd_block *)self);
    for (uint32_t i = 0; i < HD_HOST_PROGRAMS_MAX; i++) {
        runtime_destroy(self->guests[i].runtime);
        self->guests[i].runtime = NULL;
    }
    if (self->shared != NULL && !is_abandoned) {
        native_device_release(self->shared);
        free(self->shared);
    }
    self->shared = NULL;
}

/* Behind the kernels of all programs; 0: there is one program at most, whose kernels say it themselves. */
static uint32_t images_end(const native *self)
{
    uint32_t end = 0;
    for (uint32_t i = 0; self->guest_count > 1 && i < self->guest_count; i++) {
        const struct isa_program *kernels = self->guests[i].program.kernels;
        for (uint32_t k = 0; kernels != NULL && k < kernels->segment_count; k++) {
            const uint32_t behind = kernels->segments[k].address + kernels->segments[k].memory_bytes;
            end = behind > end ? behind : end;
        }
    }
    return end;
}

uint32_t guests_reset(native *self)
{
    host_record_release(&self->record);
    self->shared = self->guest_count > 0 ? calloc(1, sizeof *self->shared) : NULL;
    if (self->shared != NULL)
        self->shared->device = (runtime_device){.images_end = images_end(self), .queues_used = self->guest_count};
    for (uint32_t i = 0; i < HD_HOST_PROGRAMS_MAX; i++) {
        guest *at = &self->guests[i];
        at->call = NULL;
        at->call_edge = at->calls = 0;
        at->own.call = NULL;
        at->own.in_flight = 0;
        at->ended = HD_NEVER;
        at->runtime =
            i < self->guest_count && self->shared != NULL ? runtime_create(&at->program, self->shared, i) : NULL;
        if (i < self->guest_count && at->runtime == NULL)
            return 0;
    }
    return 1;
}

/* ---- One after another ---------------------------------------------------------------------------------------------- */

static uint32_t call_is_complete(const native *self, const guest *at)
{
    const host_call *call = at->call;
    if (call->kind != HOST_CALL_WAIT)
        return transfer_is_complete(self, &at->own);
    return self->cursor.n >= at->call_edge &&
           (self->device_error || (int32_t)(self->completions[call->queue] - call->count) >= 0);
}

static uint32_t event_of(const host_call *call)
{
    return call->kind == HOST_CALL_WAIT ? EVENT_WAIT : call->kind == HOST_CALL_READ ? EVENT_READ : EVENT_WRITE;
}

static void trace_call(const native *self, const guest *at)
{
    const host_call *call = at->call;
    const uint32_t waits = call->kind == HOST_CALL_WAIT;
    hd_trace_begin(self->trace, at->track, event_of(call), self->cursor.t, waits ? call->queue : call->address,
                   waits ? call->count : call->bytes);
}

/* The program begins with its first call, or ends without one. */
static void trace_begin(const native *self, const guest *at)
{
    if (at->call == NULL && at->calls == 0)
        hd_trace_begin(self->trace, at->track, EVENT_PROGRAM, self->cursor.t, 0);
    if (at->call != NULL)
        hd_trace_end(self->trace, at->track, event_of(at->call), self->cursor.t);
}

static void run_guest(native *self, guest *at)
{
    while (runs(at) && (at->call == NULL || call_is_complete(self, at))) {
        if (at->call != NULL)
            at->call->device_error = self->device_error;
        at->own.call = NULL;
        if (self->trace)
            trace_begin(self, at);
        host_record_turn(&self->record, (uint32_t)(at - self->guests), at->call, &self->shared->memory);
        at->call = runtime_resume(at->runtime);
        if (at->call == NULL) {
            at->ended = self->cursor.t;
            hd_trace_end(self->trace, at->track, EVENT_PROGRAM, self->cursor.t);
            return;
        }
        at->calls++;
        self->counters[STATISTIC_CALLS]++;
        at->call_edge = self->cursor.n + self->overhead;
        if (self->trace)
            trace_call(self, at);
        if (at->call->kind != HOST_CALL_WAIT)
            transfer_begin(&at->own, at->call, at->call_edge);
    }
}

void guests_run(native *self)
{
    for (uint32_t i = 0; i < self->guest_count; i++)
        run_guest(self, &self->guests[i]);
}

/* ---- Of all --------------------------------------------------------------------------------------------------------- */

uint32_t guests_run_on(const native *self)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->guest_count; i++)
        found |= runs(&self->guests[i]);
    return found;
}

uint32_t guests_want_edge(const native *self)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->guest_count; i++)
        found |= runs(&self->guests[i]) && self->guests[i].call == NULL;
    return found;
}

uint32_t guests_wait(const native *self)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->guest_count; i++)
        found |= self->guests[i].call != NULL;
    return found;
}

uint32_t guests_transfer(const native *self)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->guest_count; i++)
        found |= self->guests[i].call != NULL && self->guests[i].call->kind != HOST_CALL_WAIT;
    return found;
}

uint64_t guests_next_edge(const native *self, uint64_t n)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < self->guest_count; i++) {
        const guest *at = &self->guests[i];
        if (at->call != NULL && n <= at->call_edge && at->call_edge < next)
            next = at->call_edge;
    }
    return next;
}

uint8_t *guests_shared(const native *self, uint64_t address, uint64_t bytes)
{
    return guests_run_on(self) ? shared_memory_find(&self->shared->memory, address, bytes) : NULL;
}

static const char *lead_of(const guest *at)
{
    return at->program.name != NULL ? at->program.name : "the host program";
}

static void describe_guest(const native *self, const guest *at, const hd_text_sink *sink)
{
    const host_call *call = at->call;
    if (call == NULL && runs(at))
        sink->line(sink->context, "%s computes", lead_of(at));
    if (call == NULL)
        return;
    if (call->kind == HOST_CALL_WAIT)
        sink->line(sink->context, "%s waits for descriptor %u of queue %u, %u are complete", lead_of(at),
                   call->count - 1, call->queue, self->completions[call->queue]);
    else
        sink->line(sink->context, "%s waits for %s of %llu bytes at 0x%llx: %llu sent, %u in flight", lead_of(at),
                   call->kind == HOST_CALL_READ ? "a read" : "a write", (unsigned long long)call->bytes,
                   (unsigned long long)call->address, (unsigned long long)at->own.issued, at->own.in_flight);
}

void guests_describe(const native *self, const hd_text_sink *sink)
{
    for (uint32_t i = 0; i < self->guest_count; i++)
        describe_guest(self, &self->guests[i], sink);
}

/* ---- For the platform ----------------------------------------------------------------------------------------------- */

void hd_host_native_set_programs(hd_block *block, const hd_host_program *programs, uint32_t count)
{
    native *self = (native *)block;
    self->guest_count = count;
    for (; self->served < count; self->served++)
        transfer_add(self, &self->guests[self->served].own);
    for (uint32_t i = 0; i < count; i++)
        self->guests[i].program = programs[i];
}

void hd_host_native_set_program(hd_block *block, const hd_host_program *program)
{
    hd_host_native_set_programs(block, program, program != NULL);
}

uint32_t hd_host_native_is_abandoned(const hd_block *block)
{
    const native *self = (const native *)block;
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->guest_count; i++)
        found |= self->guests[i].runtime != NULL && runtime_is_abandoned(self->guests[i].runtime);
    return found;
}

static uint32_t status_of(const guest *at)
{
    return at->runtime == NULL ? HD_HOST_NO_PROGRAM : runtime_status(at->runtime);
}

static uint32_t one_has(const native *self, uint32_t status)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->guest_count; i++)
        found |= status_of(&self->guests[i]) == status;
    return found;
}

uint32_t hd_host_native_status(const hd_block *block)
{
    static const uint32_t first[] = {HD_HOST_NO_PROGRAM, HD_HOST_ERROR, HD_HOST_RUNNING, HD_HOST_FAIL, HD_HOST_PASS};
    const native *self = (const native *)block;
    for (uint32_t i = 0; i < sizeof first / sizeof *first; i++)
        if (one_has(self, first[i]))
            return first[i];
    return HD_HOST_NO_PROGRAM;
}

hd_time hd_host_native_ended(const hd_block *block)
{
    const native *self = (const native *)block;
    hd_time last = self->guest_count > 0 ? 0 : HD_NEVER;
    for (uint32_t i = 0; i < self->guest_count; i++)
        last = self->guests[i].ended > last ? self->guests[i].ended : last;
    return last;
}

/* The first of the worst, named if there are others. */
const char *hd_host_native_message(const hd_block *block)
{
    native *self = (native *)(uintptr_t)block;
    const uint32_t status = hd_host_native_status(block);
    for (uint32_t i = 0; i < self->guest_count; i++) {
        const guest *at = &self->guests[i];
        if (status_of(at) != status || at->runtime == NULL)
            continue;
        const char *message = runtime_message(at->runtime);
        if (at->program.name == NULL || *message == '\0')
            return message;
        snprintf(self->message, sizeof self->message, "%s: %s", at->program.name, message);
        return self->message;
    }
    return "";
}

const hd_host_report *hd_host_native_reports(const hd_block *block, uint32_t *count)
{
    const native *self = (const native *)block;
    *count = 0;
    return self->guests[0].runtime == NULL ? NULL : runtime_reports(self->guests[0].runtime, count);
}

const struct runtime_heap *hd_host_native_heap(const hd_block *block)
{
    const native *self = (const native *)block;
    return self->shared == NULL ? NULL : &self->shared->device.heap;
}

const hd_host_launch *hd_host_native_launches(const hd_block *block, uint32_t *count)
{
    const native *self = (const native *)block;
    *count = 0;
    if (self->driver != NULL)
        return host_driver_launches(self->driver, count);
    if (self->shared == NULL)
        return NULL;
    *count = self->shared->device.launch_count;
    return self->shared->device.launches;
}

hd_host_standing hd_host_native_standing(const hd_block *block, uint32_t program)
{
    const guest *at = &((const native *)block)->guests[program];
    hd_host_standing standing = {.status = status_of(at), .ended = at->ended, .message = ""};
    if (at->runtime == NULL)
        return standing;
    standing.message = runtime_message(at->runtime);
    standing.reports = runtime_reports(at->runtime, &standing.report_count);
    return standing;
}

uint32_t hd_host_native_owner(const hd_block *block, uint32_t queue)
{
    const native *self = (const native *)block;
    for (uint32_t i = 0; i < self->guest_count; i++)
        if (self->guests[i].runtime != NULL && runtime_has_queue(self->guests[i].runtime, queue))
            return i;
    return UINT32_MAX;
}
