/* SPDX-License-Identifier: MIT */
/*
 * Random requests at several ports, with credits held back at random and a memory that answers late and out of order.
 * Nothing is lost, answered twice or out of order: what each request does is computed when a tap says that it is accepted,
 * and compared when it is carried out and when its reply comes.
 * HEDDLE_L2_REQUESTS=n: so many requests in all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hd_tap.h"
#include "reference.h"

enum { PORTS = 3, ROUND_MAX = 50000, POOL = 6, LINES = REFERENCE_BYTES / LINE };

/* A request between its sending and its reply. */
struct pending {
    struct answer answer;
    uint64_t number; /* in the order of acceptance */
    uint64_t address;
    uint32_t state; /* 0 = not there, then sent, accepted, released */
    uint32_t port;
};

struct traffic {
    kit_block *kit;
    uint64_t seed;
    uint32_t count;
    struct reference reference;
    struct pending *requests; /* by tag */
    uint64_t last_accepted[PORTS];
    uint64_t next_number;
    uint64_t last_released[LINES]; /* number + 1 */
    uint32_t answered;
    struct memory memory;
    hd_packet *pool[POOL]; /* responses that wait to be sent */
    uint32_t pooled;
    hd_time last_response;
    uint64_t bytes_read, bytes_written;
};

/* ---- The tap ------------------------------------------------------------------------------------------------------- */

static uint32_t accept(hd_block *context, const hd_tap_access *access, uint64_t *note)
{
    struct traffic *traffic = (struct traffic *)context;
    const hd_packet *request = access->request;
    struct pending *pending = &traffic->requests[request->tag];
    cr_assert_eq(pending->state, 1, "request %u is accepted twice", (unsigned)request->tag);
    cr_assert_eq(access->number, traffic->next_number, "acceptance is numbered without gaps");
    cr_assert_eq(access->port, pending->port);
    cr_assert_geq(request->tag + 1, traffic->last_accepted[access->port] + 1, "requests of a port stay in order");
    traffic->last_accepted[access->port] = request->tag;
    traffic->next_number++;
    reference_carry_out(&traffic->reference, traffic->kit, request, &pending->answer);
    pending->number = access->number;
    pending->state = 2;
    *note = request->tag;
    return HD_TAP_PASS;
}

static uint32_t on_sample(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    (void)element;
    return accept(context, access, note);
}

static uint32_t on_write(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    struct traffic *traffic = (struct traffic *)context;
    (void)element;
    if (access->request->message == kit_message(traffic->kit, HD_GLOBAL_STORE))
        return accept(context, access, note);
    cr_assert_eq(*note, access->request->tag, "an atomic was sampled before");
    return HD_TAP_PASS;
}

static void on_release(hd_block *context, uint32_t element, const hd_tap_release *release)
{
    struct traffic *traffic = (struct traffic *)context;
    struct pending *pending = &traffic->requests[release->note];
    const uint64_t line = pending->address / LINE;
    (void)element;
    cr_assert_eq(release->reply->tag, release->note);
    cr_assert_eq(pending->state, 2);
    cr_assert_eq(release->number, pending->number);
    cr_assert_gt(release->number + 1, traffic->last_released[line], "accesses to a line are carried out in order");
    cr_assert_eq(release->written, pending->answer.written);
    traffic->last_released[line] = release->number + 1;
    pending->state = 3;
}

static const hd_tap tap = {on_sample, on_write, on_release};

/* ---- The memory ---------------------------------------------------------------------------------------------------- */

static void respond(struct traffic *traffic, hd_time t)
{
    const uint32_t i = (uint32_t)(kit_random(&traffic->seed) % traffic->pooled);
    hd_packet *response = traffic->pool[i];
    traffic->pool[i] = traffic->pool[--traffic->pooled];
    t += kit_random(&traffic->seed) % 60 * CYCLE;
    traffic->last_response = t > traffic->last_response ? t : traffic->last_response;
    kit_send(traffic->kit, MEMORY, 0, response, traffic->last_response);
}

/* Requests take effect when they come; their responses leave in any order. */
static uint32_t remember(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    struct traffic *traffic = context;
    (void)element;
    if (port != MEMORY)
        return 0;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    response->tag = packet->tag;
    if (is_read) {
        memcpy(hd_body(response), &traffic->memory.bytes[packet->address], packet->argument);
        traffic->bytes_read += packet->argument;
    } else {
        write_enabled(&traffic->memory.bytes[packet->address], packet);
        traffic->bytes_written += packet->argument;
    }
    kit_free(kit, packet);
    traffic->pool[traffic->pooled++] = response;
    if (traffic->pooled == POOL || kit_random(&traffic->seed) % 4)
        respond(traffic, t);
    return 1;
}

