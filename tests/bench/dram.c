/* SPDX-License-Identifier: MIT */
/*
 * heddle_bench_dram [PARAMETER=VALUE...]: host speed of one DRAM channel by itself, and bandwidth against row hits. The queue
 * of 32 requests is always full. Parameters are those of dram/banked, laid over tests/bench/dram.yaml: a file of configs/dram
 * as parameters_from=FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "alone.h"
#include "dram.h"
#include "hd_message.h"
#include "netlist.h"

enum { REQUEST_BYTES = 64, WINDOW = 64, OVERRIDES_MAX = 32, REPETITIONS = 3 };
#define CAPACITY (UINT64_C(1) << 26)

/* What comes next: in order, or by chance near the last. */
typedef struct traffic {
    uint64_t seed;
    uint64_t address;
    uint32_t is_random;
    uint32_t same_row_percent; /* of random ones: how many stay in the row */
    uint32_t write_percent;
} traffic;

typedef struct channel {
    netlist *machine;
    const netlist_block *dram;
    hd_clock clock;
} channel;

static const hd_port requester_ports[] = {{"memory", HD_PORT_INITIATOR, 1, 1, 1, 64, "accesses"}};
static const hd_message_use requester_messages[] = {{HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},
                                                    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},
                                                    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"}};
static const hd_block_class requester = {.abi_version = HD_ABI_VERSION,
                                         .struct_bytes = sizeof requester,
                                         .kind = "requester",
                                         .type = "bench",
                                         .doc = "the benchmark",
                                         .port_count = 1,
                                         .message_count = 3,
                                         .ports = requester_ports,
                                         .messages = requester_messages};

static uint64_t random_number(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t next_address(traffic *from)
{
    const uint64_t number = random_number(&from->seed);
    if (!from->is_random)
        return from->address += REQUEST_BYTES;
    if (number % 100 < from->same_row_percent)
        return from->address;
    return from->address = (number >> 8) % (CAPACITY / REQUEST_BYTES) * REQUEST_BYTES;
}

static hd_packet *next_request(alone *block, void *context, uint32_t element)
{
    traffic *from = context;
    (void)element;
    const uint32_t is_write = from->write_percent && random_number(&from->seed) % 100 < from->write_percent;
    hd_packet *packet = alone_packet(block, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? REQUEST_BYTES : 0);
    packet->address = next_address(from) % CAPACITY;
    packet->argument = REQUEST_BYTES;
    if (is_write)
        memset(hd_body(packet), (int)packet->address, REQUEST_BYTES);
    return packet;
}

static channel load(int count, char **words)
{
    static const hd_block_class *const classes[] = {&hd_dram_banked, &requester};
    static const char *overrides[OVERRIDES_MAX];
    char *errors;
    if (count > OVERRIDES_MAX) {
        fprintf(stderr, "heddle_bench_dram: more than %d parameters\n", OVERRIDES_MAX);
        exit(2);
    }
    for (int i = 0; i < count; i++) {
        char *text = malloc(strlen(words[i]) + sizeof "dram.");
        sprintf(text, "%s%s", strncmp(words[i], "clocks.", 7) ? "dram." : "", words[i]);
        overrides[i] = text;
    }
    channel result = {0};
    result.machine =
        netlist_load(BENCH_DRAM, (netlist_registry){.classes = classes, .count = 2}, overrides, (size_t)count, &errors);
    if (!result.machine) {
        fputs(errors, stderr);
        exit(2);
    }
    for (int i = 0; i < count; i++)
        free((void *)overrides[i]);
    result.dram = &result.machine->blocks[1];
    result.clock = (hd_clock){result.machine->clocks[0].hz};
    return result;
}

typedef struct outcome {
    double seconds; /* of the host's processor */
    double bytes_per_cycle;
    double row_hits; /* share of the requests */
    double bank_parallelism;
    uint64_t idle_calls;
} outcome;

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* After a tenth of the requests, which warm up. */
static outcome measure(const channel *channel, traffic from, uint64_t requests)
{
    alone *block =
        alone_create(channel->dram->block_class, channel->dram->values, channel->clock, 1, next_request, &from);
    alone_run(block, requests / 10, WINDOW);
    const uint64_t before = alone_responses(block), hits = alone_statistic(block, "row_hits");
    const hd_time begin = alone_now(block);
    const double start = processor_seconds();
    alone_run(block, requests + requests / 10, WINDOW);
    outcome result = {.seconds = processor_seconds() - start};
    const double done = (double)(alone_responses(block) - before);
    const double cycles = (double)(alone_now(block) - begin) * (double)channel->clock.hz / (double)HD_PS_PER_SECOND;
    result.seconds *= (double)requests / done;
    result.bytes_per_cycle = done * REQUEST_BYTES / cycles;
    result.row_hits = (double)(alone_statistic(block, "row_hits") - hits) / done;
    result.bank_parallelism =
        (double)alone_statistic(block, "bank_busy_cycles") / (double)alone_statistic(block, "busy_cycles");
    result.idle_calls = alone_idle(block, alone_now(block) + HD_PS_PER_SECOND);
    alone_destroy(block);
    return result;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static outcome median(const channel *channel, traffic from, uint64_t requests)
{
    double seconds[REPETITIONS];
    outcome result;
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        result = measure(channel, from, requests);
        seconds[i] = result.seconds;
    }
    qsort(seconds, REPETITIONS, sizeof *seconds, compare);
    result.seconds = seconds[REPETITIONS / 2];
    return result;
}

static uint64_t value_of(const netlist_block *block, const char *name)
{
    uint32_t i = 0;
    while (strcmp(block->block_class->parameters[i].name, name))
        i++;
    return block->values[i].u;
}

static void print(const channel *channel, const char *name, traffic from, uint64_t requests)
{
    const outcome result = median(channel, from, requests);
    const double peak = (double)value_of(channel->dram, "bus_bytes");
    printf("%-28s %8.2f %9.2f %9.1f %9.1f%% %9.1f%% %9.2f %8llu\n", name, (double)requests / result.seconds * 1e-6,
           result.bytes_per_cycle, result.bytes_per_cycle * (double)channel->clock.hz * 1e-9,
           100 * result.bytes_per_cycle / peak, 100 * result.row_hits, result.bank_parallelism,
           (unsigned long long)result.idle_calls);
}

int main(int count, char **words)
{
    enum { REQUESTS = 500000, FEW = 50000 };
    setvbuf(stdout, NULL, _IOLBF, 0);
    const channel channel = load(count - 1, words + 1);
    char name[64];
    printf("%-28s %8s %9s %9s %10s %10s %9s %8s\n", "one channel, queue full", "M req./s", "B/cycle", "GB/s", "of peak",
           "row hits", "banks", "calls*");
    print(&channel, "sequential reads", (traffic){.seed = 1}, REQUESTS);
    print(&channel, "random reads", (traffic){.seed = 1, .is_random = 1}, REQUESTS);
    print(&channel, "sequential, 1/3 writes", (traffic){.seed = 1, .write_percent = 33}, REQUESTS);
    print(&channel, "random, 1/3 writes", (traffic){.seed = 1, .is_random = 1, .write_percent = 33}, REQUESTS);
    for (uint32_t percent = 0; percent <= 100; percent += 10) {
        snprintf(name, sizeof name, "reads, %u%% as the last", percent);
        print(&channel, name, (traffic){.seed = 1, .is_random = 1, .same_row_percent = percent}, FEW);
    }
    puts("* of advance in a second of simulated time without requests");
    netlist_free(channel.machine);
    return 0;
}
