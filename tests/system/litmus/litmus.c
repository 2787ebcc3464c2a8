/* SPDX-License-Identifier: MIT */
/*
 * Litmus tests of whole machines, each seed with delays of its own. The app says FAIL when it sees a forbidden outcome;
 * here allowed ones are counted, which have to be seen, and meetings of the threads, without which nothing is said.
 * HEDDLE_LITMUS_SEEDS makes more seeds of it, and then the rare ones have to be seen too.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define SETS 12
#define BETWEEN_CORES "app.placements=1"
#define WITHIN_A_CORE "app.placements=14"
#define NAMES 32
#define FEW 8u   /* seeds at most, where nobody wishes more */
#define MANY 40u /* seeds that show what is seldom seen */

/* A machine with options of the app, and allowed outcomes of threads on different cores: often seen, and seldom. */
typedef struct setting {
    const char *name;
    const char *sets[SETS];
    const char *often[NAMES];
    const char *seldom[NAMES];
} setting;

/* Stores that are overtaken for longer than the reader's acquire takes. */
#define LATE_STORES BETWEEN_CORES, "app.rounds=24", "request_delay.most=1500 cycles", "reply_delay.most=20 cycles"

static const setting between_cores[] = {
    {"bypass",
     {BETWEEN_CORES},
     {"mp_plain_lw", "sb_plain_lw"},
     {"mp_plain_cg",  "sb_plain_cg",  "lb_plain_cg",   "s_plain_cg",    "r_plain_cg",    "w22_plain_cg",
      "lb_plain_lw",  "s_plain_lw",   "r_plain_lw",    "w22_plain_lw",  "wrc_plain_lw",  "wrc_plain_cg",
      "rwc_plain_lw", "rwc_plain_cg", "isa2_plain_lw", "isa2_plain_cg", "iriw_plain_lw", "iriw_plain_cg",
      "mp_rl",        "sb_amo",       "sb_rl_aq"}},
    {"cache",
     {BETWEEN_CORES, "core.l1.global=cache", "app.cached=1"},
     {"mp_stale", "mp_fence_w", "mp_rl", "corr_cg_lw", "sb_plain_lw", "r_plain_lw"},
     {"lb_plain_lw", "r_plain_lw", "mp_plain_cg", "sb_plain_cg", "lb_plain_cg", "s_plain_cg", "r_plain_cg",
      "w22_plain_lw", "w22_plain_cg", "wrc_plain_cg", "rwc_plain_cg", "isa2_plain_cg", "iriw_plain_cg", "sb_amo",
      "sb_rl_aq"}},
    {"small_cache",
     {BETWEEN_CORES, "core.l1.global=cache", "app.cached=1", "core.l1.bytes=2 KiB", "core.l1.ways=4",
      "core.l1.line=32 B", "core.l1.replacement=random"},
     {"mp_stale", "corr_cg_lw"},
     {"mp_plain_lw", "sb_plain_lw", "mp_fence_w", "mp_rl"}},
    {"sectored_cache",
     {BETWEEN_CORES, "core.l1.global=cache", "app.cached=1", "core.l1.bytes=2 KiB", "core.l1.ways=4",
      "core.l1.sector=32 B", "core.l1.allocate=on_fill"},
     {"mp_stale", "corr_cg_lw"},
     {"mp_plain_lw", "sb_plain_lw", "mp_fence_w", "mp_rl"}},
    {"through_cache",
     {BETWEEN_CORES, "core.l1.global=cache", "app.cached=1", "core.l1.write=through", "core.l1.write_allocate=validate",
      "core.l1.sector=32 B", "core.atomic.request=lanes"},
     {"mp_stale", "corr_cg_lw"},
     {"mp_plain_lw", "sb_plain_lw", "mp_fence_w", "mp_rl"}},
    {"one_line", {BETWEEN_CORES, "app.spacing=4"}, {NULL}, {NULL}},
    {"one_line_cache",
     {BETWEEN_CORES, "app.spacing=4", "core.l1.global=cache", "app.cached=1"},
     {"corr_cg_lw", "mp_stale"},
     {"mp_fence_w", "sb_plain_lw"}},
    {"late_stores", {LATE_STORES, "app.test=mp_no_release"}, {"mp_no_release"}, {NULL}},
    {"late_stores_aq", {LATE_STORES, "app.test=mp_aq"}, {"mp_aq"}, {NULL}},
    {"late_stores_cache",
     {LATE_STORES, "app.test=mp_no_release", "core.l1.global=cache", "app.cached=1"},
     {"mp_no_release"},
     {NULL}},
    {"late_stores_aq_cache",
     {LATE_STORES, "app.test=mp_aq", "core.l1.global=cache", "app.cached=1"},
     {"mp_aq"},
     {NULL}},
};

