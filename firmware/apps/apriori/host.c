/* SPDX-License-Identifier: MIT */
#include "records_draw.h"
#include "records_read.h"

#define CANDIDATES_MAX (1u << 20) /* of one length */
#define PAD_WORDS (GRANULE_BYTES / sizeof(uint32_t))

typedef struct kernels {
    const char *generate;
    const char *count;
} kernels;

static const kernels kernels_of[] = {
    [HOST_TM] = {"apriori_generate_tm", "apriori_count_tm"},
    [HOST_LOCKS] = {"apriori_generate_locks", "apriori_count_locks"},
    [HOST_COARSE] = {"apriori_generate_coarse", "apriori_count_coarse"},
    [HOST_SERIAL] = {"apriori_generate_serial", "apriori_count_serial"},
};

/* ---- The serial run ------------------------------------------------------------------------------------------------------- */

/* The sets behind this one, up to here, differ from it in the last item only. */
static uint32_t join_end(const itemsets *sets, uint32_t set)
{
    const uint32_t *items = sets->item + set * sets->length;
    uint32_t end = set + 1;
    while (end < sets->count && !memcmp(items, sets->item + end * sets->length, (sets->length - 1) * sizeof(uint32_t)))
        end++;
    return end;
}

static itemsets join_sets(const itemsets *sets)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sets->count; i++)
        count += join_end(sets, i) - i - 1;
    hd_check(count <= CANDIDATES_MAX,
             "there are %llu candidates of %u items; it must be at most %u: the support is too low",
             (unsigned long long)count, sets->length + 1, CANDIDATES_MAX);
    itemsets joined = itemsets_new(sets->length + 1, (uint32_t)count);
    uint32_t *next = joined.item;
    for (uint32_t i = 0; i < sets->count; i++)
        for (uint32_t j = i + 1, end = join_end(sets, i); j < end; j++, next += joined.length) {
            memcpy(next, sets->item + i * sets->length, sets->length * sizeof(uint32_t));
            next[sets->length] = sets->item[j * sets->length + sets->length - 1];
        }
    return joined;
}

static uint32_t record_holds(const records *r, uint32_t record, const uint32_t *items, uint32_t length)
{
    uint32_t found = 0;
    for (uint32_t i = r->begin[record]; i < r->begin[record + 1] && found < length; i++)
        found += r->item[i] == items[found];
    return found == length;
}

static void count_serially(const records *r, itemsets *candidates)
{
    for (uint32_t i = 0; i < candidates->count; i++)
        for (uint32_t record = 0; record < r->count; record++)
            candidates->support[i] +=
                record_holds(r, record, candidates->item + i * candidates->length, candidates->length);
}

static itemsets frequent_of(const itemsets *candidates, uint32_t support)
{
    itemsets frequent = itemsets_new(candidates->length, candidates->count);
    frequent.count = 0;
    for (uint32_t i = 0; i < candidates->count; i++) {
        if (candidates->support[i] < support)
            continue;
        frequent.support[frequent.count] = candidates->support[i];
        memcpy(frequent.item + frequent.count++ * frequent.length, candidates->item + i * frequent.length,
               frequent.length * sizeof(uint32_t));
    }
    return frequent;
}

/* ---- One length on the device --------------------------------------------------------------------------------------------- */

typedef struct mining {
    const records *records;
    const kernels *kernels;
    apriori_args args;
    uint32_t is_padded;
    uint32_t block;
    uint32_t grid;
} mining;

static uint32_t words_of(const mining *m, uint32_t words)
{
    return m->is_padded ? (words + PAD_WORDS - 1) / PAD_WORDS * PAD_WORDS : words;
}

static void upload_sets(mining *m, const itemsets *sets)
{
    const size_t bytes = sets->count * sizeof(uint32_t);
    uint32_t *end = hd_host_alloc(bytes), *first = hd_host_alloc(bytes), candidates = 0;
    for (uint32_t i = 0; i < sets->count; i++) {
        end[i] = join_end(sets, i);
        first[i] = candidates;
        candidates += end[i] - i - 1;
    }
    m->args.set_count = sets->count;
    m->args.length = sets->length + 1;
    m->args.sets = host_upload(sets->item, bytes * sets->length);
    m->args.join_end = host_upload(end, bytes);
    m->args.first_candidate = host_upload(first, bytes);
    hd_host_free(first);
    hd_host_free(end);
}