/* ---- The requesters ------------------------------------------------------------------------------------------------ */

static void take_replies(struct traffic *traffic)
{
    for (hd_packet *reply; (reply = kit_receive(traffic->kit, REPLY, 0, kit_now(traffic->kit)));) {
        struct pending *pending = &traffic->requests[reply->tag];
        cr_assert_eq(pending->state, 3, "request %u is answered twice, or before it is done", (unsigned)reply->tag);
        cr_assert_eq(reply->body_bytes, pending->answer.bytes);
        cr_assert_eq(memcmp(hd_body(reply), pending->answer.body, reply->body_bytes), 0, "request %u reads wrong data",
                     (unsigned)reply->tag);
        cr_assert_eq(reply->address, pending->address);
        cr_assert_eq(reply->destination, 9);
        pending->state = 0;
        traffic->answered++;
        kit_free(traffic->kit, reply);
    }
}

static void send(struct traffic *traffic, uint32_t tag, hd_time t)
{
    hd_packet *request = reference_request(&traffic->reference, traffic->kit, LINES, &traffic->seed);
    const uint32_t port = (uint32_t)(kit_random(&traffic->seed) % PORTS);
    request->tag = tag;
    request->source = 9;
    traffic->requests[tag] = (struct pending){.address = request->address, .state = 1, .port = port};
    kit_send(traffic->kit, REQUEST, port, request, t);
}

static void finish(struct traffic *traffic)
{
    kit_block *kit = traffic->kit;
    kit_hold_credits(kit, REPLY, 0, 0);
    kit_release_credits(kit, REPLY, 0, UINT32_MAX, kit_now(kit));
    do {
        kit_drain(kit, HD_NEVER - 1);
        take_replies(traffic);
        const uint32_t left = traffic->pooled;
        for (uint32_t i = 0; i < left; i++)
            respond(traffic, kit_now(kit));
    } while (kit_next(kit) != HD_NEVER || traffic->pooled || kit_waiting(kit, REPLY, 0));
    take_replies(traffic);
}

static void check_end(struct traffic *traffic)
{
    kit_block *kit = traffic->kit;
    cr_assert_eq(traffic->answered, traffic->count + 1, "nothing is lost: %u of %u", traffic->answered, traffic->count);
    for (uint32_t at = 0, bytes; at < REFERENCE_BYTES; at += bytes) {
        uint8_t data[LINE];
        bytes = kit_debug_read(kit, at, data, LINE);
        if (!bytes) {
            bytes = 1;
            memcpy(data, &traffic->memory.bytes[at], bytes);
        }
        cr_assert_eq(memcmp(data, &traffic->reference.memory[at], bytes), 0, "address %#x", at);
    }
    cr_expect_eq(kit_statistic(kit, "hits") + kit_statistic(kit, "misses") + kit_statistic(kit, "mshr_merges"),
                 traffic->count + 1);
    cr_expect_eq(kit_statistic(kit, "loads") + kit_statistic(kit, "stores") + kit_statistic(kit, "atomics"),
                 traffic->count + 1);
    cr_expect_eq(kit_statistic(kit, "bytes_filled"), traffic->bytes_read);
    cr_expect_eq(kit_statistic(kit, "bytes_written_back"), traffic->bytes_written);
    cr_expect_leq(kit_statistic(kit, "sector_misses"), kit_statistic(kit, "misses"));
}

/* An LR to begin with: versions count from there. */
static void send_first(struct traffic *traffic)
{
    const hd_atomic_operation one = {.operation = HD_ATOMIC_LOAD_RESERVED};
    traffic->requests[traffic->count] = (struct pending){.state = 1};
    atomic(traffic->kit, 0, 0, &one, 1, traffic->count, 0);
    traffic->last_accepted[0] = 0;
    finish(traffic);
    traffic->last_accepted[0] = 0;
}

