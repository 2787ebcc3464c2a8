/* SPDX-License-Identifier: MIT */
/* Copies and fills of device memory: by the DMA engine if the device has one, by the host itself if not. */
#include "hd_queue.h"
#include "runtime_internal.h"

/* A piece of work, whoever does it. */
typedef struct copy {
    const char *caller;
    uint32_t direction; /* HD_COPY_* */
    uint32_t device;
    uint8_t *host; /* NULL: a fill */
    size_t bytes;
    uint32_t value; /* of a fill */
} copy;

static void copy_by_host(runtime *rt, const copy *work)
{
    if (work->direction == HD_COPY_TO_DEVICE)
        bus_write(rt, work->device, work->host, work->bytes);
    else if (work->direction == HD_COPY_FILL)
        bus_fill(rt, work->device, work->value, work->bytes);
    else
        bus_read(rt, work->host, work->device, work->bytes);
}

static uint64_t share(runtime *rt, const copy *work)
{
    if (work->direction == HD_COPY_FILL)
        return 0;
    const uint64_t address = port_share(rt, work->host, work->bytes);
    if (address != 0)
        return address;
    queue_wait_all(rt);
    return port_share(rt, work->host, work->bytes);
}

static void append(runtime *rt, uint32_t queue, const copy *work)
{
    const queue_entry entry = {.number = device_of(rt)->copy_count++,
                               .is_copy = 1,
                               .memory = work->host,
                               .bytes = work->bytes,
                               .shared = share(rt, work)};
    const hd_queue_copy descriptor = {.mark = HD_DESCRIPTOR_COPY,
                                      .copy = {.number = entry.number,
                                               .direction = work->direction,
                                               .host_address = work->host != NULL ? entry.shared : work->value,
                                               .device_address = work->device,
                                               .bytes = work->bytes}};
    queue_submit(rt, queue, &descriptor, &entry, NULL, 0);
}

/* ---- Waited for --------------------------------------------------------------------------------------------------- */

static void copy_now(const copy *work)
{
    runtime *rt = runtime_current();
    if (work->bytes == 0)
        return;
    memory_check_range(rt, work->caller, work->device, work->bytes);
    queue_wait_all(rt);
    if (!device_of(rt)->has_copies) {
        copy_by_host(rt, work);
        return;
    }
    append(rt, HD_DEFAULT_QUEUE.number, work);
    queue_wait_all(rt);
}

void hd_copy_to_device(hd_device_ptr destination, const void *source, size_t bytes)
{
    copy_now(
        &(copy){"hd_copy_to_device", HD_COPY_TO_DEVICE, destination.address, (uint8_t *)(uintptr_t)source, bytes, 0});
}

void hd_copy_from_device(void *destination, hd_device_ptr source, size_t bytes)
{
    copy_now(&(copy){"hd_copy_from_device", HD_COPY_FROM_DEVICE, source.address, destination, bytes, 0});
}

void hd_fill(hd_device_ptr destination, uint32_t value, size_t bytes)
{
    copy_now(&(copy){"hd_fill", HD_COPY_FILL, destination.address, NULL, bytes, value});
}

/* ---- In a queue --------------------------------------------------------------------------------------------------- */

static hd_copied copy_on(hd_queue queue, const copy *work)
{
    runtime *rt = runtime_current();
    if (queue.number >= rt->queue_count)
        runtime_error(rt, "%s: there is no queue %u", work->caller, queue.number);
    if (work->bytes > 0) {
        memory_check_range(rt, work->caller, work->device, work->bytes);
        if (device_of(rt)->has_copies) {
            append(rt, queue.number, work);
        } else {
            queue_wait(rt, queue.number, rt->queues[queue.number].written);
            copy_by_host(rt, work);
        }
    }
    return (hd_copied){.queue = queue, .commands = rt->queues[queue.number].written};
}

hd_copied hd_copy_to_device_on(hd_queue queue, hd_device_ptr destination, const void *source, size_t bytes)
{
    return copy_on(queue, &(copy){"hd_copy_to_device_on", HD_COPY_TO_DEVICE, destination.address,
                                  (uint8_t *)(uintptr_t)source, bytes, 0});
}

hd_copied hd_copy_from_device_on(hd_queue queue, void *destination, hd_device_ptr source, size_t bytes)
{
    return copy_on(queue,
                   &(copy){"hd_copy_from_device_on", HD_COPY_FROM_DEVICE, source.address, destination, bytes, 0});
}

void hd_wait_copy(hd_copied copy)
{
    runtime *rt = runtime_current();
    if (copy.queue.number >= rt->queue_count || (int32_t)(rt->queues[copy.queue.number].written - copy.commands) < 0)
        runtime_error(rt, "hd_wait_copy: there is no such copy in queue %u", copy.queue.number);
    queue_wait(rt, copy.queue.number, copy.commands);
}

void hd_wait_queue(hd_queue queue)
{
    runtime *rt = runtime_current();
    if (queue.number >= rt->queue_count)
        runtime_error(rt, "hd_wait_queue: there is no queue %u", queue.number);
    queue_wait(rt, queue.number, rt->queues[queue.number].written);
}