static void run_length(mining *m, const itemsets *sets, uint32_t candidates)
{
    upload_sets(m, sets);
    m->args.node_words = words_of(m, NODE_FIELDS);
    m->args.candidate_words = words_of(m, CANDIDATE_ITEMS + m->args.length);
    m->args.nodes = host_filled(0, TREE_NODES * m->args.node_words * sizeof(uint32_t));
    m->args.candidates = host_filled(0, (size_t)candidates * m->args.candidate_words * sizeof(uint32_t));
    hd_wait(host_launch(m->kernels->generate, hd_1d(m->grid), hd_1d(m->block), 0, &m->args, sizeof m->args));
    host_launch(m->kernels->count, hd_1d(m->grid), hd_1d(m->block), MATCHES_MAX * m->block * sizeof(uint32_t), &m->args,
                sizeof m->args);
}

/* ---- The result ----------------------------------------------------------------------------------------------------------- */

typedef struct tree {
    const mining *mining;
    const itemsets *expected;
    const uint32_t *candidates;
    const uint32_t *nodes;
    uint8_t *seen; /* [expected->count] */
} tree;

static const uint32_t *candidate_at(const tree *t, uint32_t candidate)
{
    return t->candidates + (size_t)candidate * t->mining->args.candidate_words;
}

static const uint32_t *node_at(const tree *t, uint32_t node)
{
    return t->nodes + node * t->mining->args.node_words;
}

/* The leaf that a candidate belongs to. */
static uint32_t leaf_of(const tree *t, const uint32_t *items)
{
    uint32_t root = tree_root(items[0]);
    return node_at(t, root)[NODE_IS_SPLIT] ? tree_child(root, items[1]) : root;
}

/* All candidates of a leaf belong there, each once, in their order. */
static uint32_t check_leaf(const tree *t, uint32_t leaf)
{
    uint32_t length = 0, before = 0;
    for (uint32_t link = node_at(t, leaf)[NODE_FIRST]; link; link = candidate_at(t, link - 1)[CANDIDATE_NEXT]) {
        hd_check(link <= t->expected->count, "leaf %u: link %u is %u, there are %u candidates", leaf, length, link,
                 t->expected->count);
        hd_check(link > before, "leaf %u: candidate %u comes behind %u", leaf, link - 1, before - 1);
        uint32_t home = leaf_of(t, t->expected->item + (link - 1) * t->expected->length);
        hd_check(home == leaf, "candidate %u is in leaf %u, expected %u", link - 1, leaf, home);
        t->seen[link - 1] = 1;
        before = link;
        length++;
    }
    uint32_t noted = node_at(t, leaf)[NODE_COUNT];
    hd_check(noted == length, "leaf %u says that it has %u candidates, and has %u", leaf, noted, length);
    return length;
}

static void check_tree(const tree *t)
{
    for (uint32_t root = 0; root < TREE_ROOTS; root++) {
        uint32_t below = 0, is_split = node_at(t, root)[NODE_IS_SPLIT], own = check_leaf(t, root);
        for (uint32_t child = 0; child < TREE_CHILDREN; child++)
            below += check_leaf(t, tree_child(root, child));
        hd_check(is_split == (own + below > LEAF_CAPACITY) && !(is_split ? own : below),
                 "root %u has %u candidates and its children %u; it is %s", root, own, below,
                 is_split ? "split" : "a leaf");
    }
}

static void check_candidates(const tree *t)
{
    for (uint32_t i = 0; i < t->expected->count; i++) {
        const uint32_t *candidate = candidate_at(t, i), *items = t->expected->item + i * t->expected->length;
        hd_check(t->seen[i], "candidate %u is in no leaf, expected leaf %u", i, leaf_of(t, items));
        for (uint32_t j = 0; j < t->expected->length; j++)
            hd_check(candidate[CANDIDATE_ITEMS + j] == items[j], "candidate %u: item %u is %u, expected %u", i, j,
                     candidate[CANDIDATE_ITEMS + j], items[j]);
        hd_check(candidate[CANDIDATE_SUPPORT] == t->expected->support[i],
                 "candidate %u of %u items is in %u records, expected %u", i, t->expected->length,
                 candidate[CANDIDATE_SUPPORT], t->expected->support[i]);
    }
}

