/* SPDX-License-Identifier: MIT */
/* The native port of the runtime (firmware/runtime/host): the program is a thread, accesses are calls to the block. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_message.h"
#include "host_ending.h"
#include "host_thread.h"

struct native_runtime {
    runtime rt;
    host_thread thread;
    host_call call;
    native_device *shared;
    uint32_t is_replayed;
};

/* The one thing that a call of the program cannot carry: which machine it speaks to. */
static _Thread_local runtime *current;

static native_runtime *native_of(runtime *rt)
{
    return (native_runtime *)(void *)rt; /* its first member */
}

runtime *runtime_current(void)
{
    if (current == NULL)
        host_ending_fail(
            "a second thread of the host program called a function of heddle_rt.h; only the thread that runs "
            "hd_app_main may");
    host_thread_halt_if_abandoned(&native_of(current)->thread);
    return current;
}

static void run(void *argument)
{
    current = argument;
    runtime_run(argument);
}

void native_device_release(native_device *shared)
{
    runtime_device_release(&shared->device);
    shared_memory_release(&shared->memory);
    *shared = (native_device){0};
}

native_runtime *runtime_create(const hd_host_program *program, native_device *shared, uint32_t default_queue)
{
    native_runtime *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    runtime_init(&self->rt, program);
    self->rt.device = &shared->device;
    self->rt.default_queue = default_queue;
    self->shared = shared;
    self->thread.may_abandon = program->is_interrupted;
    self->thread.context = program->context;
    if (!host_thread_start(&self->thread, run, &self->rt)) {
        free(self);
        return NULL;
    }
    return self;
}

void runtime_destroy(native_runtime *self)
{
    if (self == NULL || self->thread.abandoned) /* its thread uses it for as long as there is one */
        return;
    host_thread_stop(&self->thread);
    runtime_release(&self->rt);
    free(self);
}

host_call *runtime_resume(native_runtime *self)
{
    if (host_thread_resume(&self->thread))
        return &self->call;
    if (self->thread.left)
        snprintf(self->rt.message, sizeof self->rt.message,
                 "the host program called pthread_exit; a program ends where hd_app_main returns");
    if (self->thread.left)
        self->rt.status = HD_HOST_ERROR;
    return NULL;
}

void runtime_set_replayed(native_runtime *self, uint32_t is_replayed)
{
    self->is_replayed = is_replayed;
}

uint32_t runtime_is_abandoned(const native_runtime *self)
{
    return self->thread.abandoned;
}

uint32_t runtime_status(const native_runtime *self)
{
    return self->rt.status;
}

const char *runtime_message(const native_runtime *self)
{
    return self->rt.message;
}

const hd_host_report *runtime_reports(const native_runtime *self, uint32_t *count)
{
    *count = self->rt.report_count;
    return self->rt.reports;
}

uint32_t runtime_has_queue(const native_runtime *self, uint32_t number)
{
    return queue_of_device(&self->rt, number) != UINT32_MAX;
}

const hd_host_launch *runtime_launches(const native_runtime *self, uint32_t *count)
{
    *count = self->rt.device->launch_count;
    return self->rt.device->launches;
}

const struct runtime_heap *runtime_heap_of(const native_runtime *self)
{
    return &self->rt.device->heap;
}

/* ---- The port ------------------------------------------------------------------------------------------------------- */

void runtime_end(runtime *rt, uint32_t status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rt->message, sizeof rt->message, format, arguments);
    va_end(arguments);
    rt->status = status;
    host_thread_exit(&native_of(rt)->thread);
}

void port_print(runtime *rt, const char *line)
{
    if (rt->program.print != NULL && !native_of(rt)->is_replayed)
        rt->program.print(rt->program.context, line);
}

static void call(runtime *rt, const host_call *request)
{
    native_runtime *self = native_of(rt);
    self->call = *request;
    host_thread_yield(&self->thread);
    if (self->call.status != HD_STATUS_OK)
        runtime_refused(rt, request->kind == HOST_CALL_READ, request->address, request->bytes, self->call.status,
                        self->call.status_address);
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

uint32_t bus_wait(runtime *rt, uint32_t queue, uint32_t count)
{
    call(rt, &(host_call){.kind = HOST_CALL_WAIT, .queue = queue, .count = count});
    return !native_of(rt)->call.device_error;
}

uint64_t port_share(runtime *rt, void *memory, uint64_t bytes)
{
    uint32_t no_memory;
    const uint64_t address = shared_memory_add(&native_of(rt)->shared->memory, memory, bytes, &no_memory);
    if (no_memory)
        runtime_error(rt, "the host has no memory left");
    return address;
}

void port_unshare(runtime *rt, uint64_t address)
{
    shared_memory_remove(&native_of(rt)->shared->memory, address);
}
