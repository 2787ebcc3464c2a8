/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
/* A run that goes on from a checkpoint ends as if it had never stopped, to the bit; and what is no checkpoint of it is refused. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "hd_fnv.h"
#include "process.h"
#include "stats.h"

#define MACHINES HEDDLE_MACHINES
#define VARIANTS HEDDLE_MACHINES "/../variants"

typedef struct program {
    const char *machine;
    const char *app;
    const char *sets[2];
    const char *points[3]; /* options, up to NULL */
} program;

#define AT(time) "--checkpoint-at=" time
#define AFTER(kernels) "--checkpoint-after=" kernels

/* Before the first kernel, in the middle of kernels, at their ends. */
static const program programs[] = {
    {MACHINES "/gtx480.yaml", "hashtable", {"--set=app.grid=8", "--quiet"}, {AT("5 us"), AT("8.003 us"), AFTER("1")}},
    {MACHINES "/gtx480.yaml", "bfs", {"--set=app.scale=8", "--quiet"}, {AT("31 us"), AT("340 us"), AFTER("3")}},
    {MACHINES "/v100_8_sm.yaml", "vecadd", {"--set=app.n=20000", "--quiet"}, {AT("9 us"), AFTER("1")}},
    {MACHINES "/quadro_fx5800_tbc.yaml", "mandelbrot", {"--set=app.n=64", "--quiet"}, {AT("12 us")}},
    {VARIANTS "/gtx480_dma.yaml", "vecadd", {"--set=app.n=20000", "--quiet"}, {AT("12 us"), AT("31 us")}},
    {VARIANTS "/gtx480_mimd.yaml", "hashtable", {"--set=app.grid=4", "--quiet"}, {AT("11 us")}},
    {VARIANTS "/gtx480_ideal_tm.yaml", "hashtable", {"--set=app.sync=tm", "--set=app.grid=4"}, {AT("8.5 us")}},
    {VARIANTS "/gtx480_getm.yaml", "hashtable", {"--set=app.sync=tm", "--set=app.grid=4"}, {AT("8.5 us")}},
    {VARIANTS "/gtx480_kilo_tm.yaml", "hashtable", {"--set=app.sync=tm", "--set=app.grid=4"}, {AT("8.5 us")}},
    {VARIANTS "/gtx480_warptm_el.yaml", "hashtable", {"--set=app.sync=tm", "--set=app.grid=4"}, {AT("8.5 us")}},
    {MACHINES "/../tiles/tile_2x4.yaml", "tile_product", {"--set=app.pes=8", "--set=app.n=1024"}, {AT("10 us")}},
    {VARIANTS "/gtx480_firmware.yaml", "vecadd", {"--set=app.n=2000", "--quiet"}, {AT("200 us")}},
    {VARIANTS "/gtx480_functional.yaml", "hashtable", {"--set=app.grid=8", "--quiet"}, {AT("6.1 us"), AFTER("1")}},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

static json_t *run_of(const program *of, const char *folder, const char *point)
{
    char *stats_path = path_in(folder, "stats.json"), *state = path_in(folder, "a.state");
    char *checkpoint = text_of("--checkpoint=%s", state);
    finished run = heddle("run", of->machine, of->app, of->sets[0], of->sets[1], "--tlm=auto", "--stats", stats_path,
                          point ? checkpoint : "--quiet", point ? point : "--quiet");
    expect_code(&run, 0);
    json_t *stats = stats_read(stats_path);
    finished_free(&run);
    free(stats_path), free(state), free(checkpoint);
    return stats;
}

static json_t *resumed(const char *folder, const char *option)
{
    char *stats_path = path_in(folder, "resumed.json"), *state = path_in(folder, "a.state");
    finished run = heddle("run", "--resume", state, "--tlm=auto", "--stats", stats_path, option);
    expect_code(&run, 0);
    json_t *stats = stats_read(stats_path);
    finished_free(&run);
    free(stats_path), free(state);
    return stats;
}

static void expect_resumed(const program *of, const char *point, const char *option)
{
    char *folder = folder_new();
    json_t *plain = run_of(of, folder, NULL), *saved = run_of(of, folder, point), *again = resumed(folder, option);
    expect_same_stats(plain, saved);
    expect_same_stats(plain, again);
    json_decref(plain), json_decref(saved), json_decref(again);
    folder_remove(folder);
}

Test(checkpoints, go_on_as_if_nothing_had_happened)
{
    for (size_t i = 0; i < PROGRAMS; i++)
        for (size_t p = 0; p < 3 && programs[i].points[p]; p++)
            expect_resumed(&programs[i], programs[i].points[p], "--quiet");
}

Test(checkpoints, go_on_with_threads)
{
    expect_resumed(&programs[0], AT("8 us"), "--threads=2");
}

/* ---- Another machine from there on -------------------------------------------------------------------------------------- */

static char *saved_file(const char *folder)
{
    json_decref(run_of(&programs[0], folder, AT("8 us")));
    return path_in(folder, "a.state");
}

Test(checkpoints, latencies_may_change_and_are_told)
{
    char *folder = folder_new();
    json_t *plain = run_of(&programs[0], folder, AT("8 us")), *other = resumed(folder, "--set=l2.latency=300 cycles");
    cr_expect_gt(json_integer_value(stats_at(other, "simulated_ps")),
                 json_integer_value(stats_at(plain, "simulated_ps")));
    cr_expect_eq(json_integer_value(stats_at(other, "from_checkpoint/at_ps")), 8000000);
    cr_expect_str_eq(json_string_value(stats_at(other, "from_checkpoint/set/0")), "l2.latency=300 cycles");
    cr_expect_null(json_object_get(plain, "from_checkpoint"));
    json_decref(plain), json_decref(other);
    folder_remove(folder);
}

/* A run that is saved again after its machine has changed keeps what has been set, and when. */
Test(checkpoints, may_be_made_of_a_run_that_goes_on_from_one)
{
    char *folder = folder_new(), *state = saved_file(folder), *second = path_in(folder, "b.state");
    char *checkpoint = text_of("--checkpoint=%s", second), *stats_path = path_in(folder, "b.json");
    static const char set[] = "--set=l2.latency=300 cycles";
    finished run = heddle("run", "--resume", state, "--tlm=auto", set, checkpoint, AT("9 us"), "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("run", "--resume", second, "--tlm=auto", "--quiet", "--stats", stats_path);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *at_once = resumed(folder, set), *twice = stats_read(stats_path);
    expect_same_stats(at_once, twice);
    json_decref(at_once), json_decref(twice);
    free(state), free(second), free(checkpoint), free(stats_path);
    folder_remove(folder);
}

static void expect_refused(const char *state, const char *option, const char *part)
{
    finished run = heddle("run", "--resume", state, "--tlm=auto", option);
    expect_code(&run, 2);
    expect_error(&run, part);
    finished_free(&run);
}

Test(checkpoints, sizes_may_not_change)
{
    char *folder = folder_new(), *state = saved_file(folder);
    expect_refused(state, "--set=l2.ways=4", "l2[0] (l2_slice/write_back): sets: ");
    expect_refused(state, "--set=l2.mshrs=20", "l2[0] (l2_slice/write_back): lines on their way to memory: ");
    expect_refused(state, "--set=core.count=14", "number of blocks: ");
    expect_refused(state, "--set=core.scheduler=lrr", "scheduler gto in the state, scheduler lrr here");
    expect_refused(state, "--set=core.l1.write=through", "number of the choice of l1.write: 0 in the state, 1 here");
    expect_refused(state, "--set=core.l1.sector=32 B", "l1.sector, in bytes: 0 in the state, 32 here");
    expect_refused(state, "--set=core.l1.private=bypass", "number of the choice of l1.private: ");
    expect_refused(state, "--set=core.l1.allocate=on_fill", "number of the choice of l1.allocate: ");
    expect_refused(state, "--set=address_map.interleave=512 B", "address_map.interleave, in bytes: 256 in the state, 512");
    expect_refused(state, "--set=address_map.hash=xor", "bits of address_map.hash: 0 in the state, ");
    expect_refused(state, "--sample=standard", "a sampled run makes no checkpoints");
    expect_refused(state, "--set=app.grid=9", "the app of a checkpoint has begun");
    expect_refused(state, "--seed=2", "the checkpoint says it");
    expect_refused(state, "--tlm=always", "SystemC");
    expect_refused(state, "gtx480", "the checkpoint says which machine and app run");
    free(state);
    folder_remove(folder);
}

Test(checkpoints, a_program_that_does_something_else_is_refused)
{
    const program fickle = {MACHINES "/gtx480.yaml", SYSTEM_APPS "/fickle", {"--quiet", "--quiet"}, {NULL}};
    char *folder = folder_new(), *state = path_in(folder, "a.state");
    json_decref(run_of(&fickle, folder, AT("20 us")));
    expect_refused(state, "--quiet", "does not do again what it did before the checkpoint: call ");
    free(state);
    folder_remove(folder);
}

/* A sweep from the state is as its runs one by one. */
Test(checkpoints, begin_the_runs_of_sweeps)
{
    char *folder = folder_new(), *state = saved_file(folder), *file = path_in(folder, "s.yaml");
    char *store = path_in(folder, "s.db");
    static const char text[] = "sweep: 1\nname: slower\nfrom: a.state\naxes: {l2.latency: [140 cycles, 300 cycles]}\n";
    file_write(file, text, strlen(text));
    finished run = heddle("sweep", file, "--store", store, "--jobs", "1", "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("results", store);
    expect_code(&run, 0);
    json_t *other = resumed(folder, "--set=l2.latency=300 cycles");
    char *cycles = text_of("%lld", (long long)json_integer_value(stats_at(other, "kernels/0/cycles")));
    expect_output(&run, cycles);
    finished_free(&run);
    json_decref(other);
    free(state), free(file), free(store), free(cycles);
    folder_remove(folder);
}

/* ---- Files that are none -------------------------------------------------------------------------------------------------- */

typedef struct damage {
    const char *find; /* bytes of the file; NULL: the file is cut off */
    const char *put;
    uint32_t is_whole; /* the checksum is made anew */
    const char *part;  /* of the error */
} damage;

static void expect_damaged(const char *state, const damage *of)
{
    size_t bytes;
    char *data = file_read(state, &bytes), *other = text_of("%s.other", state);
    if (of->find) {
        char *at = memmem(data, bytes, of->find, strlen(of->find));
        cr_assert_not_null(at);
        memcpy(at, of->put, strlen(of->put));
    } else {
        bytes = bytes / 2;
    }
    if (of->is_whole) {
        const uint64_t sum = hd_fnv_add(HD_FNV_START, data, bytes - sizeof sum);
        memcpy(data + bytes - sizeof sum, &sum, sizeof sum);
    }
    file_write(other, data, bytes);
    expect_refused(other, "--quiet", of->part);
    free(data), free(other);
}

Test(checkpoints, of_other_versions_and_damaged_ones_are_refused)
{
    char *folder = folder_new(), *state = saved_file(folder);
    const damage damages[] = {
        {"heddle.state/1", "heddle.state/2", 1, "has the form heddle.state/2; this heddle reads heddle.state/1"},
        {"heddle.state/1", "HEDDLE.state/1", 1, "is no checkpoint"},
        {NULL, NULL, 0, "is damaged, or not all of it is there"},
        {"(l2_slice", "[l2_slice", 0, "is damaged, or not all of it is there"},
        {"gtx480.yaml", "gtx470.yaml", 1, "gtx470.yaml"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        expect_damaged(state, &damages[i]);
    size_t bytes;
    char *data = file_read(state, &bytes);
    char program[17] = "";
    memcpy(program, data + strlen("heddle.state/1\n"), 16);
    expect_damaged(state, &(damage){program, "0123456789abcdef", 1, "was made by another build of Heddle"});
    expect_refused(folder, "--quiet", "cannot be read");
    free(data), free(state);
    folder_remove(folder);
}

/* ---- Runs of which none can be made --------------------------------------------------------------------------------------- */

static void expect_none(const char *option, const char *more, const char *part)
{
    const char *tlm = strncmp(more, "--tlm", 5) ? "--tlm=auto" : "--quiet";
    char *folder = folder_new(), *state = path_in(folder, "a.state"), *checkpoint = text_of("--checkpoint=%s", state);
    finished run = heddle("run", MACHINES "/gtx480.yaml", "vecadd", "--set=app.n=2000", checkpoint, option, more, tlm,
                          "--out", folder);
    expect_code(&run, 2);
    expect_error(&run, part);
    cr_expect_null(file_read(state, NULL), "%s", part);
    finished_free(&run);
    free(state), free(checkpoint);
    folder_remove(folder);
}

Test(checkpoints, that_cannot_be_made_are_refused_by_name)
{
    expect_none(AT("5 us"), "--tlm=always", "SystemC");
    expect_none(AT("5 us"), "--check-races", "--check-races");
    expect_none(AT("5 us"), "--profile", "--profile");
    expect_none(AT("5 us"), "--sample=standard", "--sample");
    expect_none(AT("5 us"), "--gdb=0", "--gdb");
    expect_none(AT("0 us"), "--quiet", "it must be a time longer than 0");
    expect_none(AFTER("none"), "--quiet", "it must be a number of kernels");
    expect_none("--quiet", "--quiet", "needs one of --checkpoint-at TIME and --checkpoint-after KERNELS");
    expect_none(AT("9 ms"), "--tlm=auto", "is not written: the run ended before");
    expect_none(AFTER("2"), "--tlm=auto", "is not written: the run ended before");
}
