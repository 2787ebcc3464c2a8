/* SPDX-License-Identifier: MIT */
#include "host_record.h"

#include <stdlib.h>
#include <string.h>

#include "hd_fnv.h"

static void *room_for_one(void *array, uint32_t count, size_t bytes)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * (size_t)count : 1) * bytes);
    if (!array)
        abort();
    return array;
}

static uint8_t *copy_of(const void *data, uint64_t bytes)
{
    uint8_t *copy = malloc(bytes ? bytes : 1);
    if (!copy)
        abort();
    if (data)
        memcpy(copy, data, bytes);
    return copy;
}

static void release_writes(host_shared_write *writes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(writes[i].data);
    free(writes);
}

void host_record_release(host_record *record)
{
    for (uint32_t i = 0; i < record->turn_count; i++) {
        release_writes(record->turns[i].writes, record->turns[i].write_count);
        free(record->turns[i].read);
    }
    free(record->turns);
    release_writes(record->writes, record->write_count);
    *record = (host_record){.is_kept = record->is_kept};
}

void host_record_write(host_record *record, uint64_t address, uint32_t bytes)
{
    if (!record->is_kept)
        return;
    record->writes = room_for_one(record->writes, record->write_count, sizeof *record->writes);
    record->writes[record->write_count++] = (host_shared_write){.address = address, .bytes = bytes};
}

/* What lies there now is what was written: the program has not run since. */
static void take_data(host_record *record, const shared_memory *shared)
{
    for (uint32_t i = 0; i < record->write_count; i++) {
        host_shared_write *write = &record->writes[i];
        if (!write->data)
            write->data = copy_of(shared_memory_find(shared, write->address, write->bytes), write->bytes);
    }
}

static uint64_t digest_of(const host_call *call)
{
    return call->kind == HOST_CALL_WRITE ? hd_fnv_add(HD_FNV_START, call->from, call->bytes) : 0;
}

void host_record_turn(host_record *record, uint32_t program, const host_call *call, const shared_memory *shared)
{
    if (!record->is_kept)
        return;
    take_data(record, shared);
    host_turn turn = {.program = program, .write_count = record->write_count, .writes = record->writes};
    record->writes = NULL;
    record->write_count = 0;
    if (call) {
        turn.call = *call;
        turn.call.into = NULL;
        turn.call.from = NULL;
        turn.digest = digest_of(call);
    }
    if (call && call->kind == HOST_CALL_READ)
        turn.read = copy_of(call->into, call->bytes);
    record->turns = room_for_one(record->turns, record->turn_count, sizeof *record->turns);
    record->turns[record->turn_count++] = turn;
}

/* ---- Both directions ------------------------------------------------------------------------------------------------ */

static void transfer_data(uint8_t **data, uint64_t bytes, const hd_state_stream *stream)
{
    if (stream->is_restored)
        *data = copy_of(NULL, bytes);
    HD_STATE_ARRAY(stream, *data, bytes);
}

static void transfer_writes(host_shared_write **writes, uint32_t *count, const hd_state_stream *stream)
{
    const uint32_t total = (uint32_t)hd_state_number(stream, *count);
    for (uint32_t i = 0; i < total; i++) {
        if (stream->is_restored)
            *writes = room_for_one(*writes, i, sizeof **writes);
        HD_STATE_VALUE(stream, (*writes)[i].address);
        HD_STATE_VALUE(stream, (*writes)[i].bytes);
        transfer_data(&(*writes)[i].data, (*writes)[i].bytes, stream);
    }
    *count = total;
}

static void transfer_turn(host_turn *turn, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, turn->program);
    HD_STATE_VALUE(stream, turn->call);
    HD_STATE_VALUE(stream, turn->digest);
    if (turn->call.kind == HOST_CALL_READ)
        transfer_data(&turn->read, turn->call.bytes, stream);
    transfer_writes(&turn->writes, &turn->write_count, stream);
}

void host_record_transfer(host_record *record, const shared_memory *shared, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, record->turn_count);
    for (uint32_t i = 0; i < count; i++) {
        if (stream->is_restored) {
            record->turns = room_for_one(record->turns, i, sizeof *record->turns);
            record->turns[i] = (host_turn){.program = 0};
        }
        transfer_turn(&record->turns[i], stream);
    }
    record->turn_count = count;
    if (!stream->is_restored)
        take_data(record, shared);
    transfer_writes(&record->writes, &record->write_count, stream);
}

/* ---- Once more ------------------------------------------------------------------------------------------------------ */

static void lay(const host_shared_write *writes, uint32_t count, const shared_memory *shared)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *there = shared_memory_find(shared, writes[i].address, writes[i].bytes);
        if (there)
            memcpy(there, writes[i].data, writes[i].bytes);
    }
}

static uint32_t is_same(const host_call *then, const host_call *now)
{
    return then->kind == now->kind && then->value == now->value && then->address == now->address &&
           then->bytes == now->bytes && then->queue == now->queue && then->count == now->count;
}

uint32_t host_record_answer(const host_turn *turn, host_call *call, const shared_memory *shared)
{
    const uint32_t is_begun = call != NULL, was_begun = turn->call.kind != HOST_CALL_NONE;
    if (is_begun != was_begun || (is_begun && (!is_same(&turn->call, call) || digest_of(call) != turn->digest)))
        return 0;
    lay(turn->writes, turn->write_count, shared);
    if (!is_begun)
        return 1;
    call->status = turn->call.status;
    call->status_address = turn->call.status_address;
    call->device_error = turn->call.device_error;
    if (call->kind == HOST_CALL_READ)
        memcpy(call->into, turn->read, call->bytes);
    return 1;
}

void host_record_lay_rest(const host_record *record, const shared_memory *shared)
{
    lay(record->writes, record->write_count, shared);
}
