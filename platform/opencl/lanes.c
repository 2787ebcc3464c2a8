/* SPDX-License-Identifier: MIT */
/* The device's lanes. One is for ever; when its queue is gone, it serves the next. */
#include "runtime.h"

#define LANES_MAX 64u

static lane lanes[LANES_MAX];
static uint32_t count;

static lane *least_used(void)
{
    lane *best = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!best || lanes[i].users < best->users)
            best = &lanes[i];
    return best;
}

static lane *open_next(device *machine)
{
    device_lane *opened = count < LANES_MAX ? device_lane_open(machine) : NULL;
    if (!opened)
        return NULL;
    lanes[count] = (lane){.device_lane = opened};
    return &lanes[count++];
}

lane *lane_take(device *machine)
{
    lane *taken = least_used();
    if (!taken || taken->users) {
        lane *opened = open_next(machine);
        taken = opened ? opened : taken;
    }
    if (taken)
        taken->users++;
    return taken;
}

void lane_give_back(lane *unused)
{
    unused->users--;
}

lane *lane_at(uint32_t index)
{
    return index < count ? &lanes[index] : NULL;
}

void lane_append(lane *to, cl_event command)
{
    if (to->last)
        to->last->next_in_lane = command;
    else
        to->first = command;
    to->last = command;
    to->pending++;
}

cl_event lane_remove_first(lane *from)
{
    cl_event removed = from->first;
    from->first = removed->next_in_lane;
    if (!from->first)
        from->last = NULL;
    from->pending--;
    return removed;
}
