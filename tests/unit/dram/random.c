/* SPDX-License-Identifier: MIT */
/*
 * Random requests with random back-pressure on memories of random shapes, against a reference memory: every request is
 * answered once, with the bytes that the requests before it on its port left behind; ports use each other's bytes after
 * those were acknowledged. HEDDLE_DRAM_REQUESTS: how many, 40,000 unless set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

enum { PORTS = 3, REGION = 1 << 16, MEMORY = PORTS * REGION, ROUND = 1000, ROUNDS = 3, LONGEST = 512 };

struct expected {
    uint32_t bytes; /* 0 = a write */
    uint32_t port;
    uint32_t answers;
    uint8_t data[LONGEST];
};

struct trial {
    kit_block *kit;
    uint64_t seed;
    uint32_t ports;
    uint32_t is_in_order; /* each port's responses come in the order of its requests */
    uint64_t last_tag[PORTS];
    uint8_t memory[MEMORY];
    struct expected expected[ROUND * ROUNDS]; /* by tag */
    uint32_t answered;
};

static uint64_t any(struct trial *trial, uint64_t below)
{
    return kit_random(&trial->seed) % below;
}

/* Hot rows and overlaps are common. */
static uint64_t random_address(struct trial *trial, uint32_t region, uint32_t bytes)
{
    const uint64_t place = any(trial, 2) ? any(trial, 8) * (REGION / 8) + any(trial, 1024) : any(trial, REGION);
    return region * REGION + (place + bytes > REGION ? REGION - bytes : place);
}

