/* SPDX-License-Identifier: MIT */
/* perturb: programs end as they do without, at other times; the same times with the same seed, however they are simulated. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define GETM HEDDLE_MACHINES "/../variants/gtx480_getm.yaml"
#define IDEAL HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml"
#define WARPTM HEDDLE_MACHINES "/../variants/gtx480_warptm_tcd.yaml"
#define WARPTM_EL HEDDLE_MACHINES "/../variants/gtx480_warptm_el.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"

typedef struct program {
    const char *machine;
    const char *app;
    const char *set; /* of the app */
    const char *check;
    const char *form; /* of synchronisation; NULL: the app's own */
} program;

static json_t *stats_of(const program *of, const char *perturb, const char *how)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", of->machine, of->app, "--set", of->set, "--set", perturb, how,
                          of->check ? of->check : "--seed=1", of->form ? of->form : "--seed=1", "--stats", path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

static void expect_same_runs(const program *of, const char *perturb, const char *how)
{
    json_t *a = stats_of(of, perturb, "--tlm=auto"), *b = stats_of(of, perturb, how);
    expect_same_stats(a, b);
    json_decref(a);
    json_decref(b);
}

static int64_t cycles_of(const program *of, const char *perturb)
{
    json_t *stats = stats_of(of, perturb, "--tlm=auto");
    const int64_t cycles = json_integer_value(stats_at(stats, "kernels/0/cycles"));
    json_decref(stats);
    return cycles;
}

static const program programs[] = {
    {GTX480, "vecadd", "app.n=20000", NULL, NULL},
    {GTX480, "hashtable", "app.grid=8", NULL, NULL},
    {GTX480, "bfs", "app.scale=8", NULL, NULL},
    {SMALL, "atm", "app.transfers=500", NULL, NULL},
    {GETM, "hashtable", "app.grid=6", "--check-tx", "--set=app.sync=tm"},
    {IDEAL, "hashtable", "app.grid=6", "--check-tx", "--set=app.sync=tm"},
    {WARPTM, "hashtable", "app.grid=6", "--check-tx", "--set=app.sync=tm"},
    {WARPTM_EL, "hashtable", "app.grid=6", "--check-tx", "--set=app.sync=tm"},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

Test(perturb, seeds_give_other_times_and_the_same_end)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        const int64_t off = cycles_of(&programs[i], "perturb=0"), one = cycles_of(&programs[i], "perturb=1"),
                      two = cycles_of(&programs[i], "perturb=2");
        cr_expect_neq(one, two, "%s: %lld cycles", programs[i].app, (long long)one);
        cr_expect_neq(one, off, "%s: %lld cycles", programs[i].app, (long long)off);
    }
}

Test(perturb, a_seed_gives_the_same_again_with_threads_and_with_transport_calls)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        expect_same_runs(&programs[i], "perturb=3", "--threads=2");
        expect_same_runs(&programs[i], "perturb=3", i % 2 ? "--tlm=checked" : "--tlm=always");
    }
}

/* Off is off whatever the delay, and a delay of its own counts. */
Test(perturb, the_delay_is_the_longest_that_a_reply_is_late)
{
    const program *of = &programs[0];
    expect_same_runs(of, "perturb.delay=1 us", "--tlm=auto");
    const int64_t off = cycles_of(of, "perturb.delay=1 us"), plain = cycles_of(of, "perturb=0");
    cr_expect_eq(off, plain);
    const int64_t some = cycles_of(of, "perturb={seed: 1, delay: 4 ns}"),
                  much = cycles_of(of, "perturb={seed: 1, delay: 1 us}");
    cr_expect(some <= plain + plain / 20 && some >= plain - plain / 20, "%lld, not about %lld", (long long)some,
              (long long)plain);
    cr_expect_lt(2 * some, much);
}

/* Aligned launches: what the host did before changes nothing, as without. */
Test(perturb, a_kernel_is_the_same_whatever_the_host_did_before)
{
    const program idle = {SMALL, "vecadd", "app.n=3000", NULL, NULL};
    json_t *stats[2];
    static const char *const settings[] = {"host.overhead=0 cycles", "host.overhead=12345 cycles"};
    for (int i = 0; i < 2; i++) {
        program of = idle;
        of.set = settings[i];
        stats[i] = stats_of(&of, "perturb=1", "--tlm=auto");
    }
    cr_expect_neq(json_integer_value(stats_at(stats[0], "simulated_ps")),
                  json_integer_value(stats_at(stats[1], "simulated_ps")));
    expect_same_stats(stats_at(stats[0], "kernels/0/statistics/core"), stats_at(stats[1], "kernels/0/statistics/core"));
    expect_same_stats(stats_at(stats[0], "kernels/0/statistics/dram"), stats_at(stats[1], "kernels/0/statistics/dram"));
    json_decref(stats[0]);
    json_decref(stats[1]);
}
