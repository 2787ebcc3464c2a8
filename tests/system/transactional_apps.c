/* SPDX-License-Identifier: MIT */
/*
 * Apps with several forms of synchronisation: all forms find the same, and updates that get lost are found out.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define FUNCTIONAL SYSTEM_MACHINES "/functional.yaml"
#define GETM HEDDLE_MACHINES "/../variants/gtx480_getm.yaml"
#define IDEAL HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml"
#define SETS_MAX 6

static finished run_app(const char *machine, const char *app, const char *const *sets)
{
    const char *words[5 + 2 * SETS_MAX] = {"run", machine, app};
    size_t count = 3;
    for (size_t i = 0; i < SETS_MAX && sets[i]; i++) {
        words[count++] = "--set";
        words[count++] = sets[i];
    }
    if (strstr(machine, "tm"))
        words[count++] = "--check-tx";
    return heddle_run(words);
}

/* ---- Forms and layouts ---------------------------------------------------------------------------------------------- */

/* What the app reports behind the arrow, to be freed. */
static char *reports_of(const char *machine, const char *app, const char *const *sets)
{
    finished run = run_app(machine, app, sets);
    expect_code(&run, 0);
    const char *arrow = strstr(run.out, "-> ");
    cr_assert(arrow, "%s reports nothing:\n%s%s", app, run.out, run.err);
    char *reports = text_of("%.*s", (int)strcspn(arrow, "\n"), arrow);
    finished_free(&run);
    return reports;
}

/* size: an option of the app; NULL is the app's default input. */
static void expect_reports(const char *machine, const char *app, const char *form, const char *layout, const char *size,
                           const char *expected)
{
    char *sync = text_of("app.sync=%s", form), *laid_out = text_of("app.layout=%s", layout);
    char *reports = reports_of(machine, app, (const char *const[]){sync, laid_out, size, NULL});
    cr_expect(!strncmp(reports, expected, strlen(expected)), "%s %s %s: %s", app, form, layout, reports);
    free(reports);
    free(laid_out);
    free(sync);
}

static void expect_forms_alike(const char *app, const char *const *forms, const char *size, const char *expected)
{
    for (; *forms; forms++) {
        expect_reports(FUNCTIONAL, app, *forms, "packed", size, expected);
        expect_reports(FUNCTIONAL, app, *forms, "padded", size, expected);
    }
}

Test(transactional_apps, cut_alike_in_all_forms)
{
    expect_forms_alike("cuda_cuts", (const char *const[]){"tm", "locks", "atomics", "coarse", "serial", NULL}, NULL,
                       "-> flow 55201, pixels_of_sink 921");
}

Test(transactional_apps, mine_alike_in_all_forms)
{
    expect_forms_alike("apriori", (const char *const[]){"tm", "locks", "coarse", "serial", NULL}, NULL,
                       "-> frequent_pairs 235, candidates 1602, counted 6118, frequent 204, longest 6");
}

Test(transactional_apps, insert_and_transfer_alike_in_all_forms)
{
    static const char *const forms[] = {"tm", "locks", "coarse", "serial", NULL};
    expect_forms_alike("hashtable", forms, "app.grid=12", "-> entries 2304, longest_chain 4");
    expect_forms_alike("atm", forms, "app.transfers=12288", "-> total_balance 1000000000, transfers 12288");
}

Test(transactional_apps, are_serialisable_on_inputs_of_the_small_variant)
{
    expect_reports(GETM, "apriori", "tm", "packed", NULL,
                   "-> frequent_pairs 235, candidates 1602, counted 6118, frequent 204, longest 6");
    expect_reports(IDEAL, "apriori", "tm", "packed", NULL,
                   "-> frequent_pairs 235, candidates 1602, counted 6118, frequent 204, longest 6");
    expect_reports(GETM, "cuda_cuts", "tm", "padded", NULL, "-> flow 55201, pixels_of_sink 921");
    expect_reports(IDEAL, "cuda_cuts", "tm", "packed", NULL, "-> flow 55201, pixels_of_sink 921");
    expect_reports(GTX480, "apriori", "locks", "packed", NULL,
                   "-> frequent_pairs 235, candidates 1602, counted 6118, frequent 204, longest 6");
    expect_reports(GTX480, "cuda_cuts", "locks", "packed", NULL, "-> flow 55201, pixels_of_sink 921");
}

/* ---- Planted mistakes ----------------------------------------------------------------------------------------------- */

typedef struct plant {
    const char *app;
    const char *form;  /* "app.sync=tm" */
    const char *right; /* of the kernel's source */
    const char *wrong;
    const char *error;
} plant;

/* The text, which has `right`, with that replaced. */
static char *planted_text(const plant *p, const char *text)
{
    const char *place = strstr(text, p->right);
    const size_t bytes = strlen(text) + strlen(p->wrong) + 1;
    char *changed = malloc(bytes);
    snprintf(changed, bytes, "%.*s%s%s", (int)(place - text), text, p->wrong, place + strlen(p->right));
    return changed;
}

