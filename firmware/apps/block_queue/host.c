/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {[FORM_TM] = "block_queue_tm",
                                      [FORM_LOCKS] = "block_queue_locks",
                                      [FORM_SERIAL] = "block_queue_serial",
                                      [FORM_ATOMICS] = "block_queue_atomics"};

/* Takes one of the values of this queue from those that are left: it is there once more. */
static void take_one(uint32_t *left, const block_queue_args *args, uint32_t queue, uint32_t value, const char *from)
{
    for (uint32_t i = queue; i < args->items; i += args->queues)
        if (left[i] == value) {
            left[i] = 0;
            return;
        }
    hd_fail("%s queue %u: %u, which is none of its values, or more often than it was pushed", from, queue, value);
}

/* Entries are what was pushed, and each of them has been popped once. */
static void check_queue(const block_queue_args *args, uint32_t queue, const uint32_t *words, const uint32_t *values,
                        const uint32_t *popped)
{
    const uint32_t count = (args->items - queue + args->queues - 1) / args->queues;
    uint32_t *pushes = hd_host_alloc(args->items * 4), *pops = hd_host_alloc(args->items * 4);
    memcpy(pushes, values, args->items * 4);
    memcpy(pops, values, args->items * 4);
    host_check_word("tail of queue", queue, words[QUEUE_TAIL], count);
    host_check_word("head of queue", queue, words[QUEUE_HEAD], count);
    for (uint32_t i = 0; i < count; i++) {
        take_one(pushes, args, queue, words[QUEUE_ENTRIES + i], "pushed to");
        take_one(pops, args, queue, popped[queue + i * args->queues], "popped from");
    }
    hd_host_free(pushes);
    hd_host_free(pops);
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 1);
    block_queue_args args = {.queues = host_option("queues", 2, 1, QUEUES_MAX),
                             .items = host_option("items", 512, QUEUES_MAX, ITEMS_MAX)};
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    args.capacity = (args.items + args.queues - 1) / args.queues;
    const uint32_t words = args.queues * (QUEUE_ENTRIES + args.capacity);
    const size_t bytes = (size_t)shape.grid * args.items * 4;
    uint32_t *values = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < shape.grid * args.items; i++)
        values[i] = (uint32_t)hd_random(&random) | 1;
    args.values = host_upload(values, bytes);
    args.popped = host_poisoned(bytes);
    args.results = host_poisoned((size_t)shape.grid * words * 4);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block), words * 4, &args, sizeof args);
    const uint32_t *results = host_download(args.results, (size_t)shape.grid * words * 4);
    const uint32_t *popped = host_download(args.popped, bytes);
    for (uint32_t block = 0; block < shape.grid; block++)
        for (uint32_t queue = 0; queue < args.queues; queue++)
            check_queue(&args, queue, results + block * words + queue * (QUEUE_ENTRIES + args.capacity),
                        values + block * args.items, popped + block * args.items);
    return HD_PASS;
}
