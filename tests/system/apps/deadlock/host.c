/* SPDX-License-Identifier: MIT */
/*
 * Runs one of the kernels of firmware/tests/deadlock, `app.kernel`, by `app.threads`, or by two warps of eight that have to hand
 * something over; and checks what it has done. Pointers 0 and 1 are a lock and what it guards; 2 and 3, of each thread.
 */
#include "args.h"
#include "common/host_check.h"

#include <string.h>

#define LANES 8u
#define THREADS_MAX 64u
#define WORDS 1024u
#define POOL_WORDS (3 * WORDS)

typedef struct state {
    uint32_t *words[DEADLOCK_POINTERS];
    deadlock_args args;
    uint32_t threads;
    uint32_t reserved;
} state;

typedef struct kernel {
    const char *name;
    void (*prepare)(state *s);
    void (*check)(const state *s);
} kernel;

static void each_thread(state *s, uint32_t pointer, uint32_t (*value)(uint32_t thread))
{
    for (uint32_t t = 0; t < s->threads; t++)
        s->words[pointer][t] = value(t);
}

static void expect(const state *s, uint32_t pointer, uint32_t word, uint32_t value)
{
    host_check_word("word", word, s->words[pointer][word], value);
}

/* ---- A lock, and a counter --------------------------------------------------------------------------------------------------- */

static void nothing(state *s)
{
    (void)s;
}

static void counted(const state *s)
{
    expect(s, 0, 0, 0);
    expect(s, 1, 0, s->threads);
}

static void prepare_spin(state *s)
{
    s->args.numbers[0] = 20;
}

static uint32_t is_odd(uint32_t thread)
{
    return thread & 1;
}

static void prepare_sides(state *s)
{
    each_thread(s, 2, is_odd);
}

static void counted_by_sides(const state *s)
{
    expect(s, 0, 0, 0);
    expect(s, 3, 0, 0);
    expect(s, 1, 0, s->threads / 2 * 3);
}

static uint32_t three(uint32_t thread)
{
    (void)thread;
    return 3;
}

static void prepare_turns(state *s)
{
    each_thread(s, 2, three);
}

static void unlocked(const state *s)
{
    expect(s, 0, 0, 0);
    hd_check(s->words[1][0] >= s->threads, "the counter is %u", s->words[1][0]);
}

static void two_locks(const state *s)
{
    expect(s, 0, 0, 0);
    expect(s, 3, 0, 0);
    expect(s, 1, 0, s->threads);
}

/* ---- A tree: who comes to a node waits until its parent has said where it begins -------------------------------------------- */

/* Of the node at this place of the tree, row by row from the root on: leaves have the lowest numbers, from left to right, the root the
 * highest. */
static uint32_t node_at(uint32_t place, uint32_t leaves)
{
    const uint32_t root = 2 * leaves - 2;
    return place >= leaves - 1 ? place - (leaves - 1) : root - place;
}

static void prepare_tree(state *s)
{
    const uint32_t leaves = 2 * s->threads, root = 2 * leaves - 2;
    uint32_t *start = s->words[0], *count = s->words[1], *child = s->words[3];
    for (uint32_t i = 0; i <= root; i++) {
        start[i] = UINT32_MAX;
        count[i] = i < leaves ? 1 : 0;
    }
    for (uint32_t node = leaves; node <= root; node++)
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t below = node_at(2 * (root - node) + 1 + i, leaves);
            child[2 * node + i] = below;
            count[node] += count[below];
        }
    start[root] = 0;
    s->args.numbers[0] = leaves;
    s->args.numbers[1] = root;
    s->args.numbers[2] = s->threads;
    s->args.numbers[3] = leaves;
}

static void sorted(const state *s)
{
    uint32_t seen[2 * THREADS_MAX] = {0};
    for (uint32_t i = 0; i < 2 * s->threads; i++) {
        hd_check(s->words[2][i] < 2 * s->threads, "sort[%u] is %u", i, s->words[2][i]);
        seen[s->words[2][i]]++;
    }
    for (uint32_t i = 0; i < 2 * s->threads; i++)
        host_check_word("leaf", i, seen[i], 1);
}

/* ---- A hash table with a lock for each bucket -------------------------------------------------------------------------------- */

#define BUCKETS 2u
#define KEYS_OF_THREAD 4u

static uint32_t key_of(uint32_t thread)
{
    return thread * 7 + 3;
}

static void prepare_table(state *s)
{
    s->threads *= KEYS_OF_THREAD;
    each_thread(s, 0, key_of);
    each_thread(s, 1, is_odd);
    s->args.numbers[0] = BUCKETS;
    s->args.numbers[1] = s->threads;
    s->threads /= KEYS_OF_THREAD;
    s->args.numbers[2] = s->threads;
    s->args.pointers[4].address = s->args.pointers[3].address + 4 * BUCKETS;
}

static void inserted(const state *s)
{
    uint32_t entries = 0;
    for (uint32_t b = 0; b < BUCKETS; b++) {
        expect(s, 3, BUCKETS + b, 0);
        for (uint32_t at = s->words[3][b]; at && entries <= KEYS_OF_THREAD * s->threads; entries++)
            at = s->words[2][(at - s->args.pointers[2].address) / 4 + 2];
    }
    host_check_word("entries", 0, entries, KEYS_OF_THREAD * s->threads);
}

/* ---- Hand over ---------------------------------------------------------------------------------------------------------------- */

static void handed_over(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++)
        expect(s, 2, t, t & 1 ? 1 : 6);
}

static void prepare_rounds(state *s)
{
    s->args.numbers[0] = 3;
}