/* The first four run always. */
static const setting within_a_core[] = {
    {"stack_cache",
     {WITHIN_A_CORE, "app.instances=2", "app.rounds=1", "core.l1.global=cache", "app.cached=1"},
     {NULL},
     {NULL}},
    {"mimd_lanes",
     {"app.placements=8", "app.instances=2", "app.rounds=1", "core.reconvergence=mimd", "core.l1.global=cache",
      "app.cached=1", "core.l1.bytes=2 KiB", "core.l1.ways=4", "core.l1.line=64 B"},
     {NULL},
     {NULL}},
    {"stack_through",
     {WITHIN_A_CORE, "app.instances=2", "app.rounds=1", "core.l1.global=cache", "app.cached=1", "core.l1.write=through",
      "core.l1.sector=32 B", "core.l1.allocate=on_fill"},
     {NULL},
     {NULL}},
    {"stack_scratchpad", {"app.scratchpad=1", "app.spacing=4", "app.rounds=1"}, {NULL}, {NULL}},
    {"stack_bypass", {WITHIN_A_CORE}, {NULL}, {NULL}},
    {"mimd_scratchpad", {"app.scratchpad=1", "app.spacing=4", "core.reconvergence=mimd"}, {NULL}, {NULL}},
    {"mimd_bypass", {WITHIN_A_CORE, "app.instances=2", "app.rounds=2", "core.reconvergence=mimd"}, {NULL}, {NULL}},
    {"mimd_cache",
     {WITHIN_A_CORE, "app.instances=2", "app.rounds=2", "core.reconvergence=mimd", "core.l1.global=cache",
      "app.cached=1"},
     {NULL},
     {NULL}},
};

static const setting boundaries[] = {
    {"aligned", {"app.relaunches=4", "core.l1.global=cache"}, {NULL}, {NULL}},
    {"free", {"app.relaunches=4", "core.l1.global=cache", "launch_align=false"}, {NULL}, {NULL}},
    {"free_mimd",
     {"app.relaunches=4", "core.l1.global=cache", "launch_align=false", "core.reconvergence=mimd"},
     {NULL},
     {NULL}},
};

/* How many seeds: what the long tier wants, or as few as show the outcomes that are often seen. */
static uint32_t wished_seeds(void)
{
    const char *wish = getenv("HEDDLE_LITMUS_SEEDS");
    return wish ? (uint32_t)strtoul(wish, NULL, 10) : 0;
}

/* Adds the app's numbers to the sums. */
static void add(json_t *sums, const char *stats)
{
    json_t *file = json_load_file(stats, 0, NULL);
    cr_assert_not_null(file);
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(json_object_get(file, "app"), "reports"), name, value) json_object_set_new(
        sums, name, json_integer(json_integer_value(json_object_get(sums, name)) + json_integer_value(value)));
    json_decref(file);
}

