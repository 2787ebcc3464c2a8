/* SPDX-License-Identifier: MIT */
/* Copies and fills: by the DMA engine if the device has one, by the host's own accesses if not, as firmware/runtime/host does. */
#include <stdlib.h>

#include "session.h"

static host_operation *by_host(host_operation *operation, const host_call *call)
{
    operation->kind = HOST_OPERATION_ACCESS;
    operation->call = *call;
    return operation;
}

/* NULL: out of memory, and the operation is freed. */
static host_operation *by_engine(session *s, host_operation *operation, const host_call *call)
{
    static const uint32_t directions[] = {
        [HOST_CALL_READ] = HD_COPY_FROM_DEVICE, [HOST_CALL_WRITE] = HD_COPY_TO_DEVICE, [HOST_CALL_FILL] = HD_COPY_FILL};
    const uint32_t is_fill = call->kind == HOST_CALL_FILL;
    uint8_t *memory = call->kind == HOST_CALL_READ ? call->into : (uint8_t *)(uintptr_t)call->from;
    const uint64_t address = is_fill ? call->value : host_driver_share(s->driver, memory, call->bytes);
    operation->kind = HOST_OPERATION_COPY;
    if (!is_fill && !address) {
        free(operation);
        return NULL;
    }
    operation->descriptor.copy = (hd_queue_copy){.mark = HD_DESCRIPTOR_COPY,
                                                 .copy = {.number = s->copy_count++,
                                                          .direction = directions[call->kind],
                                                          .host_address = address,
                                                          .device_address = call->address,
                                                          .bytes = call->bytes}};
    return operation;
}

/* Makes of a new operation one that copies at least one byte. NULL: out of memory, and the operation is freed. */
static host_operation *make_copy(session *s, host_operation *operation, const host_call *call)
{
    return s->has_copies ? by_engine(s, operation, call) : by_host(operation, call);
}

/* Of at least one byte. */
static heddle_error append_copy(session *s, uint32_t queue, const host_call *call)
{
    host_operation *operation = operation_new(HOST_OPERATION_ACCESS, 0);
    if (operation)
        operation = make_copy(s, operation, call);
    if (!operation)
        return fail_memory();
    session_post(s, queue, operation);
    return HEDDLE_OK;
}

/* The program's memory and the range are right. */
static heddle_error check(session *s, const char *function, const host_call *call)
{
    if (call->kind != HOST_CALL_FILL && !call->into && !call->from)
        return fail_null(function, "the program's memory");
    return memory_check(s, function, (heddle_address)call->address, call->bytes);
}

/* Of one that was not posted. */
static void drop_copy(session *s, host_operation *operation)
{
    if (operation->kind == HOST_OPERATION_COPY)
        host_driver_unshare(s->driver, operation->descriptor.copy.copy.host_address);
    host_operation_free(operation);
}

/* From one place of the device to another, by memory of ours: behind the operation that writes it, and which is done after the one that
 * reads it. */
static heddle_error append_pair(session *s, uint32_t lane, heddle_address to, heddle_address from, uint64_t bytes)
{
    host_operation *read = operation_new(HOST_OPERATION_ACCESS, 0),
                   *write = operation_new(HOST_OPERATION_ACCESS, bytes);
    if (read && write)
        read = make_copy(s, read,
                         &(host_call){.kind = HOST_CALL_READ, .address = from, .into = write->payload, .bytes = bytes});
    if (!read || !write) {
        free(read);
        free(write);
        return fail_memory();
    }
    write = make_copy(s, write,
                      &(host_call){.kind = HOST_CALL_WRITE, .address = to, .from = write->payload, .bytes = bytes});
    if (!write) {
        drop_copy(s, read);
        return fail_memory();
    }
    session_post(s, lane, read);
    session_post(s, lane, write);
    return HEDDLE_OK;
}

static heddle_error check_pair(session *s, const char *function, heddle_address to, heddle_address from, uint64_t bytes)
{
    const heddle_error error = memory_check(s, function, from, bytes);
    return error ? error : memory_check(s, function, to, bytes);
}

/* ---- Waited for ---------------------------------------------------------------------------------------------------------- */

