/* SPDX-License-Identifier: MIT */
/* Lanes of the device are queues of the machine, marks are its events. */
#include <stdlib.h>

#include "device_machine.h"

#define LANES_MAX 64u

struct device_lane {
    device *owner;
    heddle_queue *queue;
};

struct device_mark {
    device *owner;
    heddle_event *event;
};

device_lane *device_lane_open(device *of)
{
    heddle_queue *queue;
    if (!of->lanes)
        of->lanes = calloc(LANES_MAX, sizeof *of->lanes);
    if (!of->lanes || of->lane_count == LANES_MAX)
        return NULL;
    const heddle_error error =
        of->lane_count ? heddle_queue_create(of->machine, &queue) : heddle_default_queue(of->machine, &queue);
    if (device_error_from(of, error))
        return NULL;
    of->lanes[of->lane_count] = (device_lane){of, queue};
    return &of->lanes[of->lane_count++];
}

static heddle_error launch(heddle_queue *queue, const device_operation *asked, uint32_t *number)
{
    heddle_size size = {.scratchpad_bytes = asked->scratchpad_bytes};
    for (uint32_t i = 0; i < 3; i++) {
        size.grid[i] = asked->groups[i];
        size.block[i] = asked->group[i];
    }
    return heddle_launch(queue, (heddle_kernel *)asked->kernel, &size, asked->arguments, asked->argument_bytes, number);
}

static heddle_error post(heddle_queue *queue, const device_operation *asked, uint32_t *number)
{
    switch (asked->kind) {
    case DEVICE_WRITE: return heddle_queue_copy_to_device(queue, asked->to, asked->host, asked->bytes);
    case DEVICE_READ: return heddle_queue_copy_from_device(queue, asked->host, asked->from, asked->bytes);
    case DEVICE_COPY: return heddle_queue_copy_on_device(queue, asked->to, asked->from, asked->bytes);
    case DEVICE_FILL: return heddle_queue_fill(queue, asked->to, asked->value, asked->bytes);
    default: return launch(queue, asked, number);
    }
}

device_error device_post(device_lane *lane, const device_operation *operation, uint32_t *number)
{
    return device_error_from(lane->owner, post(lane->queue, operation, number));
}

device_error device_record(device_lane *lane, device_mark **mark)
{
    device_mark *made = malloc(sizeof *made);
    if (!made)
        return DEVICE_NO_HOST_MEMORY;
    made->owner = lane->owner;
    heddle_error error = heddle_event_create(lane->owner->machine, &made->event);
    if (!error) {
        error = heddle_event_record(made->event, lane->queue);
        if (!error) {
            *mark = made;
            return DEVICE_OK;
        }
    }
    const device_error result = device_error_from(lane->owner, error);
    if (made->event)
        heddle_event_destroy(made->event);
    free(made);
    return result;
}

device_error device_await(device_lane *lane, device_mark *mark)
{
    return device_error_from(lane->owner, heddle_queue_wait_event(lane->queue, mark->event));
}

/* After the end of the machine too: what was done before it is. */
int device_mark_is_done(device_mark *mark, uint64_t *time)
{
    uint32_t is_done = 0;
    heddle_event_poll(mark->event, &is_done, time);
    return (int)is_done;
}

void device_mark_free(device_mark *mark)
{
    if (!mark)
        return;
    heddle_event_destroy(mark->event);
    free(mark);
}

void device_launch_times(device *of, uint32_t number, uint64_t *begin, uint64_t *end)
{
    heddle_launch_times times = {.struct_bytes = sizeof times};
    if (device_error_from(of, heddle_launch_times_get(of->machine, number, &times)))
        return;
    *begin = times.began;
    *end = times.ended;
}