static void run_once(const setting *setting, uint32_t seed, json_t *sums)
{
    char *folder = folder_new(), *stats = path_in(folder, "stats.json"), seed_text[16], app_seed[32];
    snprintf(seed_text, sizeof seed_text, "%u", seed);
    snprintf(app_seed, sizeof app_seed, "app.seed=%u", seed);
    const char *words[32] = {"run",    LITMUS_MACHINE, LITMUS_APP, "--plugin", LITMUS_PLUGIN, "--quiet", "--tlm=auto",
                             "--seed", seed_text,      "--stats",  stats,      "--set",       app_seed};
    uint32_t count = 13;
    for (const char *const *set = setting->sets; set < setting->sets + SETS && *set; set++) {
        words[count++] = "--set";
        words[count++] = *set;
    }
    finished run = heddle_run(words);
    cr_assert_eq(run.code, 0, "%s, seed %u: %s", setting->name, seed, run.err);
    add(sums, stats);
    finished_free(&run);
    free(stats);
    folder_remove(folder);
}

static json_int_t sum_of(const json_t *sums, const char *test, const char *what)
{
    char name[96];
    snprintf(name, sizeof name, "%s.inter_core.%s", test, what);
    return json_integer_value(json_object_get(sums, name));
}

static int all_seen(const setting *setting, const json_t *sums)
{
    for (const char *const *test = setting->often; *test; test++)
        if (sum_of(sums, *test, "weak") == 0)
            return 0;
    return 1;
}

static void expect_seen(const setting *setting, const json_t *sums, const char *const *tests)
{
    for (; *tests; tests++)
        cr_expect_gt(sum_of(sums, *tests, "weak"), 0, "%s: %s was never seen", setting->name, *tests);
}

static void expect_meetings(const setting *setting, const json_t *sums)
{
    json_int_t fences = 0, met_with_fences = 0;
    for (void *at = json_object_iter((json_t *)(uintptr_t)sums); at;
         at = json_object_iter_next((json_t *)(uintptr_t)sums, at)) {
        const char *name = json_object_iter_key(at);
        const json_int_t met = json_integer_value(json_object_iter_value(at));
        if (!strstr(name, ".inter_core.witness"))
            continue;
        cr_expect(met != 0 || wished_seeds() < MANY, "%s: the threads of %s never met", setting->name, name);
        fences += strstr(name, "_fence_") != NULL;
        met_with_fences += strstr(name, "_fence_") ? met : 0;
    }
    cr_expect(met_with_fences > 1000 || fences == 0, "%s: threads with fences met %lld times", setting->name,
              (long long)met_with_fences);
}

static json_t *run_seeds(const setting *setting)
{
    const uint32_t wished = wished_seeds();
    json_t *sums = json_object();
    uint32_t seed = 0;
    while (wished ? seed < wished : seed == 0 || (seed < FEW && !all_seen(setting, sums)))
        run_once(setting, ++seed, sums);
    const char *counted = json_object_get(sums, "samples") ? "samples" : "relaunches";
    printf("litmus %s: %u seeds, %lld %s\n", setting->name, seed,
           (long long)json_integer_value(json_object_get(sums, counted)), counted);
    return sums;
}

static void run_between_cores(const setting *setting)
{
    json_t *sums = run_seeds(setting);
    expect_seen(setting, sums, setting->often);
    expect_meetings(setting, sums);
    if (wished_seeds() >= MANY)
        expect_seen(setting, sums, setting->seldom);
    json_decref(sums);
}

Test(litmus, cores_that_bypass_the_l1_reorder_what_is_not_fenced, .timeout = 7200)
{
    run_between_cores(&between_cores[0]);
}

Test(litmus, cores_that_cache_see_stale_lines_too, .timeout = 7200)
{
    run_between_cores(&between_cores[1]);
}

Test(litmus, other_caches_and_words_of_one_line, .timeout = 7200)
{
    for (size_t i = 2; i < sizeof between_cores / sizeof *between_cores && wished_seeds(); i++)
        run_between_cores(&between_cores[i]);
}

static void run_all(const setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_decref(run_seeds(&settings[i]));
}

Test(litmus, threads_of_one_core_see_one_order, .timeout = 7200)
{
    run_all(within_a_core, wished_seeds() ? sizeof within_a_core / sizeof *within_a_core : 3);
}

Test(litmus, a_kernel_sees_what_was_written_before_it, .timeout = 7200)
{
    run_all(boundaries, sizeof boundaries / sizeof *boundaries);
}
