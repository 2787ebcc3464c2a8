/* SPDX-License-Identifier: MIT */
/* Copies in queues: random ones between kernels, against a model of device memory; and one beside a kernel. */
#include "args.h"
#include "common/host_check.h"

#define QUEUES_MAX 4u
#define STEPS_MAX 512u

/* What a copy from the device brought, and what it should have. */
typedef struct result {
    uint8_t *got;
    uint8_t *expected;
    uint32_t bytes;
} result;

typedef struct region {
    hd_queue queue;
    hd_device_ptr device;
    uint8_t *model;
} region;

static uint64_t state;
static uint32_t region_bytes;
static uint8_t *pool; /* region_bytes of random data, which stay as they are */
static region regions[QUEUES_MAX];
static result results[STEPS_MAX];
static uint32_t result_count;

static uint32_t pick(uint32_t count)
{
    return (uint32_t)(hd_random(&state) % count);
}

static void open_regions(uint32_t queues)
{
    pool = hd_host_alloc(region_bytes);
    for (uint32_t i = 0; i < region_bytes; i++)
        pool[i] = (uint8_t)hd_random(&state);
    for (uint32_t q = 0; q < queues; q++) {
        regions[q].queue = q ? hd_queue_create() : HD_DEFAULT_QUEUE;
        regions[q].device = hd_malloc(region_bytes);
        regions[q].model = hd_host_alloc(region_bytes);
        hd_fill(regions[q].device, q, region_bytes);
        memset(regions[q].model, (int)q, region_bytes);
    }
}

static void copy_in(region *at, uint32_t offset, uint32_t bytes)
{
    const uint8_t *source = pool + pick(region_bytes - bytes + 1);
    hd_copy_to_device_on(at->queue, hd_offset(at->device, offset), source, bytes);
    memcpy(at->model + offset, source, bytes);
}

static void copy_out(region *at, uint32_t offset, uint32_t bytes)
{
    result *to = &results[result_count++];
    *to = (result){hd_host_alloc(bytes + 8), hd_host_alloc(bytes + 8), bytes};
    to->got += pick(8);
    memcpy(to->expected, at->model + offset, bytes);
    hd_copy_from_device_on(at->queue, to->got, hd_offset(at->device, offset), bytes);
}

static void run_kernel(region *at)
{
    uint32_t words = region_bytes / 4;
    copies_args args = {.data = at->device, .n = words};
    hd_launch_on(at->queue, hd_kernel_named("increment"), hd_1d((words + 63) / 64), hd_1d(64), 0, &args, sizeof args);
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, at->model + 4 * i, 4);
        word++;
        memcpy(at->model + 4 * i, &word, 4);
    }
}

static void check_all(uint32_t queues)
{
    uint8_t *whole = hd_host_alloc(region_bytes);
    hd_synchronize();
    for (uint32_t i = 0; i < result_count; i++)
        hd_check(!memcmp(results[i].got, results[i].expected, results[i].bytes), "copy %u from the device is wrong", i);
    for (uint32_t q = 0; q < queues; q++) {
        hd_copy_from_device(whole, regions[q].device, region_bytes);
        hd_check(!memcmp(whole, regions[q].model, region_bytes), "device memory of queue %u is wrong", q);
    }
}

static void random_copies(void)
{
    uint32_t queues = host_option("queues", 3, 1, QUEUES_MAX), steps = host_option("steps", 60, 1, STEPS_MAX);
    open_regions(queues);
    for (uint32_t s = 0; s < steps; s++) {
        region *at = &regions[pick(queues)];
        uint32_t bytes = pick(2) ? 1 + pick(300) : 1 + pick(region_bytes);
        uint32_t offset = pick(region_bytes - bytes + 1), what = pick(8);
        if (what < 3)
            copy_in(at, offset, bytes);
        else if (what < 6)
            copy_out(at, offset, bytes);
        else if (what < 7)
            run_kernel(at);
        else
            hd_wait_queue(at->queue);
    }
    check_all(queues);
}

/* A kernel on one queue and a copy on another, at a time or one after the other. */
static void beside_a_kernel(uint32_t serially)
{
    uint32_t bytes = host_option("bytes", 65536, 4, 1 << 24), rounds = host_option("rounds", 400, 0, 1 << 20);
    uint32_t *words = hd_host_alloc(bytes), *back = hd_host_alloc(bytes);
    hd_device_ptr data = hd_malloc(bytes), other = hd_malloc(1024 * 4);
    hd_queue queue = hd_queue_create();
    for (uint32_t i = 0; i < bytes / 4; i++)
        words[i] = (uint32_t)hd_random(&state);
    copies_args args = {.data = other, .n = 1024, .rounds = rounds};
    hd_launch(hd_kernel_named("work"), hd_1d(8), hd_1d(128), 0, &args, sizeof args);
    if (serially)
        hd_synchronize();
    hd_copied copied = hd_copy_to_device_on(queue, data, words, bytes);
    hd_wait_copy(copied);
    hd_copy_from_device(back, data, bytes);
    hd_check(!memcmp(words, back, bytes), "the copy is wrong");
}

int hd_app_main(void)
{
    const char *part = hd_option_text("part", "random");
    state = hd_option("seed", 1);
    region_bytes = host_option("region", 4096, 4, 1 << 24);
    if (!strcmp(part, "random"))
        random_copies();
    else
        beside_a_kernel(!strcmp(part, "serial"));
    return HD_PASS;
}
