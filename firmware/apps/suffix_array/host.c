/* SPDX-License-Identifier: MIT */
/* The reference is a suffix automaton: it reads each query once, base by base, and sorts nothing. */
#include "args.h"
#include "common/host_dna.h"

/* A state stands for substrings of the text that end at the same places. */
typedef struct state {
    uint32_t next[HOST_DNA_BASES]; /* 0: none, as nothing leads to the first state */
    uint32_t suffix;               /* the state of the longest suffix that ends elsewhere, too; of the first itself */
    uint32_t length;               /* of the longest substring */
} state;

typedef struct automaton {
    state *states;
    uint32_t count;
} automaton;

/* A copy of the state for its substrings up to this length, which end at more places than the longer ones. */
static uint32_t state_split(automaton *a, uint32_t from, uint32_t base, uint32_t split)
{
    uint32_t copy = a->count++;
    a->states[copy] = a->states[split];
    a->states[copy].length = a->states[from].length + 1;
    a->states[split].suffix = copy;
    for (; a->states[from].next[base] == split; from = a->states[from].suffix) {
        a->states[from].next[base] = copy;
        if (from == 0)
            break;
    }
    return copy;
}

/* Appends a base to the text. last: the state of the whole text; returns the new one. */
static uint32_t state_append(automaton *a, uint32_t last, uint32_t base)
{
    uint32_t added = a->count++, from = last;
    a->states[added] = (state){.length = a->states[last].length + 1};
    while (!a->states[from].next[base]) {
        a->states[from].next[base] = added;
        if (from == 0)
            return added;
        from = a->states[from].suffix;
    }
    uint32_t to = a->states[from].next[base];
    a->states[added].suffix = a->states[to].length == a->states[from].length + 1 ? to : state_split(a, from, base, to);
    return added;
}

static automaton automaton_of(const uint8_t *text, uint32_t length)
{
    automaton a = {.states = hd_host_alloc(2 * ((size_t)length + 1) * sizeof(state)), .count = 1};
    a.states[0] = (state){.length = 0};
    uint32_t last = 0;
    for (uint32_t i = 0; i < length; i++)
        last = state_append(&a, last, text[i]);
    return a;
}

static uint32_t reference(const automaton *a, const uint8_t *query, uint32_t length)
{
    uint32_t at = 0, matched = 0, longest = 0;
    for (uint32_t i = 0; i < length; i++) {
        while (at && !a->states[at].next[query[i]]) {
            at = a->states[at].suffix;
            matched = a->states[at].length;
        }
        if (a->states[at].next[query[i]]) {
            at = a->states[at].next[query[i]];
            matched++;
        }
        if (matched > longest >> 16)
            longest = matched << 16 | (i + 1 - matched);
    }
    return longest;
}

static uint32_t is_before(const uint8_t *text, uint32_t length, uint32_t a, uint32_t b)
{
    while (a < length && b < length && text[a] == text[b]) {
        a++;
        b++;
    }
    return b < length && (a == length || text[a] < text[b]);
}

/* By merging sorted halves. */
static void sort_suffixes(const uint8_t *text, uint32_t length, uint32_t *suffixes, uint32_t *spare, uint32_t count)
{
    if (count < 2)
        return;
    uint32_t half = count / 2, left = 0, right = half;
    sort_suffixes(text, length, suffixes, spare, half);
    sort_suffixes(text, length, suffixes + half, spare, count - half);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t is_left = right == count || (left < half && is_before(text, length, suffixes[left], suffixes[right]));
        spare[i] = is_left ? suffixes[left++] : suffixes[right++];
    }
    memcpy(suffixes, spare, count * sizeof *suffixes);
}

int hd_app_main(void)
{
    uint32_t length = host_option("length", 2048, 1, 1u << 20);
    uint32_t queries = host_option("queries", 192, 1, 1u << 20);
    uint32_t query_length = host_option("query_length", 16, 1, 1024);
    uint32_t errors = host_option("errors", 4, 0, 100);
    uint32_t block = host_option("block", 192, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    uint8_t *text = hd_host_alloc(length), *bases = hd_host_alloc((size_t)queries * query_length);
    uint32_t *suffixes = hd_host_alloc(length * sizeof *suffixes), *spare = hd_host_alloc(length * sizeof *spare);
    host_dna_random(text, length, &random);
    for (uint32_t i = 0; i < length; i++)
        suffixes[i] = i;
    sort_suffixes(text, length, suffixes, spare, length);
    for (uint32_t i = 0; i < queries; i++)
        host_dna_query(bases + (size_t)i * query_length, query_length, errors, text, length, &random);

    suffix_array_args args = {.text = host_upload(text, length),
                              .suffixes = host_upload(suffixes, length * sizeof *suffixes),
                              .queries = host_upload(bases, (size_t)queries * query_length),
                              .matches = host_poisoned(queries * sizeof(uint32_t)),
                              .text_length = length,
                              .count = queries,
                              .length = query_length};
    host_launch("suffix_array", host_blocks(queries, block), hd_1d(block), 0, &args, sizeof args);

    const uint32_t *matches = host_download(args.matches, queries * sizeof(uint32_t));
    automaton a = automaton_of(text, length);
    for (uint32_t i = 0; i < queries; i++)
        host_check_word("matches", i, matches[i], reference(&a, bases + (size_t)i * query_length, query_length));
    hd_report("bases", (uint64_t)queries * query_length);
    return HD_PASS;
}