static void all_rounds(const state *s)
{
    expect(s, 0, 0, 3);
    expect(s, 1, 0, 3);
}

static void two_warps(state *s)
{
    s->threads = 2 * LANES;
}

static void each_once(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++)
        expect(s, 3, t, 1);
}

/* ---- Loops of each thread ------------------------------------------------------------------------------------------------------ */

static void prepare_lengths(state *s)
{
    each_thread(s, 2, key_of);
}

static uint32_t sum_of_squares(uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += i * i;
    return sum;
}

static void summed(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++)
        expect(s, 3, t, sum_of_squares(key_of(t)));
}

static void counted_down(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        expect(s, 2, t, 9);
        expect(s, 3, t, 1);
    }
}

static void halved(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        uint32_t sum = 0;
        for (uint32_t k = key_of(t); k; k = k & 1 ? k - 1 : k >> 1)
            sum += k;
        expect(s, 3, t, sum);
    }
}

static void updated(const state *s)
{
    uint32_t value = 0;
    for (uint32_t t = 0; t < s->threads; t++)
        value = 3 * value + 1;
    expect(s, 0, 0, value);
}

static uint32_t length_of(uint32_t thread)
{
    return 1 + thread % 5;
}

/* The nodes are behind the heads. */
static void prepare_lists(state *s)
{
    uint32_t *words = s->words[2], free = s->threads;
    for (uint32_t t = 0; t < s->threads; t++)
        for (uint32_t i = 0; i < length_of(t); i++, free += 2) {
            words[free] = i + 1;
            words[free + 1] = words[t];
            words[t] = s->args.pointers[2].address + 4 * free;
        }
}

static void lists_summed(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++)
        expect(s, 3, t, length_of(t) * (length_of(t) + 1) / 2);
}

static uint32_t bytes_of(uint32_t thread)
{
    return 0x00010203u * (thread % 3);
}

static void prepare_bytes(state *s)
{
    each_thread(s, 3, bytes_of);
}

static void histogram(const state *s)
{
    uint32_t counts[256] = {0};
    for (uint32_t t = 0; t < s->threads; t++)
        for (uint32_t i = 0; i < 4; i++)
            counts[bytes_of(t) >> 8 * i & 0xFF]++;
    for (uint32_t i = 0; i < 256; i++)
        host_check_word("count", i, s->words[2][i] & 0x07FFFFFF, counts[i]);
}

static uint32_t many(uint32_t thread)
{
    return 9 + thread;
}

static void prepare_votes(state *s)
{
    each_thread(s, 2, many);
}

static void voted(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        expect(s, 3, t, 3);
        expect(s, 2, 64 + t, 3);
    }
}

static void exchanged(const state *s)
{
    for (uint32_t t = 0; t < s->threads; t++)
        expect(s, 3, t, t & 1 ? 2 * (t ^ 1) : t ^ 1);
}

static const kernel kernels[] = {
    {"D01", nothing, counted},
    {"D02", nothing, counted},
    {"D03", nothing, counted},
    {"D04", prepare_sides, counted_by_sides},
    {"D05", prepare_sides, counted_by_sides},
    {"D06", prepare_turns, unlocked},
    {"D07", prepare_tree, sorted},
    {"D08", nothing, handed_over},
    {"D08b", nothing, handed_over},
    {"D09", prepare_rounds, all_rounds},
    {"D10", prepare_spin, counted},
    {"D11", prepare_table, inserted},
    {"D12", nothing, two_locks},
    {"N01", nothing, counted},
    {"N01v", nothing, counted},
    {"N01b", nothing, counted},
    {"N02", prepare_tree, sorted},
    {"N03", nothing, two_locks},
    {"N04", prepare_lengths, summed},
    {"N05", prepare_lengths, counted_down},
    {"N11", prepare_table, inserted},
    {"A01", nothing, updated},
    {"A02", nothing, each_once},
    {"L01", prepare_lengths, halved},
    {"F01", nothing, counted},
    {"F02", prepare_lengths, summed},
    {"F03", prepare_lists, lists_summed},
    {"F04", prepare_bytes, histogram},
    {"F05", prepare_votes, voted},
    {"F06", two_warps, each_once},
    {"M01", nothing, counted},
    {"B01", nothing, exchanged},
};

static const kernel *kernel_named(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, name))
            return &kernels[i];
    hd_check(0, "there is no kernel %s", name);
    return NULL;
}

int hd_app_main(void)
{
    const kernel *k = kernel_named(hd_option_text("kernel", "D02"));
    state s = {.threads = host_option("threads", LANES, 1, THREADS_MAX)};
    char name[32] = "run_";
    for (uint32_t i = 0; i < DEADLOCK_POINTERS; i++) {
        s.words[i] = hd_host_alloc(POOL_WORDS * sizeof(uint32_t));
        memset(s.words[i], 0, POOL_WORDS * sizeof(uint32_t));
        s.args.pointers[i] = hd_malloc(POOL_WORDS * sizeof(uint32_t));
    }
    k->prepare(&s);
    for (uint32_t i = 0; i < 4; i++)
        hd_copy_to_device(s.args.pointers[i], s.words[i], POOL_WORDS * sizeof(uint32_t));
    strcat(name, k->name);
    host_launch(name, hd_1d(1), hd_1d(s.threads), 0, &s.args, sizeof s.args);
    for (uint32_t i = 0; i < 4; i++)
        hd_copy_from_device(s.words[i], s.args.pointers[i], POOL_WORDS * sizeof(uint32_t));
    k->check(&s);
    return HD_PASS;
}