static void check_length(const mining *m, const itemsets *expected)
{
    const size_t candidate_bytes = (size_t)expected->count * m->args.candidate_words * sizeof(uint32_t);
    const size_t node_bytes = TREE_NODES * m->args.node_words * sizeof(uint32_t);
    uint32_t *candidates = hd_host_alloc(candidate_bytes), *nodes = hd_host_alloc(node_bytes), locks[TREE_ROOTS];
    hd_copy_from_device(candidates, m->args.candidates, candidate_bytes);
    hd_copy_from_device(nodes, m->args.nodes, node_bytes);
    hd_copy_from_device(locks, m->args.locks, sizeof locks);
    for (uint32_t i = 0; i < TREE_ROOTS; i++)
        host_check_word("locks", i, locks[i], 0);
    const tree t = {.mining = m,
                    .expected = expected,
                    .candidates = candidates,
                    .nodes = nodes,
                    .seen = hd_host_alloc(expected->count)};
    check_tree(&t);
    check_candidates(&t);
    hd_host_free(t.seen);
    hd_host_free(nodes);
    hd_host_free(candidates);
}

static void free_length(mining *m)
{
    hd_free(m->args.sets);
    hd_free(m->args.join_end);
    hd_free(m->args.first_candidate);
    hd_free(m->args.candidates);
    hd_free(m->args.nodes);
}

/* ---- All lengths ---------------------------------------------------------------------------------------------------------- */

static void mine(mining *m, uint32_t support)
{
    itemsets sets = records_frequent_pairs(m->records, support);
    uint32_t candidates = 0, frequent = 0;
    uint64_t counted = 0;
    hd_report("frequent_pairs", sets.count);
    for (;;) {
        itemsets joined = join_sets(&sets);
        if (!joined.count)
            break;
        run_length(m, &sets, joined.count);
        count_serially(m->records, &joined);
        check_length(m, &joined);
        free_length(m);
        for (uint32_t i = 0; i < joined.count; i++)
            counted += joined.support[i];
        candidates += joined.count;
        itemsets_free(&sets);
        sets = frequent_of(&joined, support);
        frequent += sets.count;
        itemsets_free(&joined);
    }
    hd_report("candidates", candidates);
    hd_report("counted", counted);
    hd_report("frequent", frequent);
    hd_report("longest", sets.length);
}

int hd_app_main(void)
{
    const uint32_t form = host_form(hd_option_text("sync", "locks"));
    const char *file = hd_option_text("input", "");
    const uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    const uint32_t count = host_option("records", 200, 1, RECORDS_MAX), items = host_option("items", 200, 1, ITEMS_MAX);
    const uint32_t mean = host_option("mean", 10, 1, 100), support = host_option("support", 400, 1, 10000);
    const uint32_t block = host_option("block", 64, 1, 256), grid = host_option("grid", 112, 1, 1u << 20);
    uint64_t random = hd_option("seed", 1);
    const records r = *file ? records_read(file) : records_draw(count, items, mean, &random);

    mining m = {.records = &r,
                .kernels = &kernels_of[form],
                .args = {.record_count = r.count},
                .is_padded = is_padded,
                .block = form == HOST_SERIAL ? 1 : block,
                .grid = form == HOST_SERIAL ? 1 : grid};
    m.args.records = host_upload(r.item, (r.begin[r.count] + 1) * sizeof(uint32_t));
    m.args.record_begin = host_upload(r.begin, (r.count + 1) * sizeof(uint32_t));
    m.args.locks = host_filled(0, TREE_ROOTS * sizeof(uint32_t));
    mine(&m, (uint32_t)(((uint64_t)r.count * support + 9999) / 10000));
    return HD_PASS;
}
