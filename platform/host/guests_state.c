/* SPDX-License-Identifier: MIT */
/* The native host as it is between two calls (hd_state.h). Its programs run once more up to where they were. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "native.h"

static const char *const call_names[] = {[HOST_CALL_NONE] = "begin",
                                         [HOST_CALL_READ] = "read",
                                         [HOST_CALL_WRITE] = "write",
                                         [HOST_CALL_FILL] = "fill memory",
                                         [HOST_CALL_WAIT] = "wait for a queue"};

static void describe_call(const host_call *call, char *text, size_t bytes)
{
    if (call == NULL || call->kind == HOST_CALL_NONE)
        snprintf(text, bytes, "%s", call == NULL ? "nothing" : "its beginning");
    else if (call->kind == HOST_CALL_WAIT)
        snprintf(text, bytes, "to wait for descriptor %" PRIu32 " of queue %" PRIu32, call->count - 1, call->queue);
    else
        snprintf(text, bytes, "to %s, %" PRIu64 " bytes at 0x%" PRIx64, call_names[call->kind], call->bytes,
                 call->address);
}

/* A program that depends on more than the machine and its options, as the time of day. */
static void refuse_turn(native *self, uint32_t number)
{
    const host_turn *turn = &self->record.turns[number];
    const guest *at = &self->guests[turn->program];
    const hd_services *s = self->services;
    char then[128], now[128];
    describe_call(&turn->call, then, sizeof then);
    describe_call(at->call, now, sizeof now);
    const uint32_t is_same_call = strcmp(then, now) == 0;
    s->fault(s->context, self->cursor.t,
             "%s does not do again what it did before the checkpoint: call %" PRIu32 " asked %s%s, and %s now",
             at->program.name != NULL ? at->program.name : "the host program", number + 1, then,
             is_same_call ? " with other data" : "", is_same_call ? "does not" : now);
    self->stopped = 1;
}

static void replay(native *self)
{
    const host_record *record = &self->record;
    for (uint32_t i = 0; i < record->turn_count; i++) {
        guest *at = &self->guests[record->turns[i].program];
        if (!host_record_answer(&record->turns[i], at->call, &self->shared->memory)) {
            refuse_turn(self, i);
            return;
        }
        runtime_set_replayed(at->runtime, 1);
        at->call = runtime_resume(at->runtime);
        runtime_set_replayed(at->runtime, 0);
    }
    if (self->shared != NULL)
        host_record_lay_rest(record, &self->shared->memory);
}

static void transfer_own(transfer *at, host_call *call, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, at->edge);
    HD_STATE_VALUE(stream, at->issued);
    HD_STATE_VALUE(stream, at->in_flight);
    at->call = call;
    if (call == NULL)
        return;
    HD_STATE_VALUE(stream, call->status);
    HD_STATE_VALUE(stream, call->status_address);
    if (call->kind == HOST_CALL_READ)
        HD_STATE_ARRAY(stream, call->into, call->bytes);
}

static void transfer_guest(guest *at, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, at->call_edge);
    HD_STATE_VALUE(stream, at->calls);
    HD_STATE_VALUE(stream, at->ended);
    transfer_own(&at->own, at->call != NULL && at->call->kind != HOST_CALL_WAIT ? at->call : NULL, stream);
}

static void transfer_programs(native *self, const hd_state_stream *stream)
{
    host_record_transfer(&self->record, self->shared != NULL ? &self->shared->memory : NULL, stream);
    if (stream->is_restored)
        replay(self);
    for (uint32_t i = 0; i < self->guest_count && !self->stopped; i++)
        transfer_guest(&self->guests[i], stream);
}

static void transfer_state(hd_block *block, const hd_state_stream *stream)
{
    native *self = (native *)block;
    HD_STATE_SHAPE(stream, "programs", self->guest_count);
    HD_STATE_SHAPE(stream, "transfers", self->transfer_count);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->more);
    HD_STATE_VALUE(stream, self->next_transfer);
    HD_STATE_VALUE(stream, self->in_flight);
    HD_STATE_VALUE(stream, self->answered);
    HD_STATE_VALUE(stream, self->completions);
    HD_STATE_VALUE(stream, self->device_error);
    HD_STATE_VALUE(stream, self->counters);
    hd_memory_port_transfer(&self->memory, stream);
    transfer_programs(self, stream);
}

static uint32_t refuses(hd_block *block, char *text, size_t bytes)
{
    const native *self = (const native *)block;
    const char *why = self->driver != NULL                              ? "its program is outside of the simulator"
                      : self->guest_count != 0 && !self->record.is_kept ? "its program's calls are not recorded"
                                                                        : NULL;
    if (why != NULL)
        snprintf(text, bytes, "%s", why);
    return why != NULL;
}

const hd_state native_state = {transfer_state, refuses};

void hd_host_native_keep_record(hd_block *block)
{
    ((native *)block)->record.is_kept = 1;
}