/* What kernels are compiled from. The host program keeps its own headers. */
static const char *const parts[] = {"kernel.c", "args.h", "build.h", "tree.h"};

/* The first part that has `right` gets `wrong`. */
static void make_app(const char *folder, const plant *p)
{
    char *source = path_in(HEDDLE_APP_SOURCES, p->app), *to_host = path_in(folder, "host.c");
    char *host = text_of("#include \"%s/host.c\"\n", source);
    uint32_t is_planted = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *from = path_in(source, parts[i]), *to = path_in(folder, parts[i]), *text = file_read(from, NULL);
        if (text && !is_planted && strstr(text, p->right)) {
            char *changed = planted_text(p, text);
            file_write(to, changed, strlen(changed));
            free(changed);
            is_planted = 1;
        } else if (text) {
            file_write(to, text, strlen(text));
        }
        char *const all[] = {from, to, text};
        for (size_t n = 0; n < sizeof all / sizeof *all; n++)
            free(all[n]);
    }
    cr_assert(is_planted, "%s has no '%s'", p->app, p->right);
    file_write(to_host, host, strlen(host));
    free(host);
    free(to_host);
    free(source);
}

static void expect_found(const char *machine, const plant *p, const char *const *input)
{
    char *folder = folder_new(), *cache = folder_new();
    setenv("XDG_CACHE_HOME", cache, 1);
    make_app(folder, p);
    const char *sets[SETS_MAX] = {p->form};
    for (size_t i = 0; i + 1 < SETS_MAX && input[i]; i++)
        sets[i + 1] = input[i];
    finished run = run_app(machine, folder, sets);
    expect_code(&run, 1);
    expect_error(&run, p->error);
    cr_expect(strstr(run.err, p->error), "%s, without '%s'", p->form, p->right);
    finished_free(&run);
    folder_remove(folder);
    folder_remove(cache);
}

static const char *const small_image[] = {"app.width=24", "app.height=16", NULL};
/* No leaf is split: two at once would close a chain to a ring. */
static const char *const few_records[] = {"app.records=40", "app.items=20", "app.mean=6", "app.support=3000", NULL};
static const char *const standard[] = {NULL};

