/* SPDX-License-Identifier: MIT */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_message.h"
#include "runtime_internal.h"

/* The one thing that a call of the program cannot carry: which machine it speaks to. */
static _Thread_local runtime *current;

runtime *runtime_current(void)
{
    /* Called from a thread that is no host program: there is nobody to report it to. */
    if (current == NULL)
        abort();
    return current;
}

static void run(void *argument)
{
    runtime *rt = argument;
    current = rt;
    memory_start(rt);
    queue_start(rt);
    int result = rt->program.entry();
    if (result != HD_PASS)
        runtime_end(rt, HD_HOST_FAIL, "the program returned %d", result);
    options_check_all_read(rt);
    queue_wait_all(rt);
    runtime_end(rt, HD_HOST_PASS, "%s", "");
}

runtime *runtime_create(const hd_host_program *program)
{
    runtime *rt = calloc(1, sizeof *rt);
    if (rt == NULL)
        return NULL;
    rt->program = *program;
    rt->status = HD_HOST_RUNNING;
    rt->stack_bytes = STACK_STANDARD;
    rt->memory.next = rt->memory.previous = &rt->memory;
    if (!host_thread_start(&rt->thread, run, rt)) {
        free(rt);
        return NULL;
    }
    return rt;
}

void runtime_destroy(runtime *rt)
{
    if (rt == NULL)
        return;
    host_thread_stop(&rt->thread);
    text_release(rt);
    memory_release(rt);
    heap_release(&rt->heap);
    free(rt->queues);
    free(rt->launches);
    free(rt->launch_indices);
    free(rt);
}

host_call *runtime_resume(runtime *rt)
{
    return host_thread_resume(&rt->thread) ? &rt->call : NULL;
}

uint32_t runtime_status(const runtime *rt)
{
    return rt->status;
}

const char *runtime_message(const runtime *rt)
{
    return rt->message;
}

const hd_host_report *runtime_reports(const runtime *rt, uint32_t *count)
{
    *count = rt->report_count;
    return rt->reports;
}

const hd_host_launch *runtime_launches(const runtime *rt, uint32_t *count)
{
    *count = rt->launch_count;
    return rt->launches;
}

void runtime_end(runtime *rt, uint32_t status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rt->message, sizeof rt->message, format, arguments);
    va_end(arguments);
    rt->status = status;
    host_thread_exit(&rt->thread);
}

void *runtime_grow(runtime *rt, void *array, size_t count, size_t element_bytes)
{
    void *grown = realloc(array, count * element_bytes);
    if (grown == NULL)
        runtime_error(rt, "the host has no memory left");
    return grown;
}

/* ---- Calls to the block ------------------------------------------------------------------------------------------- */

static const char *status_text(uint32_t status)
{
    static const char *const texts[] = {
        [HD_STATUS_OK] = "no error",
        [HD_STATUS_ADDRESS_ERROR] = "address error",
        [HD_STATUS_COMMAND_ERROR] = "command error",
        [HD_STATUS_BURST_ERROR] = "burst error",
        [HD_STATUS_BYTE_ENABLE_ERROR] = "byte enable error",
        [HD_STATUS_GENERIC_ERROR] = "generic error",
    };
    return status < sizeof texts / sizeof texts[0] ? texts[status] : "an error of unknown kind";
}

static void call(runtime *rt, const host_call *request)
{
    rt->call = *request;
    host_thread_yield(&rt->thread);
    if (rt->call.status == HD_STATUS_OK)
        return;
    runtime_error(rt, "the device refused a %s of %llu bytes at 0x%llx: %s at 0x%llx",
                  request->kind == HOST_CALL_READ ? "read" : "write", (unsigned long long)request->bytes,
                  (unsigned long long)request->address, status_text(rt->call.status),
                  (unsigned long long)rt->call.status_address);
}

void bus_read(runtime *rt, void *into, uint64_t address, uint64_t bytes)
{
    if (bytes > 0)
        call(rt, &(host_call){.kind = HOST_CALL_READ, .address = address, .bytes = bytes, .into = into});
}

void bus_write(runtime *rt, uint64_t address, const void *from, uint64_t bytes)
{
    if (bytes > 0)
        call(rt, &(host_call){.kind = HOST_CALL_WRITE, .address = address, .bytes = bytes, .from = from});
}

void bus_fill(runtime *rt, uint64_t address, uint32_t value, uint64_t bytes)
{
    if (bytes > 0)
        call(rt, &(host_call){.kind = HOST_CALL_FILL, .address = address, .bytes = bytes, .value = value});
}

uint32_t register_read(runtime *rt, uint32_t offset)
{
    uint32_t value = 0;
    bus_read(rt, &value, HD_HOST_MMIO_BASE + offset, sizeof value);
    return value;
}

void register_write(runtime *rt, uint32_t offset, uint32_t value)
{
    bus_write(rt, HD_HOST_MMIO_BASE + offset, &value, sizeof value);
}

uint32_t bus_wait(runtime *rt, uint32_t queue, uint32_t count)
{
    call(rt, &(host_call){.kind = HOST_CALL_WAIT, .queue = queue, .count = count});
    return !rt->call.device_error;
}