static void run_round(const hd_block_class *type, const char *const *parameters, uint32_t count, uint64_t seed)
{
    static const uint32_t endpoints[] = {0};
    struct traffic *traffic = calloc(1, sizeof *traffic);
    traffic->seed = seed;
    traffic->count = count;
    traffic->requests = calloc(count + 1, sizeof *traffic->requests);
    kit_block *kit = traffic->kit = kit_create(type, parameters);
    kit_address_map(kit, 1, 256, endpoints);
    for (uint32_t i = 0; i < PORTS; i++)
        kit_connect(kit, REQUEST, i, 1 + i, 2 + 6 * i);
    kit_connect(kit, REPLY, 0, LINK, 8);
    kit_connect(kit, MEMORY, 0, 2, 1 + (uint32_t)(kit_random(&traffic->seed) % 8));
    kit_respond(kit, remember, traffic);
    kit_tap(kit, TAP, 0, &tap, traffic);
    send_first(traffic);
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < count; i++) {
        send(traffic, i, t);
        if (kit_random(&traffic->seed) % 16)
            continue;
        t += 1 + kit_random(&traffic->seed) % 60000;
        kit_run_until(kit, t);
        take_replies(traffic);
        kit_hold_credits(kit, REPLY, 0, kit_random(&traffic->seed) % 4 == 0);
        kit_release_credits(kit, REPLY, 0, (uint32_t)(kit_random(&traffic->seed) % 100), t);
    }
    finish(traffic);
    check_end(traffic);
    kit_destroy(kit);
    free(traffic->requests);
    free(traffic);
}

#define SHORT "mshrs=3", "mshr_targets=2", "write_backs=1", "reply_queue=2"

static const struct shape {
    const hd_block_class *type;
    const char *parameters[12];
} shapes[] = {
    {&hd_l2_slice_write_back, {"bytes=8 KiB", "ways=4"}},
    {&hd_l2_slice_write_back, {SMALL, SHORT}},
    {&hd_l2_slice_write_back, {SMALL, SHORT, "sector=32 B"}},
    {&hd_l2_slice_write_back, {"bytes=8 KiB", "ways=4", "sector=64 B", "replacement=plru"}},
    {&hd_l2_slice_write_back, {"bytes=8 KiB", "ways=8", "sector=32 B", "replacement=random", "mshrs=6"}},
    {&hd_l2_slice_write_back, {"bytes=128 B", "ways=1", "sector=32 B", SHORT, "fill_port=shared"}},
    {&hd_l2_slice_write_back, {"bytes=3 KiB", "ways=3", "sector=32 B", "replacement=fifo", "port_bytes=32 B"}},
    {&hd_l2_slice_write_back, {SMALL, "replacement=random", "atomic_latency=40 cycles", "atomic_words=4", "mshrs=1"}},
    {&hd_l2_slice_write_back,
     {"bytes=8 KiB", "ways=4", "sector=32 B", "atomic.sector_words=8", "atomic.same_word=9 cycles"}},
    {&hd_l2_slice_write_back, {SMALL, SHORT, "sector=32 B", "fill=sectors", "replacement=random"}},
    {&hd_l2_slice_write_back, {SMALL, SHORT, "atomic.line_lock=15 cycles", "atomic.lock_bytes=32 B"}},
    {&hd_l2_slice_write_back, {SMALL, SHORT, "sector=32 B", "partial_writes=mask"}},
    {&hd_l2_slice_write_back, {"bytes=8 KiB", "ways=4", "partial_writes=mask", "mshrs=6"}},
    {&hd_l2_slice_write_back, {"bytes=128 B", "ways=1", "sector=64 B", SHORT, "partial_writes=mask"}},
    {&hd_l2_slice_write_through, {SMALL, SHORT}},
    {&hd_l2_slice_write_through, {SMALL, SHORT, "sector=32 B", "partial_writes=mask"}},
    {&hd_l2_slice_write_through, {"bytes=8 KiB", "ways=4", "sector=32 B", "replacement=plru", "mshrs=8"}},
    {&hd_l2_slice_write_through, {SMALL, SHORT, "sector=64 B", "fill_port=shared", "replacement=fifo"}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

Test(l2_slice, agrees_with_a_reference_memory_in_the_order_of_acceptance)
{
    const char *wanted = getenv("HEDDLE_L2_REQUESTS");
    const uint64_t total = wanted ? strtoull(wanted, NULL, 10) : 39000;
    uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    uint64_t done = 0;
    for (uint32_t i = 0; done < total; i++) {
        const struct shape *shape = &shapes[i % SHAPES];
        const char *parameters[16] = {"latency=10 cycles", REFERENCE_VERSIONS};
        for (uint32_t k = 0; shape->parameters[k]; k++)
            parameters[k + 2] = shape->parameters[k];
        const uint32_t count = total > (uint64_t)SHAPES * ROUND_MAX ? ROUND_MAX : (uint32_t)(total / SHAPES);
        run_round(shape->type, parameters, count, kit_random(&seed));
        done += count;
    }
    printf("l2 requests: %llu\n", (unsigned long long)done);
}