heddle_error copy_now(session *s, const char *function, const host_call *call)
{
    if (!call->bytes)
        return session_state(s);
    heddle_error error = check(s, function, call);
    if (!error)
        error = session_wait_all(s);
    if (error || !s->has_copies)
        return error ? error : session_access(s, call);
    error = queue_zero(s);
    if (!error)
        error = append_copy(s, 0, call);
    return error ? error : session_finish_lane(s, 0);
}

static heddle_error copy(heddle_machine *machine, const char *function, const host_call *call)
{
    session *s;
    const heddle_error error = session_enter_host(machine, function, &s);
    return error ? error : session_leave(s, copy_now(s, function, call));
}

heddle_error heddle_copy_to_device(heddle_machine *machine, heddle_address to, const void *from, size_t bytes)
{
    return copy(machine, __func__, &(host_call){.kind = HOST_CALL_WRITE, .address = to, .from = from, .bytes = bytes});
}

heddle_error heddle_copy_from_device(heddle_machine *machine, void *to, heddle_address from, size_t bytes)
{
    return copy(machine, __func__, &(host_call){.kind = HOST_CALL_READ, .address = from, .into = to, .bytes = bytes});
}

heddle_error heddle_fill(heddle_machine *machine, heddle_address to, uint32_t value, size_t bytes)
{
    return copy(machine, __func__, &(host_call){.kind = HOST_CALL_FILL, .address = to, .value = value, .bytes = bytes});
}

static heddle_error copy_pair_now(session *s, heddle_address to, heddle_address from, uint64_t bytes)
{
    static const char *const function = "heddle_copy_on_device";
    const uint32_t lane = s->has_copies ? 0 : HOST_LANE_OWN;
    if (!bytes)
        return session_state(s);
    heddle_error error = check_pair(s, function, to, from, bytes);
    if (!error)
        error = session_wait_all(s);
    if (!error && s->has_copies)
        error = queue_zero(s);
    if (!error)
        error = append_pair(s, lane, to, from, bytes);
    return error ? error : session_finish_lane(s, lane);
}

heddle_error heddle_copy_on_device(heddle_machine *machine, heddle_address to, heddle_address from, size_t bytes)
{
    session *s;
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, copy_pair_now(s, to, from, bytes));
}

/* ---- In a queue ---------------------------------------------------------------------------------------------------------- */

static heddle_error copy_later(heddle_queue *queue, const char *function, const host_call *call)
{
    session *s;
    uint32_t number;
    heddle_error error = session_enter(queue, HANDLE_QUEUE, function, &s, &number);
    if (error)
        return error;
    if (call->bytes)
        error = check(s, function, call);
    if (!error)
        error = session_state(s);
    if (!error && call->bytes)
        error = append_copy(s, number, call);
    return session_leave(s, error);
}

heddle_error heddle_queue_copy_to_device(heddle_queue *queue, heddle_address to, const void *from, size_t bytes)
{
    return copy_later(queue, __func__,
                      &(host_call){.kind = HOST_CALL_WRITE, .address = to, .from = from, .bytes = bytes});
}

heddle_error heddle_queue_copy_from_device(heddle_queue *queue, void *to, heddle_address from, size_t bytes)
{
    return copy_later(queue, __func__,
                      &(host_call){.kind = HOST_CALL_READ, .address = from, .into = to, .bytes = bytes});
}

heddle_error heddle_queue_fill(heddle_queue *queue, heddle_address to, uint32_t value, size_t bytes)
{
    return copy_later(queue, __func__,
                      &(host_call){.kind = HOST_CALL_FILL, .address = to, .value = value, .bytes = bytes});
}

heddle_error heddle_queue_copy_on_device(heddle_queue *queue, heddle_address to, heddle_address from, size_t bytes)
{
    session *s;
    uint32_t number;
    heddle_error error = session_enter(queue, HANDLE_QUEUE, __func__, &s, &number);
    if (error)
        return error;
    error = bytes ? check_pair(s, __func__, to, from, bytes) : HEDDLE_OK;
    if (!error)
        error = session_state(s);
    if (!error && bytes)
        error = append_pair(s, number, to, from, bytes);
    return session_leave(s, error);
}
