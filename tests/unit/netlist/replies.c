/* SPDX-License-Identifier: MIT */
/* perturb: how it is written, and which links carry the replies that it delays. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SMALL "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"

static void expect_perturb(const char *text, const char *const *overrides, uint64_t seed, hd_time delay)
{
    netlist *machine = bench_load(text, overrides);
    cr_expect_eq(machine->perturb.seed, seed, "%s: seed %llu", text, (unsigned long long)machine->perturb.seed);
    cr_expect_eq(machine->perturb.delay, delay, "%s: %llu ps", text, (unsigned long long)machine->perturb.delay);
    netlist_free(machine);
}

Test(netlist_replies, perturb_is_a_seed_or_a_mapping, .init = bench_enter, .fini = bench_leave)
{
    expect_perturb(SMALL, NULL, 0, 4000);
    expect_perturb(SMALL "perturb: 7\n", NULL, 7, 4000);
    expect_perturb(SMALL "perturb: {seed: 7}\n", NULL, 7, 4000);
    expect_perturb(SMALL "perturb: {delay: 1 ns}\n", NULL, 0, 1000);
    expect_perturb(SMALL "perturb: {seed: 9223372036854775807, delay: 1 us}\n", NULL, INT64_MAX, 1000000);
}

Test(netlist_replies, layers_of_perturb_are_merged, .init = bench_enter, .fini = bench_leave)
{
    bench_text("base.yaml", SMALL "perturb: {seed: 3, delay: 2 ns}\n");
    static const char above[] = "heddle: 1\nextends: base.yaml\nperturb: 4\n";
    expect_perturb(above, NULL, 4, 2000);
    expect_perturb(above, (const char *const[]){"perturb=5", NULL}, 5, 2000);
    expect_perturb(above, (const char *const[]){"perturb.delay=1 ps", NULL}, 4, 1);
    expect_perturb(above, (const char *const[]){"perturb.seed=0", "perturb={delay: 9 ps}", NULL}, 0, 9);
}

static int has_perturb(const char *text, const char *const *overrides, const char *printed, const char *json)
{
    netlist *machine = bench_load(text, overrides);
    char *lines = bench_written(machine, netlist_print);
    json_t *object = netlist_json(machine);
    char *shown = json_dumps(json_object_get(object, "perturb"), JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_COMPACT);
    const int good = strstr(lines, printed) && (json ? shown && strcmp(shown, json) == 0 : !shown);
    cr_expect(good, "%s\n%s", lines, shown ? shown : "none");
    free(shown);
    free(lines);
    json_decref(object);
    netlist_free(machine);
    return good;
}

Test(netlist_replies, perturb_is_shown_with_its_origins_and_in_results_only_if_it_is_on, .init = bench_enter,
     .fini = bench_leave)
{
    has_perturb(SMALL, NULL, "perturb:\n  seed: 0  # default\n  delay: 4000 ps  # default\n", NULL);
    has_perturb(SMALL "perturb: {delay: 1 ns}\n", (const char *const[]){"perturb=7", NULL},
                "perturb:\n  seed: 7  # <command line>:1:15\n  delay: 1000 ps  # machine.yaml:3:18\n",
                "{\"delay_ps\":1000,\"seed\":7}");
}

/* ---- Replies -------------------------------------------------------------------------------------------------------- */

/* "l2[0].reply[0] -> replies.input[0]|..." of the links that carry replies. */
static char *replies_of(const char *text)
{
    netlist *machine = bench_load(text, (const char *const[]){"perturb=1", NULL});
    char *names = NULL;
    size_t bytes;
    FILE *out = open_memstream(&names, &bytes);
    for (uint32_t i = 0; i < machine->link_count; i++) {
        cr_expect_eq(machine->links[i].response.is_reply, 0);
        if (machine->links[i].forward.is_reply)
            fprintf(out, "%s|", bench_link(machine, i));
    }
    fclose(out);
    netlist_free(machine);
    return names;
}

static void expect_replies(const char *text, const char *expected)
{
    char *found = replies_of(text);
    cr_expect_str_eq(found, expected);
    free(found);
}

Test(netlist_replies, are_what_the_partitions_send, .init = bench_enter, .fini = bench_leave)
{
    expect_replies(SMALL, "l2[0].reply[0] -> replies.input[0]|l2[1].reply[0] -> replies.input[1]|");
}

/* A listener is at the side of the memory: what it sends away is a reply, what it sends to the slices is not. */
Test(netlist_replies, are_what_those_send_who_listen_to_the_partitions, .init = bench_enter, .fini = bench_leave)
{
    static const char listener[] = SMALL "blocks:\n"
                                         "  ear: {kind: listener, type: plain, clock: core, count: 2}\n"
                                         "links:\n"
                                         "  - {from: l2.tap, to: ear.tap}\n"
                                         "  - {from: \"ear[0].answer\", to: replies.input}\n"
                                         "  - {from: \"ear[1].answer\", to: \"l2[1].request\"}\n";
    expect_replies(listener, "l2[0].reply[0] -> replies.input[0]|l2[1].reply[0] -> replies.input[1]|"
                             "ear[0].answer[0] -> replies.input[2]|");
}

/* In whatever order the file says who listens to whom. */
Test(netlist_replies, are_what_those_send_who_listen_to_listeners, .init = bench_enter, .fini = bench_leave)
{
    static const char chain[] = SMALL "blocks:\n"
                                      "  ear: {kind: listener, type: plain, clock: core, count: 2}\n"
                                      "  far: {kind: listener, type: plain, clock: core, count: 2}\n"
                                      "links:\n"
                                      "  - {from: ear.echo, to: far.tap}\n"
                                      "  - {from: l2.tap, to: ear.tap}\n"
                                      "  - {from: \"far[1].answer\", to: replies.input}\n";
    expect_replies(chain, "l2[0].reply[0] -> replies.input[0]|l2[1].reply[0] -> replies.input[1]|"
                          "far[1].answer[0] -> replies.input[2]|");
}

Test(netlist_replies, who_sends_without_listening_does_not_reply, .init = bench_enter, .fini = bench_leave)
{
    static const char stranger[] = SMALL "blocks:\n"
                                         "  mouth: {kind: probe, type: plain, clock: core}\n"
                                         "links:\n"
                                         "  - {from: \"mouth.out[0]\", to: replies.input}\n";
    expect_replies(stranger, "l2[0].reply[0] -> replies.input[0]|l2[1].reply[0] -> replies.input[1]|");
}
