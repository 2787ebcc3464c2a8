/* SPDX-License-Identifier: MIT */
/* Apps whose threads share data: a lost update is found out in each form of synchronisation; bad input is refused, once
 * and clearly. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"

/* ---- Lost updates
 * ------------------------------------------------------------------------------------------------------ */

typedef struct loss {
    const char *app;
    const char *sets[6]; /* NULL at the end */
    const char *part;    /* of the message */
} loss;

static void expect_outcome(const loss *loss, const char *sync, char *folder, uint32_t outcome)
{
    const char *sets[8] = {sync};
    for (size_t i = 0; loss->sets[i]; i++)
        sets[i + 1] = loss->sets[i];
    machine_run run = run_machine(&(run_request){.netlist = GTX480, .app = folder, .sets = sets});
    cr_expect(run.outcome == outcome && !run.was_refused, "%s %s: %s", folder, sync, run.message);
    if (outcome != HD_OUTCOME_PASS)
        cr_expect(strstr(run.message, loss->part), "%s %s: %s", folder, sync, run.message);
    run_free(&run);
    free(folder);
}

/* The app as it is, and one whose locks and transactions do nothing. */
static void expect_found(const loss *loss, const char *sync)
{
    if (strcmp(sync, "app.sync=tm"))
        expect_outcome(loss, sync, path_in(HEDDLE_APPS, loss->app), HD_OUTCOME_PASS);
    expect_outcome(loss, sync, text_of(SYSTEM_APPS "/%s_unsafe", loss->app), HD_OUTCOME_FAIL);
}

static const char *const forms[] = {"app.sync=tm", "app.sync=locks", "app.sync=coarse"};
#define FORMS (sizeof forms / sizeof *forms)

Test(apps_go_wrong, cloth_that_loses_half_a_move)
{
    for (size_t i = 0; i < FORMS; i++)
        expect_found(&(loss){"cloth",
                             {"app.around=8", "app.height=6", "app.block=48", "app.grid=3"},
                             "garment 0: its momentum along "},
                     forms[i]);
    for (size_t i = 0; i < 2; i++)
        expect_found(&(loss){"cloth",
                             {"app.around=8", "app.height=6", "app.block=48", "app.grid=3", "app.preload=1"},
                             "garment 0: its momentum along "},
                     forms[i]);
}

Test(apps_go_wrong, cloth_that_loses_whole_moves)
{
    expect_outcome(&(loss){"cloth", {"app.garments=2", "app.grid=8"}, "garment 0: its constraints are exceeded by "},
                   "app.sync=locks", path_in(SYSTEM_APPS, "cloth_idle"), HD_OUTCOME_FAIL);
    expect_outcome(&(loss){"cloth", {"app.around=8", "app.height=6"}, "x[0] is 0x"}, "app.sync=serial",
                   path_in(SYSTEM_APPS, "cloth_idle"), HD_OUTCOME_FAIL);
}

static const char *const layouts[] = {"app.layout=packed", "app.layout=padded"};
#define LAYOUTS (sizeof layouts / sizeof *layouts)

Test(apps_go_wrong, chains_that_lose_an_entry)
{
    for (size_t i = 0; i < FORMS; i++)
        for (size_t l = 0; l < LAYOUTS; l++)
            expect_found(&(loss){"hashtable",
                                 {layouts[l], "app.buckets=16", "app.block=48", "app.grid=2", "app.inserts=2"},
                                 ", is in no bucket, expected bucket "},
                         forms[i]);
}

Test(apps_go_wrong, accounts_that_lose_half_a_transfer)
{
    for (size_t i = 0; i < FORMS; i++)
        for (size_t l = 0; l < LAYOUTS; l++)
            expect_found(&(loss){"atm",
                                 {layouts[l], "app.accounts=16", "app.transfers=192", "app.block=48", "app.grid=2"},
                                 "balance["},
                         forms[i]);
}

Test(apps_go_wrong, trees_that_lose_a_body)
{
    for (size_t i = 0; i < FORMS; i++)
        expect_found(
            &(loss){"barnes_hut", {"app.bodies=64", "app.forces=0", "app.block=32", "app.grid=2"}, ": the link is "},
            forms[i]);
}

Test(apps_go_wrong, meshes_that_are_no_delaunay_meshes)
{
    static const loss losses[] = {
        {"dmr_lite", {"app.points=40", "app.grid=2", "app.block=48"}, " has an angle below 20 degrees"},
        {"dmr_lite", {"app.points=40", "app.grid=2", "app.block=48"}, " is in the circle of triangle "},
        {"dmr_lite", {"app.points=40", "app.grid=2", "app.block=48"}, "triangles cover 1073741824 of 536870912"},
        {"dmr_lite", {"app.points=40", "app.grid=2", "app.block=48"}, " has no neighbour, and is not at the border"},
        {"dmr_lite", {"app.points=40", "app.grid=2", "app.block=48"}, " is not between "},
        {"dmr_lite", {"app.points=40", "app.grid=2", "app.block=48"}, "point 76 "}};
    expect_outcome(&losses[0], "app.plant=0", path_in(SYSTEM_APPS, "dmr_lite_wrong"), HD_OUTCOME_PASS);
    for (uint32_t plant = 1; plant <= sizeof losses / sizeof *losses; plant++) {
        char option[16];
        snprintf(option, sizeof option, "app.plant=%u", plant);
        expect_outcome(&losses[plant - 1], option, path_in(SYSTEM_APPS, "dmr_lite_wrong"), HD_OUTCOME_FAIL);
    }
}

