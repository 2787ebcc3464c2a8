/* SPDX-License-Identifier: MIT */
#include "fake_device.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ADDRESS 0x10000000u
#define ALIGNMENT 256u
#define BLOCKS (FAKE_MEMORY / ALIGNMENT)

enum { ITEM_OPERATION, ITEM_MARK, ITEM_AWAIT };

typedef struct item {
    struct item *next;
    int kind;
    device_operation operation;
    uint32_t launch;
    uint32_t left; /* steps */
    device_mark *mark;
} item;

struct device_mark {
    int is_done;
    uint64_t time;
    uint32_t holders; /* its owner, and items that name it */
};

struct device_lane {
    item *first, *last;
};

struct device_program {
    int unused;
};

struct device_kernel {
    char name[32];
};

struct device {
    uint64_t time;
    device_lane lanes[FAKE_LANES];
    uint32_t lane_count;
    uint8_t memory[FAKE_MEMORY];
    uint32_t owners[BLOCKS]; /* the address of the allocation; 0: free */
    uint64_t launch_times[256][2];
    uint32_t launches;
};

fake_device fake;
static device the_device;

device_error device_open(device **opened)
{
    if (fake.refuses_machine)
        return DEVICE_NO_MACHINE;
    *opened = &the_device;
    return DEVICE_OK;
}

void device_limits_of(device *of, device_limits *limits)
{
    (void)of;
    *limits = (device_limits){.name = "fake",
                              .cores = 3,
                              .lanes = 32,
                              .clock_mhz = 700,
                              .group_threads = 1024,
                              .local_bytes = 16384,
                              .line_bytes = 128,
                              .memory_bytes = FAKE_MEMORY,
                              .largest_allocation = FAKE_MEMORY};
}

const char *device_message(device *of)
{
    (void)of;
    return "the fake device has stopped";
}

void device_finish(device *of)
{
    (void)of;
    fake.finished++;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------------ */

static uint32_t free_run(const device *of, uint32_t first, uint32_t count)
{
    uint32_t found = 0;
    while (found < count && first + found < BLOCKS && !of->owners[first + found])
        found++;
    return found == count;
}

device_error device_allocate(device *of, uint64_t bytes, uint32_t *address)
{
    const uint32_t count = (uint32_t)((bytes + ALIGNMENT - 1) / ALIGNMENT);
    for (uint32_t first = 0; first + count <= BLOCKS; first++) {
        if (!free_run(of, first, count))
            continue;
        *address = FIRST_ADDRESS + first * ALIGNMENT;
        for (uint32_t i = 0; i < count; i++)
            of->owners[first + i] = *address;
        fake.allocations++;
        return DEVICE_OK;
    }
    return DEVICE_NO_MEMORY;
}

void device_free(device *of, uint32_t address)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        if (of->owners[i] == address)
            of->owners[i] = 0;
    fake.allocations--;
}

/* ---- Programs ----------------------------------------------------------------------------------------------------------- */

device_error device_load(device *of, const void *image, size_t bytes, device_program **loaded)
{
    (void)of;
    (void)image;
    (void)bytes;
    *loaded = calloc(1, sizeof **loaded);
    fake.programs++;
    return DEVICE_OK;
}

void device_unload(device *of, device_program *gone)
{
    (void)of;
    fake.programs--;
    free(gone);
}

device_error device_kernel_named(device_program *of, const char *name, device_kernel **kernel)
{
    (void)of;
    *kernel = calloc(1, sizeof **kernel);
    strncpy((*kernel)->name, name, sizeof(*kernel)->name - 1);
    return DEVICE_OK;
}

/* ---- Lanes ---------------------------------------------------------------------------------------------------------------- */

device_lane *device_lane_open(device *of)
{
    return of->lane_count < FAKE_LANES ? &of->lanes[of->lane_count++] : NULL;
}

static item *append(device_lane *lane, int kind)
{
    item *made = calloc(1, sizeof *made);
    made->kind = kind;
    if (lane->last)
        lane->last->next = made;
    else
        lane->first = made;
    lane->last = made;
    return made;
}

