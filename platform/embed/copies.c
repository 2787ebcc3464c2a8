/* SPDX-License-Identifier: MIT */
/* Copies and fills: by the DMA engine if the device has one, by the host's own accesses if not, as firmware/runtime/host does. */
#include <stdlib.h>

#include "session.h"

static host_operation *by_host(const host_call *call)
{
    host_operation *operation = operation_new(HOST_OPERATION_ACCESS, 0);
    if (operation)
        operation->call = *call;
    return operation;
}

static host_operation *by_engine(session *s, const host_call *call)
{
    static const uint32_t directions[] = {
        [HOST_CALL_READ] = HD_COPY_FROM_DEVICE, [HOST_CALL_WRITE] = HD_COPY_TO_DEVICE, [HOST_CALL_FILL] = HD_COPY_FILL};
    const uint32_t is_fill = call->kind == HOST_CALL_FILL;
    uint8_t *memory = call->kind == HOST_CALL_READ ? call->into : (uint8_t *)(uintptr_t)call->from;
    host_operation *operation = operation_new(HOST_OPERATION_COPY, 0);
    const uint64_t address = !operation ? 0 : is_fill ? call->value : host_driver_share(s->driver, memory, call->bytes);
    if (!operation || (!is_fill && !address)) {
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

/* Of at least one byte. */
static heddle_error append_copy(session *s, uint32_t queue, const host_call *call)
{
    host_operation *operation = s->has_copies ? by_engine(s, call) : by_host(call);
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

/* ---- Waited for ---------------------------------------------------------------------------------------------------------- */

static heddle_error copy_now(session *s, const char *function, const host_call *call)
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
    return error ? error : session_wait_lane(s, 0);
}

static heddle_error copy(heddle_machine *machine, const char *function, const host_call *call)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, function, &s, &index);
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
