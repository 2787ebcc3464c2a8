/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

#define SPAN 4096u
#define COPIES 400u
#define POOL 64u

/* Answers to line accesses, which overtake each other. */
typedef struct reply_pool {
    hd_packet *replies[POOL];
    uint32_t count;
} reply_pool;

static void serve_requests(rig *r, reply_pool *pool, hd_time t)
{
    hd_packet *request;
    while (pool->count < POOL && (request = kit_receive(r->kit, PORT_REQUEST, 0, t)) != NULL) {
        pool->replies[pool->count++] = rig_answer(r, request);
        kit_free(r->kit, request);
    }
}

static void send_a_reply(rig *r, reply_pool *pool, uint64_t *random, hd_time t)
{
    if (pool->count == 0 || kit_random(random) % 3 == 0)
        return;
    uint32_t chosen = (uint32_t)(kit_random(random) % pool->count);
    kit_send(r->kit, PORT_REPLY, 0, pool->replies[chosen], t);
    pool->replies[chosen] = pool->replies[--pool->count];
}

typedef struct copy {
    uint32_t is_read;
    uint32_t bytes;
    uint8_t expected[1024];
} copy;

static void start_copy(rig *r, copy *c, uint8_t *reference, uint64_t tag, uint64_t *random, hd_time t)
{
    uint32_t longest = kit_random(random) % 4 == 0 ? 1024 : 40;
    uint32_t offset = (uint32_t)(kit_random(random) % (SPAN - longest));
    c->bytes = 1 + (uint32_t)(kit_random(random) % longest);
    c->is_read = kit_random(random) % 2 == 0;
    if (c->is_read) {
        memcpy(c->expected, reference + offset, c->bytes);
        rig_read(r, HD_GLOBAL_BASE + offset, c->bytes, tag, t);
        return;
    }
    uint8_t data[1024];
    uint8_t enables[512];
    uint32_t masked = c->bytes <= 512 && kit_random(random) % 3 == 0;
    for (uint32_t i = 0; i < c->bytes; i++) {
        data[i] = (uint8_t)kit_random(random);
        if (masked)
            enables[i] = kit_random(random) % 2 == 0 ? 0xFF : 0;
        if (!masked || enables[i] != 0)
            reference[offset + i] = data[i];
    }
    rig_write(r, HD_GLOBAL_BASE + offset, data, masked ? enables : NULL, c->bytes, tag, t);
}

static void check_response(const copy *copies, const hd_packet *response, uint64_t seed)
{
    const copy *c = &copies[response->tag];
    cr_assert_eq(response->argument, HD_STATUS_OK, "seed %llu", (unsigned long long)seed);
    cr_assert_eq(response->body_bytes, c->is_read ? c->bytes : 0, "seed %llu", (unsigned long long)seed);
    if (c->is_read)
        cr_assert_arr_eq(hd_body_const(response), c->expected, c->bytes, "seed %llu, copy %llu",
                         (unsigned long long)seed, (unsigned long long)response->tag);
}

/* Copies of odd sizes and alignments, many in flight, overlapping: each read sees what was written before it. */
static void run(uint64_t seed, const char *const *parameters)
{
    static copy copies[COPIES];
    static uint8_t reference[SPAN];
    memset(reference, 0, sizeof reference);
    rig *r = rig_create(parameters);
    r->reply_cycles = 0;
    kit_disturb(r->kit, seed);
    uint64_t random = seed;
    reply_pool pool = {.count = 0};
    uint32_t started = 0;
    uint32_t answered = 0;
    hd_time t = 0;
    for (uint32_t cycle = 0; answered < COPIES; cycle++, t += 1000) {
        cr_assert_lt(cycle, 100000, "seed %llu", (unsigned long long)seed);
        kit_run_until(r->kit, t);
        while (started < COPIES && kit_unsent(r->kit, PORT_HOST, 0) < 4) {
            start_copy(r, &copies[started], reference, started, &random, t);
            started++;
        }
        serve_requests(r, &pool, t);
        send_a_reply(r, &pool, &random, t);
        hd_packet *response;
        while ((response = kit_receive(r->kit, PORT_HOST, 0, t)) != NULL) {
            check_response(copies, response, seed);
            kit_free(r->kit, response);
            answered++;
        }
    }
    cr_expect_arr_eq(r->memory, reference, SPAN, "seed %llu", (unsigned long long)seed);
    rig_destroy(r);
}

Test(command_processor, random_copies_agree_with_a_reference_memory)
{
    static const char *const narrow[] = {"host_requests=3", "lines_in_flight=2", NULL};
    for (uint64_t seed = 1; seed <= 6; seed++)
        run(seed, seed % 2 ? NULL : narrow);
}