static void send_read(struct trial *trial, uint32_t port, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(trial->kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    trial->expected[tag].bytes = bytes;
    memcpy(trial->expected[tag].data, &trial->memory[address], bytes);
    kit_send(trial->kit, ACCESS, port, packet, t);
}

static void send_write(struct trial *trial, uint32_t port, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t)
{
    const uint32_t has_enables = (uint32_t)any(trial, 2);
    hd_packet *packet = kit_packet(trial->kit, HD_MEMORY_WRITE, has_enables ? 2 * bytes : bytes);
    uint8_t *data = hd_body(packet);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    for (uint32_t i = 0; i < bytes; i++) {
        data[i] = (uint8_t)kit_random(&trial->seed);
        if (has_enables)
            data[bytes + i] = any(trial, 2) ? 0xFF : 0;
        if (!has_enables || data[bytes + i])
            trial->memory[address + i] = data[i];
    }
    kit_send(trial->kit, ACCESS, port, packet, t);
}

static uint32_t take_response(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                              hd_time t)
{
    struct trial *trial = context;
    struct expected *expected = &trial->expected[packet->tag];
    (void)port, (void)t;
    cr_assert_eq(packet->argument, HD_STATUS_OK);
    cr_assert_eq(expected->port, element, "a response goes back where its request was");
    cr_assert_eq(expected->answers++, 0, "request %llu is answered twice", (unsigned long long)packet->tag);
    cr_assert_eq(packet->body_bytes, expected->bytes);
    cr_assert_eq(memcmp(hd_body(packet), expected->data, expected->bytes), 0, "request %llu reads wrong data",
                 (unsigned long long)packet->tag);
    cr_assert(!trial->is_in_order || packet->tag + 1 > trial->last_tag[element]);
    trial->last_tag[element] = packet->tag + 1;
    trial->answered++;
    kit_free(kit, packet);
    return 1;
}

/* Now and then time passes, and responses find no credit. */
static hd_time let_time_pass(struct trial *trial, hd_time t)
{
    t += (1 + any(trial, 300)) * CYCLE;
    kit_run_until(trial->kit, t);
    for (uint32_t port = 0; port < trial->ports; port++) {
        kit_hold_credits(trial->kit, ACCESS, port, (uint32_t)any(trial, 2));
        kit_release_credits(trial->kit, ACCESS, port, (uint32_t)any(trial, 8), t);
    }
    return t;
}

/* A round: each port has a region of its own, another one than in the round before. */
static hd_time run_round(struct trial *trial, uint32_t round, hd_time t)
{
    for (uint32_t i = 0; i < ROUND; i++) {
        const uint64_t tag = (uint64_t)round * ROUND + i;
        const uint32_t port = (uint32_t)any(trial, trial->ports);
        const uint32_t bytes = 1 + (uint32_t)any(trial, any(trial, 8) ? 128 : LONGEST);
        const uint64_t address = random_address(trial, (port + round) % PORTS, bytes);
        trial->expected[tag].port = port;
        if (any(trial, 2))
            send_read(trial, port, address, bytes, tag, t);
        else
            send_write(trial, port, address, bytes, tag, t);
        if (any(trial, 32) == 0)
            t = let_time_pass(trial, t);
    }
    for (uint32_t port = 0; port < trial->ports; port++) {
        kit_hold_credits(trial->kit, ACCESS, port, 0);
        kit_release_credits(trial->kit, ACCESS, port, UINT32_MAX, t);
    }
    for (uint32_t i = 0; i < 1000 && trial->answered < (round + 1) * ROUND; i++)
        kit_run_until(trial->kit, t += 1000 * CYCLE);
    cr_assert_eq(trial->answered, (round + 1) * ROUND, "%u of %u requests are answered", trial->answered,
                 (round + 1) * ROUND);
    return t;
}

static const char *pick(struct trial *trial, const char *const *choices, uint32_t count)
{
    return choices[any(trial, count)];
}
#define PICK(trial, ...)                                                                                               \
    pick(trial, (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static void choose_shape(struct trial *trial, const hd_block_class **block_class, const char **parameters)
{
    *block_class = any(trial, 8) ? &hd_dram_banked : &hd_dram_fixed_latency;
    *parameters++ = PICK(trial, "responses=1", "responses=3", "responses=16", "responses=64");
    *parameters++ = PICK(trial, "latency=0 cycles", "latency=5 cycles", "latency=40 cycles");
    trial->is_in_order = *block_class == &hd_dram_fixed_latency;
    if (*block_class == &hd_dram_banked) {
        const char *scheduler = PICK(trial, "scheduler=fr_fcfs", "scheduler=fcfs");
        trial->is_in_order = strcmp(scheduler, "scheduler=fcfs") == 0;
        *parameters++ = scheduler;
        *parameters++ =
            PICK(trial, "scheduler.starvation_cap=0", "scheduler.starvation_cap=1", "scheduler.starvation_cap=7");
        *parameters++ = PICK(trial, "page_policy=open", "page_policy=closed", "page_policy=adaptive");
        *parameters++ = PICK(trial, "queue=1", "queue=4", "queue=32", "queue=64");
        *parameters++ = PICK(trial, "trefi=0 ns", "trefi=400 ns", "trefi=2 us");
        *parameters++ = PICK(trial, "mapping=row column[..8] bank bank_group column[7..0]",
                             "mapping=row bank^row column[..6] bank_group^row[4..3] column[5..0]",
                             "mapping=row bank bank_group column");
        *parameters++ = PICK(trial, "tfaw=0 cycles", "tfaw=30 cycles");
        *parameters++ = PICK(trial, "twtr_l=5 cycles", "twtr_l=15 cycles");
        *parameters++ = PICK(trial, "banks=16", "banks=4", "banks=64");
    }
    *parameters = NULL;
}

static void expect_memory(struct trial *trial)
{
    uint8_t *memory = calloc(1, MEMORY);
    for (uint32_t done = 0; done < MEMORY;)
        done += kit_debug_read(trial->kit, done, memory + done, MEMORY - done);
    cr_assert_eq(memcmp(memory, trial->memory, MEMORY), 0);
    free(memory);
}

static void run_trial(uint64_t seed)
{
    static const uint32_t endpoints[] = {0, 0, 0, 0, 0, 0};
    struct trial *trial = calloc(1, sizeof *trial);
    const hd_block_class *block_class;
    const char *parameters[16];
    trial->seed = seed;
    trial->ports = 1 + (uint32_t)any(trial, PORTS);
    choose_shape(trial, &block_class, parameters);
    trial->kit = kit_create(block_class, parameters);
    hd_index_hash hash;
    const uint32_t subs = 1 + (uint32_t)any(trial, 2), kind = (uint32_t)any(trial, HD_HASHES);
    const hd_address_map map = {.partitions = subs * (1 + (uint32_t)any(trial, 3)),
                                .interleave_bytes = 1024,
                                .endpoints = endpoints,
                                .sub_partitions = subs,
                                .sub_interleave_bytes = 128u << any(trial, 5),
                                .hash = kind ? &hash : NULL};
    hd_index_hash_init(&hash, kind, map.partitions);
    kit_provide_map(trial->kit, &map);
    for (uint32_t port = 0; port < trial->ports; port++)
        kit_connect(trial->kit, ACCESS, port, 1 + (uint32_t)any(trial, 8), 1 + (uint32_t)any(trial, 20));
    kit_respond(trial->kit, take_response, trial);
    hd_time t = 0;
    for (uint32_t round = 0; round < ROUNDS; round++)
        t = run_round(trial, round, t);
    cr_assert_eq(kit_statistic(trial->kit, "reads") + kit_statistic(trial->kit, "writes"), ROUND * ROUNDS);
    if (block_class == &hd_dram_banked)
        cr_assert_eq(kit_statistic(trial->kit, "row_hits") + kit_statistic(trial->kit, "row_misses") +
                         kit_statistic(trial->kit, "row_conflicts"),
                     ROUND * ROUNDS);
    expect_memory(trial);
    kit_destroy(trial->kit);
    free(trial);
}

Test(dram_random, requests_are_answered_once_in_order_and_with_the_right_data, .timeout = 7200)
{
    const char *wanted = getenv("HEDDLE_DRAM_REQUESTS");
    const uint64_t requests = wanted ? strtoull(wanted, NULL, 10) : 40000;
    uint64_t seed = (uint64_t)time(NULL), done = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (; done < requests; done += ROUND * ROUNDS)
        run_trial(kit_random(&seed));
    printf("random requests: %llu in %llu memories of random shapes\n", (unsigned long long)done,
           (unsigned long long)done / (ROUND * ROUNDS));
}
