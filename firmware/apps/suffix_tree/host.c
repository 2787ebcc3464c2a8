/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_dna.h"

typedef struct tree {
    uint8_t *text;
    suffix_tree_node *nodes;
    uint32_t length; /* with the end */
    uint32_t count;
} tree;

static uint32_t node_new(tree *t, uint32_t first, uint32_t end)
{
    t->nodes[t->count] = (suffix_tree_node){.first = first, .end = end};
    return t->count++;
}

/* Cuts the edge to a node in two before text[at]; the new node is above. */
static uint32_t edge_split(tree *t, uint32_t *link, uint32_t at)
{
    uint32_t below = *link, above = node_new(t, t->nodes[below].first, at);
    t->nodes[below].first = at;
    if (t->text[at] != SUFFIX_TREE_END)
        t->nodes[above].children[t->text[at]] = below;
    return *link = above;
}

/* Puts the suffix that begins there into the tree. */
static void suffix_insert(tree *t, uint32_t suffix)
{
    uint32_t node = 0;
    while (t->text[suffix] != SUFFIX_TREE_END) {
        uint32_t *link = &t->nodes[node].children[t->text[suffix]];
        if (!*link) {
            *link = node_new(t, suffix, t->length);
            return;
        }
        uint32_t at = t->nodes[*link].first, end = t->nodes[*link].end;
        while (at < end && t->text[suffix] != SUFFIX_TREE_END && t->text[at] == t->text[suffix]) {
            at++;
            suffix++;
        }
        node = at < end ? edge_split(t, link, at) : *link;
    }
}

static tree tree_of_random(uint32_t length, uint64_t *random)
{
    tree t = {.text = hd_host_alloc(length + 1),
              .nodes = hd_host_alloc((2 * (size_t)length + 1) * sizeof(suffix_tree_node)),
              .length = length + 1};
    host_dna_random(t.text, length, random);
    t.text[length] = SUFFIX_TREE_END;
    node_new(&t, 0, 0);
    for (uint32_t suffix = 0; suffix < length; suffix++)
        suffix_insert(&t, suffix);
    return t;
}

/* A match that the tree finds is one, and no longer one begins there: by comparing with the text alone. */
static void check_by_search(const tree *t, const uint8_t *query, uint32_t length, uint32_t match)
{
    uint32_t longest = 0;
    for (uint32_t start = 0; start < length; start++)
        for (uint32_t from = 0; from + 1 < t->length; from++) {
            uint32_t matched = 0;
            while (start + matched < length && query[start + matched] == t->text[from + matched])
                matched++;
            if (matched > longest >> 16)
                longest = matched << 16 | start;
        }
    host_check_word("longest match by search", 0, match, longest);
}

int hd_app_main(void)
{
    uint32_t length = host_option("length", 2048, 1, 1u << 20);
    uint32_t queries = host_option("queries", 512, 1, 1u << 20);
    uint32_t query_length = host_option("query_length", 25, 1, 1024);
    uint32_t errors = host_option("errors", 4, 0, 100);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    tree t = tree_of_random(length, &random);
    uint8_t *bases = hd_host_alloc((size_t)queries * query_length);
    for (uint32_t i = 0; i < queries; i++)
        host_dna_query(bases + (size_t)i * query_length, query_length, errors, t.text, length, &random);

    suffix_tree_args args = {.text = host_upload(t.text, t.length),
                             .nodes = host_upload(t.nodes, t.count * sizeof *t.nodes),
                             .queries = host_upload(bases, (size_t)queries * query_length),
                             .matches = host_poisoned(queries * sizeof(uint32_t)),
                             .count = queries,
                             .length = query_length};
    host_launch("suffix_tree", host_blocks(queries, block), hd_1d(block), 0, &args, sizeof args);

    const uint32_t *matches = host_download(args.matches, queries * sizeof(uint32_t));
    for (uint32_t i = 0; i < queries; i++)
        host_check_word("matches", i, matches[i],
                        suffix_tree_longest(t.text, t.nodes, bases + (size_t)i * query_length, query_length));
    check_by_search(&t, bases, query_length, matches[0]);
    hd_report("nodes", t.count);
    return HD_PASS;
}