Test(transactional_apps, that_lose_updates_are_found_out)
{
    static const plant plants[] = {
        {"cuda_cuts", "app.sync=atomics", "simt_atomic_add(word, value)", "*word += value", "expected"},
        {"cuda_cuts", "app.sync=tm", "ATOMICALLY_TM(", "ATOMICALLY_ALONE(", "expected"},
        {"cuda_cuts", "app.sync=locks", "ATOMICALLY_LOCKED_EACH(outer, inner, ",
         "(void)inner; ATOMICALLY_LOCKED(outer, ", "expected"},
        {"cuda_cuts", "app.sync=coarse", "ATOMICALLY_LOCKED(lock, ", "(void)lock; ATOMICALLY_ALONE(", "expected"},
        {"apriori", "app.sync=tm", "ATOMICALLY_TM(", "ATOMICALLY_ALONE(", "expected"},
        {"apriori", "app.sync=locks", "ATOMICALLY_LOCKED(lock, ", "(void)lock; ATOMICALLY_ALONE(", "expected"},
        {"apriori", "app.sync=coarse", "ATOMICALLY_LOCKED(lock, ", "(void)lock; ATOMICALLY_ALONE(", "expected"},
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        expect_found(GTX480, &plants[i], strcmp(plants[i].app, "apriori") ? small_image : few_records);
}

Test(transactional_apps, that_are_wrong_in_one_place_are_found_out)
{
    static const plant plants[] = {
        {"cuda_cuts", "app.sync=serial", "*word_of(args, CUTS_EXCESS, p->to) += p->flow;", "", "of its flow, expected"},
        {"cuda_cuts", "app.sync=serial", "*word_of(args, CUTS_SINK, p->from) -= p->flow;", "", "of its flow, expected"},
        {"cuda_cuts", "app.sync=serial",
         "*word_of(args, CUTS_RESIDUAL + cuts_opposite(p->direction), p->to) += p->flow;", "", "carry"},
        {"cuda_cuts", "app.sync=serial", "p->to) += 1;", "p->to) += 2;", "times it had nothing for them, expected"},
        {"cuda_cuts", "app.sync=serial", "p.flow = simt_min(excess, *word_of(args, CUTS_RESIDUAL + direction, pixel))",
         "p.flow = excess", "carry"},
        {"cuda_cuts", "app.sync=serial", "simt_min(excess, *word_of(args, CUTS_SINK, pixel))", "excess",
         "its link to the sink carries"},
        {"cuda_cuts", "app.sync=serial", "note_progress(args);", "(void)args;",
         "still has flow that can reach the sink"},
        {"apriori", "app.sync=locks", "[CANDIDATE_SUPPORT] += 1", "[CANDIDATE_SUPPORT] += 2", "records, expected"},
        {"apriori", "app.sync=locks", "leaf[NODE_COUNT] += 1;", "", "says that it has 0 candidates"},
        {"apriori", "app.sync=locks", "next && next < candidate + 1", "0", "comes behind"},
        {"apriori", "app.sync=locks", "= *u->last_item;", "= 0;", "expected"},
        {"apriori", "app.sync=locks", "*link = candidate + 1;", "", "has 0"},
        {"apriori", "app.sync=locks", "tree_child(u->root, u->set[1])", "tree_child(u->root, 0)", "is in leaf"},
        {"apriori", "app.sync=locks", "== LEAF_CAPACITY", "== LEAF_CAPACITY / 2", "it is split"},
        {"apriori", "app.sync=locks", "u.candidate < end;", "u.candidate + 1 < end;", "is in no leaf"},
        {"apriori", "app.sync=locks", "items + begin[1]}", "items + begin[1] - 1}", "records, expected"},
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        expect_found(FUNCTIONAL, &plants[i], strcmp(plants[i].app, "apriori") ? small_image : standard);
}

static const char *const pairs[] = {"app.around=8", "app.height=6", "app.block=48", "app.grid=3", "app.pairs=1", NULL};
static const char *const few_bodies[] = {"app.bodies=200", "app.forces=40", "app.block=48", "app.grid=2", NULL};

/* Where every particle has one constraint, the order of moves is of no matter, and each is known to the bit. */
Test(transactional_apps, cloth_that_moves_wrongly_is_found_out)
{
    static const plant plants[] = {
        {"cloth", "app.sync=tm", "+ simt_global_index();", "+ simt_global_index() + 3;", "expected"},
        {"cloth", "app.sync=locks", "(1.0f - 2.0f * rest", "0.9f * (1.0f - 2.0f * rest", "expected"},
        {"cloth", "app.sync=coarse", "square > longest", "square > 0 * longest", "expected"},
        {"cloth", "app.sync=tm", "b->x = bx - b_share * x;", "b->x = bx - a_share * x;", "expected"},
        {"cloth", "app.sync=serial", "a->inverse_mass = a_share;", "a->inverse_mass = b_share;", "expected"},
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        expect_found(FUNCTIONAL, &plants[i], pairs);
}

Test(transactional_apps, trees_that_are_wrong_in_one_place_are_found_out)
{
    static const plant plants[] = {
        {"barnes_hut", "app.sync=locks", "body += simt_global_size()", "body += simt_global_size() + 1",
         ": the link is 0, expected"},
        {"barnes_hut", "app.sync=tm", "d->is_placed = own != others;", "d->is_placed = 1;", ": the link is "},
        {"barnes_hut", "app.sync=locks", "link_to_cell(args, parent);", "link_to_cell(args, parent & ~1u);",
         "cell.parent["},
        {"barnes_hut", "app.sync=serial", "sum.mass += below.mass;", "sum.mass += 2 * below.mass;", "summary.mass["},
        {"barnes_hut", "app.sync=serial", "sum.y / sum.mass", "sum.x / sum.mass", "summary.y["},
        {"barnes_hut", "app.sync=locks", "before + 1 == count_cells_below(args, cell)", "before == 0", "summary."},
        {"barnes_hut", "app.sync=locks", "sorted[place] = link - 1;", "sorted[place] = link - 2;", "sorted["},
        {"barnes_hut", "app.sync=coarse", "place += bodies_below(args, link);", "place += 1;", "sorted["},
        {"barnes_hut", "app.sync=locks", "side_below * side_below >= args->opening * square", "0",
         "accelerations differ from those of a direct sum"},
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        expect_found(FUNCTIONAL, &plants[i], few_bodies);
}

Test(transactional_apps, that_insert_or_transfer_wrongly_are_found_out)
{
    static const plant plants[] = {
        {"hashtable", "app.sync=tm", "entry->key = key;", "entry->key = key + 1;", "pool.key["},
        {"hashtable", "app.sync=coarse", "entry->value = value;", "entry->value = value + 1;", "pool.value["},
        {"hashtable", "app.sync=coarse", "entry->next = next;", "entry->next = next + 30000;",
         "there are 23040 entries"},
        {"hashtable", "app.sync=coarse", "entry->next = next;", "entry->next = next ? next : i + 1;",
         "is linked twice"},
        {"hashtable", "app.sync=coarse", "head_of(t, bucket)", "head_of(t, bucket ^ 1)", "expected "},
        {"hashtable", "app.sync=serial", "ATOMICALLY_ALONE(", "t->locks[1] = 1; ATOMICALLY_ALONE(", "locks[1]"},
        {"hashtable", "app.sync=serial", "insert(&t, i);", "insert(&t, t.entries - 1 - i);", "comes behind"},
        {"atm", "app.sync=tm", "*to += amount;", "*to += amount + 1;", "balance["},
        {"atm", "app.sync=locks", "-= transfer->amount;", "-= transfer->amount + 1;", "balance["},
        {"atm", "app.sync=coarse", "balance_of(b, transfer->to)", "balance_of(b, transfer->from)", "balance["},
        {"atm", "app.sync=serial", "ATOMICALLY_ALONE(", "b->locks[1] = 1; ATOMICALLY_ALONE(", "locks[1]"},
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        expect_found(FUNCTIONAL, &plants[i], standard);
}