/* ---- Bad input
 * ----------------------------------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *app;
    const char *sets[4]; /* NULL at the end */
    int code;
    const char *error;
} refusal;

static void expect_refusal(const refusal *refusal)
{
    const char *words[16] = {"run", SMALL, refusal->app, "--quiet"};
    size_t count = 4;
    for (size_t i = 0; refusal->sets[i]; i++) {
        words[count++] = "--set";
        words[count++] = refusal->sets[i];
    }
    finished run = heddle_run(words);
    expect_code(&run, refusal->code);
    expect_error(&run, refusal->error);
    const char *error = strstr(run.err, "error: ");
    cr_expect(error && !strstr(error + 1, "error: "), "not one error:\n%s", run.err);
    finished_free(&run);
}

Test(apps_go_wrong, when_what_they_are_told_has_no_meaning)
{
    static const refusal refusals[] = {
        {"hashtable", {"app.variant=HT-H"}, 2, "error: app 'hashtable' has no variant 'HT-H'"},
        {"hashtable",
         {"app.sync=atomics"},
         1,
         "error: option sync is 'atomics'; it must be one of tm, locks, coarse, serial\n"},
        {"hashtable", {"app.layout=wide"}, 1, "error: option layout is 'wide'; it must be one of packed, padded\n"},
        {"hashtable", {"app.buckets=0"}, 1, "error: option buckets is 0; it must be 1 to 67108864\n"},
        {"hashtable",
         {"app.grid=1048576"},
         1,
         "error: block * grid * inserts is 201326592; it must be at most 67108864\n"},
        {"hashtable",
         {"app.buckets=67108864", "app.layout=padded"},
         1,
         "error: hd_malloc: out of device memory: 2147483648 bytes asked for, the largest free piece has "},
        {"hashtable", {"app.sync=tm"}, 1, "error: 'tx.begin 1', but this machine has no transactional memory"},
        {"atm", {"app.variant=medium"}, 2, "error: app 'atm' has no variant 'medium'"},
        {"atm", {"app.sync=lock"}, 1, "error: option sync is 'lock'; it must be one of tm, locks, coarse, serial\n"},
        {"atm", {"app.layout=4"}, 1, "error: option layout is '4'; it must be one of packed, padded\n"},
        {"atm", {"app.accounts=1"}, 1, "error: option accounts is 1; it must be 2 to 67108864\n"},
        {"atm",
         {"app.accounts=67108864", "app.layout=padded"},
         1,
         "error: hd_malloc: out of device memory: 2147483648 bytes asked for, the largest free piece has "},
        {"atm", {"app.sync=tm"}, 1, "error: 'tx.begin 1', but this machine has no transactional memory"},
        {"cloth", {"app.variant=CLx"}, 2, "error: app 'cloth' has no variant 'CLx'"},
        {"cloth",
         {"app.sync=nothing"},
         1,
         "error: option sync is 'nothing'; it must be one of tm, locks, coarse, serial\n"},
        {"cloth", {"app.layout=wide"}, 1, "error: option layout is 'wide'; it must be one of packed, padded\n"},
        {"cloth", {"app.around=2"}, 1, "error: option around is 2; it must be 3 to 200\n"},
        {"cloth", {"app.pairs=2"}, 1, "error: option pairs is 2; it must be 0 to 1\n"},
        {"cloth",
         {"app.preload=1", "app.sync=coarse"},
         1,
         "error: option preload is 1; with sync coarse it must be 0\n"},
        {"cloth",
         {"app.preload=1", "app.sync=serial"},
         1,
         "error: option preload is 1; with sync serial it must be 0\n"},
        {"cloth",
         {"app.garments=4096", "app.around=200", "app.height=100"},
         1,
         "error: hd_malloc: out of device memory: 3905945600 bytes asked for, the largest free piece has "},
        {"cloth", {"app.sync=tm"}, 1, "error: 'tx.begin 1', but this machine has no transactional memory"},
        {"barnes_hut", {"app.variant=BH"}, 2, "error: app 'barnes_hut' has no variant 'BH'"},
        {"barnes_hut",
         {"app.sync=octets"},
         1,
         "error: option sync is 'octets'; it must be one of tm, locks, coarse, serial\n"},
        {"barnes_hut", {"app.layout="}, 1, "error: option layout is ''; it must be one of packed, padded\n"},
        {"barnes_hut", {"app.bodies=1"}, 1, "error: option bodies is 1; it must be 2 to 134217728\n"},
        {"barnes_hut", {"app.angle=56"}, 1, "error: option angle is 56; it must be 0 to 55\n"},
        {"barnes_hut",
         {"app.bodies=999"},
         1,
         "error: option forces is 1000; it must be at most bodies, which is 999\n"},
        {"barnes_hut",
         {"app.bodies=134217728", "app.layout=padded"},
         1,
         "error: hd_malloc: out of device memory: 4294967296 bytes asked for, the largest free piece has "},
        {"barnes_hut", {"app.sync=tm"}, 1, "error: 'tx.begin 1', but this machine has no transactional memory"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        expect_refusal(&refusals[i]);
}
