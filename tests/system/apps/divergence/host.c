/* SPDX-License-Identifier: MIT */
#include "bodies.h"
#include "common/host_check.h"

#define LANES 32u

/* What a kernel runs with, and where its results are expected. */
typedef struct runs {
    divergence_args args;
    uint32_t block, grid;
    uint32_t *in, *table;
} runs;

typedef uint32_t expectation(const runs *r, uint32_t index);

static thread thread_of(const runs *r, uint32_t index)
{
    const uint32_t in_block = index % r->block;
    return (thread){.index = index,
                    .lane = in_block % LANES,
                    .warp = in_block / LANES,
                    .in = r->in[index],
                    .table = r->table,
                    .args = &r->args};
}

#define EXPECTATION_OF(name)                                                                                           \
    static uint32_t expect_##name(const runs *r, uint32_t index)                                                       \
    {                                                                                                                  \
        return alone_##name(thread_of(r, index));                                                                      \
    }
BODIES(EXPECTATION_OF)

/* Each of the words of a warp is as often some warp's turn. */
static uint32_t expect_manager(const runs *r, uint32_t index)
{
    (void)index;
    return r->args.rounds;
}

static uint32_t expect_scan(const runs *r, uint32_t index)
{
    const thread t = thread_of(r, index);
    const uint32_t first = t.warp * 5 % 16;
    uint32_t sum = 0;
    if (t.lane < first || t.lane >= first + 16)
        return t.in;
    for (uint32_t lane = first; lane <= t.lane; lane++)
        sum += r->in[index - t.lane + lane];
    return sum;
}

/* Its own word and that of the thread whose index is half of its own. */
static uint32_t expect_banks(const runs *r, uint32_t index)
{
    const uint32_t in_block = index % r->block;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < r->args.rounds; i++)
        sum += r->in[index - in_block + (in_block >> (i & 1))];
    return sum;
}

/* Nothing of each thread. */
static uint32_t expect_nothing(const runs *r, uint32_t index)
{
    (void)r, (void)index;
    return 0;
}

#define ROW_OF(name) {#name, expect_##name},
static const struct {
    const char *name;
    expectation *expected;
} kernels[] = {BODIES(ROW_OF){"manager", expect_manager},
               {"scan", expect_scan},
               {"banks", expect_banks},
               {"spin", expect_nothing},
               {"done_flag", expect_nothing}};

static expectation *expectation_of(const char *name)
{
    for (uint32_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, name))
            return kernels[i].expected;
    hd_check(0, "there is no kernel '%s'", name);
    return NULL;
}

static uint32_t *random_words(uint32_t count, uint64_t *random)
{
    uint32_t *words = hd_host_alloc(count * sizeof *words);
    for (uint32_t i = 0; i < count; i++)
        words[i] = (uint32_t)(hd_random(random) >> 32);
    return words;
}

int hd_app_main(void)
{
    const char *name = hd_option_text("kernel", "hammock");
    const uint32_t launches = host_option("launches", 1, 1, 1000), missing = host_option("missing", 0, 0, 1023);
    uint64_t random = hd_option("seed", 1);
    expectation *expected = expectation_of(name);
    runs r = {.block = host_option("block", 256, 1, 1024), .grid = host_option("grid", 8, 1, 65535)};
    r.args.threads = r.block * r.grid - missing;
    r.args.share = host_option("share", 512, 0, 1024);
    r.args.rounds = host_option("rounds", 16, 1, 1u << 20);
    r.args.ways = host_option("ways", 8, 1, 8);
    const size_t bytes = r.block * r.grid * sizeof(uint32_t);
    r.in = random_words(r.block * r.grid, &random);
    r.table = random_words(DIVERGENCE_TABLE, &random);
    r.args.in = host_upload(r.in, bytes);
    r.args.table = host_upload(r.table, DIVERGENCE_TABLE * sizeof(uint32_t));
    r.args.out = host_filled(0, bytes);
    r.args.shared = host_filled(0, DIVERGENCE_SHARED);
    for (uint32_t i = 0; i < launches; i++)
        host_launch(name, hd_1d(r.grid), hd_1d(r.block), r.block * (uint32_t)sizeof(uint32_t), &r.args, sizeof r.args);
    const uint32_t *out = host_download(r.args.out, bytes), *shared = host_download(r.args.shared, DIVERGENCE_SHARED);
    for (uint32_t i = 0; i < r.args.threads; i++)
        host_check_word("out", i, out[i], expected(&r, i));
    if (expected == expect_nothing)
        host_check_word("shared", 1, shared[1], r.args.threads * launches);
    return HD_PASS;
}
