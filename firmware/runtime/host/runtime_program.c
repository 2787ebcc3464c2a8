/* SPDX-License-Identifier: MIT */
/* The life of a host program, and what both ports of the runtime do alike. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_message.h"
#include "runtime_internal.h"

void runtime_init(runtime *rt, const hd_host_program *program)
{
    rt->program = *program;
    rt->status = HD_HOST_RUNNING;
    rt->stack_bytes = STACK_STANDARD;
    rt->memory.next = rt->memory.previous = &rt->memory;
    rt->device = &rt->own;
    rt->own.queues_used = 1;
}

void runtime_device_release(runtime_device *device)
{
    heap_release(&device->heap);
    free(device->launches);
    free(device->launch_indices);
}

void runtime_release(runtime *rt)
{
    text_release(rt);
    memory_release(rt);
    free(rt->queues);
    runtime_device_release(&rt->own);
}

void runtime_run(runtime *rt)
{
    memory_start(rt);
    queue_start(rt);
    const int result = rt->program.entry();
    if (result != HD_PASS)
        runtime_end(rt, HD_HOST_FAIL, "the program returned %d", result);
    options_check_all_read(rt);
    queue_wait_all(rt);
    runtime_end(rt, HD_HOST_PASS, "%s", "");
}

static size_t power_of_two_from(size_t count)
{
    size_t power = 1;
    while (power < count)
        power *= 2;
    return power;
}

void *runtime_grow(runtime *rt, void *array, size_t count, size_t element_bytes)
{
    const size_t capacity = power_of_two_from(count);
    if (array != NULL && power_of_two_from(count - 1) == capacity)
        return array;
    void *grown = realloc(array, capacity * element_bytes);
    if (grown == NULL)
        runtime_error(rt, "the host has no memory left");
    return grown;
}

const char *runtime_status_text(uint32_t status)
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

void runtime_refused(runtime *rt, uint32_t is_read, uint64_t address, uint64_t bytes, uint32_t status, uint64_t where)
{
    runtime_error(rt, "the device refused a %s of %llu bytes at 0x%llx: %s at 0x%llx", is_read ? "read" : "write",
                  (unsigned long long)bytes, (unsigned long long)address, runtime_status_text(status),
                  (unsigned long long)where);
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