device_error device_post(device_lane *lane, const device_operation *operation, uint32_t *launch)
{
    const int is_launch = operation->kind == DEVICE_LAUNCH;
    if ((is_launch && fake.refuses_launches) || (fake.refuses_after && !--fake.refuses_after))
        return DEVICE_REFUSED;
    item *made = append(lane, ITEM_OPERATION);
    made->operation = *operation;
    made->left = is_launch ? 10 : (uint32_t)((operation->bytes + FAKE_BYTES_PER_STEP - 1) / FAKE_BYTES_PER_STEP);
    if (!is_launch)
        return DEVICE_OK;
    fake.last_launch = *operation;
    memcpy(fake.last_arguments, operation->arguments, operation->argument_bytes);
    memcpy(fake.last_kernel, operation->kernel->name, sizeof fake.last_kernel);
    made->launch = the_device.launches++;
    *launch = made->launch;
    return DEVICE_OK;
}

device_error device_record(device_lane *lane, device_mark **mark)
{
    *mark = calloc(1, sizeof **mark);
    (*mark)->holders = 2;
    append(lane, ITEM_MARK)->mark = *mark;
    return DEVICE_OK;
}

device_error device_await(device_lane *lane, device_mark *mark)
{
    mark->holders++;
    append(lane, ITEM_AWAIT)->mark = mark;
    return DEVICE_OK;
}

int device_mark_is_done(device_mark *mark, uint64_t *time)
{
    *time = mark->time;
    return mark->is_done;
}

void device_mark_free(device_mark *mark)
{
    if (mark && !--mark->holders)
        free(mark);
}

void device_launch_times(device *of, uint32_t launch, uint64_t *begin, uint64_t *end)
{
    *begin = of->launch_times[launch][0];
    *end = of->launch_times[launch][1];
}

/* ---- Time ------------------------------------------------------------------------------------------------------------------- */

uint64_t device_time(device *of)
{
    return of->time;
}

static void carry_out(device *of, const item *done)
{
    const device_operation *what = &done->operation;
    uint8_t *to = of->memory + (what->to - FIRST_ADDRESS), *from = of->memory + (what->from - FIRST_ADDRESS);
    switch (what->kind) {
    case DEVICE_WRITE: memcpy(to, what->host, what->bytes); break;
    case DEVICE_READ: memcpy(what->host, from, what->bytes); break;
    case DEVICE_COPY: memcpy(to, from, what->bytes); break;
    case DEVICE_FILL: memset(to, (int)what->value, what->bytes); break;
    case DEVICE_LAUNCH:
        of->launch_times[done->launch][0] = of->time - 9 * FAKE_STEP;
        of->launch_times[done->launch][1] = of->time;
        break;
    }
}

/* 1: it is over. */
static int proceed(device *of, item *at, int *has_step)
{
    if (at->kind == ITEM_AWAIT)
        return at->mark->is_done;
    if (at->kind == ITEM_MARK) {
        at->mark->is_done = 1;
        at->mark->time = of->time;
        return 1;
    }
    if (!*has_step)
        return 0;
    *has_step = 0;
    if (--at->left)
        return 0;
    carry_out(of, at);
    return 1;
}

static void proceed_lane(device *of, device_lane *lane, int has_step)
{
    while (lane->first && proceed(of, lane->first, &has_step)) {
        item *done = lane->first;
        lane->first = done->next;
        if (!lane->first)
            lane->last = NULL;
        device_mark_free(done->mark);
        free(done);
    }
}

device_error device_step(device *of)
{
    if (++fake.steps == fake.fails_at_step)
        return DEVICE_STOPPED;
    for (uint32_t i = 0; i < of->lane_count; i++)
        proceed_lane(of, &of->lanes[i], 0); /* what takes no time */
    of->time += FAKE_STEP;
    for (uint32_t i = 0; i < of->lane_count; i++)
        proceed_lane(of, &of->lanes[i], 1);
    return DEVICE_OK;
}
