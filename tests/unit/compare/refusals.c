/* SPDX-License-Identifier: MIT */
/* What cannot be compared is said in one line; what is damaged harms nobody. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"
#include "results.h"

TestSuite(compare_refusals, .fini = results_done);

static void expect_refusal(json_t *a, json_t *b, const char *wanted)
{
    cr_expect_str_eq(results_refuse(a, b), wanted);
    results_done();
}

Test(compare_refusals, every_one_of_them)
{
    json_t *other = results_new();
    results_set(other, "app/name", "'bfs'");
    expect_refusal(results_new(), other, "error: these are different apps: app in a.json, bfs in b.json\n");
    other = results_new();
    results_set(other, "app/name", "null");
    expect_refusal(other, results_new(), "error: these are different apps: none in a.json, app in b.json\n");
    other = results_new();
    results_set(other, "schema/name", "'something'");
    expect_refusal(other, results_new(),
                   "error: a.json is no file of results, as 'heddle run --stats FILE' writes it\n");
    expect_refusal(results_new(), json_object(),
                   "error: b.json is no file of results, as 'heddle run --stats FILE' writes it\n");
    other = results_new();
    results_set(other, "schema/version", "2");
    expect_refusal(results_new(), other,
                   "error: b.json has version 2, written by a newer heddle; this one supports version 1\n");
    other = results_new();
    results_remove(other, "blocks");
    expect_refusal(other, results_new(), "error: a.json is no file of results: it has no 'blocks'\n");
    other = results_new();
    results_set(other, "status", "'deadlock'");
    results_set(other, "message", "'all wait'");
    expect_refusal(other, results_new(), "error: a.json: the run did not pass (deadlock): all wait\n");
}

/* A value of another type was taken for 0, or for nothing: a comparison that says so would be a lie. */
Test(compare_refusals, values_of_a_wrong_type)
{
    static const struct {
        const char *path, *value, *said;
    } cases[] = {
        {"kernels", "5", "'kernels' must be a list, not a number"},
        {"kernels", "{}", "'kernels' must be a list, not a mapping"},
        {"kernels/0", "'k'", "'kernels[0]' must be a mapping, not a text"},
        {"kernels/0/kernel", "7", "'kernels[0].kernel' must be a text, not a number"},
        {"kernels/0/cycles", "'40'", "'kernels[0].cycles' must be a whole number, 0 or more, not a text"},
        {"kernels/0/cycles", "1.5",
         "'kernels[0].cycles' must be a whole number, 0 or more, not a number with a fraction"},
        {"kernels/0/cycles", "-40", "'kernels[0].cycles' must be a whole number, 0 or more, not a number below 0"},
        {"simulated_ps", "null", "'simulated_ps' must be a whole number, 0 or more, not null"},
        {"busy_ps", "true", "'busy_ps' must be a whole number, 0 or more, not true"},
        {"busy", "[]", "'busy' must be a mapping, not a list"},
        {"busy/core", "3", "'busy.core' must be a mapping, not a number"},
        {"busy/core/warp_instructions", "'x'",
         "'busy.core.warp_instructions' must be a whole number, 0 or more, not a text"},
        {"blocks/core/total/warp_instructions", "{}",
         "'blocks.core.total.warp_instructions' must be a whole number, 0 or more, not a mapping"},
        {"blocks/core", "null", "'blocks.core' must be a mapping, not null"},
        {"machine/name", "[]", "'machine.name' must be a text, not a list"},
        {"machine/blocks", "{}", "'machine.blocks' must be a list, not a mapping"},
        {"machine/blocks/0", "[]", "'machine.blocks[0]' must be a mapping, not a list"},
        {"machine/blocks/0/name", "null", "'machine.blocks[0].name' must be a text, not null"},
        {"machine/blocks/0/count", "-1",
         "'machine.blocks[0].count' must be a whole number, 0 or more, not a number below 0"},
        {"machine/blocks/0/parameters", "'x'", "'machine.blocks[0].parameters' must be a mapping, not a text"},
        {"machine/clocks_hz", "3", "'machine.clocks_hz' must be a mapping, not a number"},
        {"machine/links", "'x'", "'machine.links' must be a list, not a text"},
        {"app", "'app'", "'app' must be a mapping, not a text"},
        {"app/inputs", "[]", "'app.inputs' must be a mapping, not a list"},
        {"seed", "{}", "'seed' must be a single value, not a mapping"},
        {"status", "1", "'status' must be a text, not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int side = 0; side < 2; side++) {
            json_t *wrong = results_new(), *right = results_new();
            char wanted[256];
            results_set(wrong, cases[i].path, cases[i].value);
            snprintf(wanted, sizeof wanted, "error: %s.json is no file of results: %s\n", side ? "b" : "a",
                     cases[i].said);
            expect_refusal(side ? right : wrong, side ? wrong : right, wanted);
        }
    }
}

/* ---- Damage --------------------------------------------------------------------------------------------------------- */

static json_t *random_value(void)
{
    switch (rand() % 8) {
    case 0: return json_null();
    case 1: return json_string("core[");
    case 2: return json_integer(-1);
    case 3: return json_real(1e300);
    case 4: return json_object();
    case 5: return json_array();
    case 6: return json_true();
    default: return json_integer(INT64_MAX);
    }
}

/* Replaces or takes away one value somewhere below. Returns whether it has. */
static int damage(json_t *at)
{
    size_t count = json_is_object(at) ? json_object_size(at) : json_array_size(at), index = 0;
    if (!count)
        return 0;
    const size_t pick = (size_t)rand() % count;
    if (json_is_array(at)) {
        if (rand() % 4 && damage(json_array_get(at, pick)))
            return 1;
        return rand() % 2 ? !json_array_remove(at, pick) : !json_array_set_new(at, pick, random_value());
    }
    const char *key;
    json_t *value;
    json_object_foreach(at, key, value)
    {
        if (index++ != pick)
            continue;
        if (rand() % 4 && damage(value))
            return 1;
        return rand() % 2 ? !json_object_del(at, key) : !json_object_set_new(at, key, random_value());
    }
    return 0;
}

Test(compare_refusals, damaged_results_are_compared_or_refused)
{
    const unsigned seed = 4711;
    unsigned made_of_damage = 0;
    FILE *nowhere = fopen("/dev/null", "w");
    srand(seed);
    for (int round = 0; round < 2000; round++) {
        comparison made;
        char *error = NULL;
        json_t *a = results_new(), *b = results_new();
        for (int i = rand() % 5; i >= 0; i--)
            damage(rand() % 2 ? a : b);
        const compared_run runs[2] = {{"a", a}, {"b", b}};
        int good = comparison_make(&made, runs, hd_builtin_classes(), &error);
        cr_assert_eq(good, !error, "seed %u, round %d", seed, round);
        if (good) {
            made_of_damage++;
            comparison_write_text(&made, UINT32_MAX, nowhere);
            comparison_write_csv(&made, nowhere);
            comparison_write_json(&made, nowhere);
        } else {
            cr_assert_eq(strncmp(error, "error: ", 7), 0);
        }
        comparison_free(&made);
        free(error);
        json_decref(a);
        json_decref(b);
    }
    fclose(nowhere);
    cr_expect(made_of_damage > 200 && made_of_damage < 2000, "%u", made_of_damage);
}
