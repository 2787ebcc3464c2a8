/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* Where an outcome may be seen. */
enum { ANYWHERE, CACHED, NOWHERE };

typedef struct test {
    const char *name;
    uint32_t roles;
    uint32_t never;   /* ANYWHERE, ... */
    uint32_t fenced;  /* 1: never seen at all */
    uint32_t generic; /* 1: also for the scratchpad */
    uint32_t barrier; /* 1: whole blocks only */
} test;

static const test tests[] = {
#define SINGLE(name, roles, never, ...) {#name, roles, never, 0, 0, 0},
#define LITMUS(name, roles, never, ...)                                                                                \
    {#name "_plain_lw", roles, never, 0, 1, 0}, {#name "_plain_cg", roles, never, 0, 0, 0},                            \
        {#name "_fence_lw", roles, never, 1, 1, 0}, {#name "_fence_cg", roles, never, 1, 0, 0},
#include "tests.def"
    {"barrier_plain", 2, NOWHERE, 0, 1, 1},
    {"barrier_fence", 2, NOWHERE, 1, 1, 1},
};
#define TESTS (sizeof tests / sizeof *tests)

static const char *const placements[] = {
#define PLACEMENT_NAME(name) #name,
    LITMUS_PLACEMENTS(PLACEMENT_NAME)};

typedef struct setup {
    litmus_args args;
    uint32_t cached;
    const char *only;    /* test; empty: all */
    uint32_t placements; /* a bit each */
    uint64_t misplaced;
    uint64_t samples;
} setup;

static hd_dim3 grid_of(const test *test, uint32_t placement)
{
    switch (placement) {
    case LITMUS_inter_core: return hd_1d(LITMUS_GROUPS * test->roles);
    case LITMUS_inter_block: return hd_1d(LITMUS_CORES * test->roles);
    default: return hd_1d(LITMUS_GROUPS);
    }
}

static hd_dim3 block_of(const test *test, uint32_t placement)
{
    return hd_1d(placement == LITMUS_inter_warp ? LITMUS_WARP * test->roles : LITMUS_WARP);
}

/*
 * Threads of one core see what its memory pipe has ordered. The accesses of a core to one partition stay in order, and those
 * to the scratchpad in any case.
 */
static uint32_t may_be_weak(const setup *s, const test *test, uint32_t placement)
{
    if (test->fenced || test->never == NOWHERE || placement != LITMUS_inter_core)
        return 0;
    if (test->never == CACHED || s->args.spacing < 256)
        return s->cached;
    return 1;
}

static void report(const char *test, const char *placement, const char *what, uint32_t value)
{
    char name[96];
    size_t at = 0;
    const char *const parts[] = {test, ".", placement, ".", what};
    for (uint32_t i = 0; i < 5; i++)
        for (const char *from = parts[i]; *from; from++)
            name[at++] = *from;
    name[at] = '\0';
    hd_report(name, value);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void run(setup *s, const test *test, uint32_t placement)
{
    uint32_t counter[LITMUS_COUNTERS];
    const uint32_t instances_of_warp = placement == LITMUS_intra_warp ? LITMUS_WARP / test->roles : LITMUS_WARP;
    litmus_args args = s->args;
    args.placement = placement;
    args.instances_per_warp = test->barrier ? instances_of_warp : smaller(args.instances_per_warp, instances_of_warp);
    args.seed += placement * 977 + (uint32_t)(test - tests) * 7919;
    hd_fill(args.sync, 0, LITMUS_GROUPS * args.instances_per_warp * 128);
    hd_fill(args.counter, 0, sizeof counter);
    host_launch(test->name, grid_of(test, placement), block_of(test, placement), LITMUS_SCRATCHPAD, &args, sizeof args);
    hd_copy_from_device(counter, args.counter, sizeof counter);
    s->args.epoch += args.rounds * LITMUS_EPOCH;
    s->misplaced += counter[LITMUS_MISPLACED];
    s->samples += counter[LITMUS_SAMPLES];
    report(test->name, placements[placement], "witness", counter[LITMUS_WITNESS]);
    report(test->name, placements[placement], "weak", counter[LITMUS_WEAK]);
    hd_check(counter[LITMUS_WEAK] == 0 || may_be_weak(s, test, placement),
             "%s, %s: the forbidden outcome was seen %u times in %u", test->name, placements[placement],
             counter[LITMUS_WEAK], counter[LITMUS_SAMPLES]);
}

/* Every placement; in the scratchpad and at a barrier those within a block. */
static void run_tests(setup *s)
{
    for (const test *t = tests; t < tests + TESTS; t++) {
        if ((s->args.scratchpad && !t->generic) || (*s->only && strcmp(s->only, t->name) != 0))
            continue;
        const uint32_t in_block = s->args.scratchpad || t->barrier;
        for (uint32_t placement = in_block ? LITMUS_inter_warp : 0; placement < LITMUS_PLACEMENT_COUNT; placement++)
            if (s->placements >> placement & 1)
                run(s, t, placement);
    }
    hd_check(s->misplaced == 0, "%llu of %llu instances were not where their test wants them",
             (unsigned long long)s->misplaced, (unsigned long long)(s->misplaced + s->samples));
    hd_report("samples", s->samples);
}

/* ---- Kernel boundaries ---- */

#define THREADS 256u
#define BLOCK 64u

static void look(relaunch_args *args)
{
    uint32_t wrong;
    host_launch("relaunch_look", host_blocks(THREADS, BLOCK), hd_1d(BLOCK), 0, args, sizeof *args);
    hd_copy_from_device(&wrong, args->counter, sizeof wrong);
    hd_check(wrong == 0, "%u threads of launch %u found what was there before", wrong, args->value);
}

/* The host fills the table, or a kernel does, or a kernel beside one that keeps old lines coming. */
static void run_relaunches(uint32_t launches)
{
    uint32_t values[THREADS];
    relaunch_args args = {.table = host_filled(0, sizeof values), .counter = host_filled(0, 4)};
    for (args.value = 1; args.value <= launches; args.value++) {
        for (uint32_t i = 0; i < THREADS; i++)
            values[i] = args.value;
        hd_copy_to_device(args.table, values, sizeof values);
        look(&args);
    }
    args.turns = THREADS;
    for (; args.value <= 2 * launches; args.value++) {
        host_launch("relaunch_put", hd_1d(1), hd_1d(BLOCK), 0, &args, sizeof args);
        look(&args);
    }
    hd_queue beside = hd_queue_create();
    relaunch_args hog = args;
    hog.turns = 200 * launches;
    hd_launch_on(beside, hd_kernel_named("relaunch_hog"), host_blocks(THREADS, BLOCK), hd_1d(BLOCK), 0, &hog,
                 sizeof hog);
    for (; args.value <= 3 * launches; args.value++) {
        host_launch("relaunch_put", hd_1d(1), hd_1d(BLOCK), 0, &args, sizeof args);
        host_launch("relaunch_look", host_blocks(THREADS, BLOCK), hd_1d(BLOCK), 0, &args, sizeof args);
    }
    args.value--;
    look(&args);
    hd_report("relaunches", args.value);
}

int hd_app_main(void)
{
    setup s = {.args = {.instances_per_warp = host_option("instances", 8, 1, LITMUS_WARP),
                        .rounds = host_option("rounds", 4, 1, 10000),
                        .epoch = LITMUS_EPOCH,
                        .seed = host_option("seed", 1, 0, UINT32_MAX),
                        .spacing = host_option("spacing", 256, 4, 256),
                        .jitter = host_option("jitter", 4, 0, 10000),
                        .stagger = host_option("stagger", 12, 0, 10000),
                        .scratchpad = host_option("scratchpad", 0, 0, 1)},
               .cached = host_option("cached", 0, 0, 1),
               .only = hd_option_text("test", ""),
               .placements = host_option("placements", 15, 0, 15)};
    const uint32_t relaunches = host_option("relaunches", 0, 0, 1000);
    s.args.words = host_filled(0, LITMUS_INSTANCES * LITMUS_STRIDE);
    s.args.sync = hd_malloc(LITMUS_INSTANCES * 128);
    s.args.record = hd_malloc(LITMUS_INSTANCES * 128);
    s.args.counter = hd_malloc(LITMUS_COUNTERS * 4);
    if (relaunches)
        run_relaunches(relaunches);
    else
        run_tests(&s);
    return HD_PASS;
}
