/* SPDX-License-Identifier: MIT */
/*
 * The product of two sparse matrices, serially, a row at a time; of small ones also by all places of dense matrices, which both have
 * to agree. And what is compared with it: lists of nodes.
 *
 * If all products are whole numbers and none of their sums can reach 2^24, the sums of the device are exact in every order, and are compared to the
 * bit. Else a sum of n products may be off by n/2^24 of the sum of their absolute values (Higham 2002, section 4.2).
 */
#ifndef SPGEMM_REFERENCE_H
#define SPGEMM_REFERENCE_H

#include "inputs.h"
#include "lists.h"

#define EXACT_MAX 16777216.0 /* 2^24 */
#define SIGN_BIT 0x80000000u
#define INFINITE_FLOAT 0x7F800000u
#define SMALLEST_FLOAT 1.4012984643248171e-45 /* 2^-149: smaller ones are rounded by as much */
#define DENSE_MAX (1u << 20)                  /* products of places that the dense product may take */
#define UNWRITTEN 0xA5A5A5A5u                 /* of host_poisoned */

/* One place of a row of C. */
typedef struct entry {
    double sum, size;  /* of the products, and of their absolute values */
    uint32_t products; /* 0: the place is empty */
    uint32_t seen;     /* pairs of the device */
    double got;        /* their sum */
} entry;

typedef struct reference {
    const factors *factors;
    entry *row;       /* [columns of C]: the row that is being compared */
    uint32_t *places; /* [columns of C]: of the row, those that are not empty */
    uint32_t count;   /* of them */
    double *dense;    /* B; NULL: it is too large */
    uint32_t is_whole;
} reference;

static inline uint32_t all_whole(const sparse *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->value[i] >= 32768 || m->value[i] <= -32768 || m->value[i] != (float)(int32_t)m->value[i])
            return 0;
    return 1;
}

static inline reference reference_new(const factors *f)
{
    const uint32_t columns = f->b.across;
    reference r = {.factors = f,
                   .row = hd_host_alloc(columns * sizeof *r.row),
                   .places = hd_host_alloc(columns * sizeof *r.places),
                   .is_whole = all_whole(&f->a) && all_whole(&f->b)};
    if ((uint64_t)f->a.lines * f->a.across * columns > DENSE_MAX)
        return r;
    r.dense = hd_host_alloc((size_t)f->b.lines * columns * sizeof *r.dense);
    for (uint32_t line = 0; line < f->b.lines; line++)
        for (uint32_t i = f->b.first[line]; i < f->b.first[line + 1]; i++)
            r.dense[(size_t)line * columns + f->b.index[i]] = (double)f->b.value[i];
    return r;
}

static inline void compare_with_dense(const reference *r, uint32_t row)
{
    const sparse *a = &r->factors->a;
    const uint32_t columns = r->factors->b.across;
    double *dense_row = hd_host_alloc(a->across * sizeof *dense_row);
    for (uint32_t i = a->first[row]; i < a->first[row + 1]; i++)
        dense_row[a->index[i]] = (double)a->value[i];
    for (uint32_t column = 0; column < columns; column++) {
        double sum = 0;
        for (uint32_t k = 0; k < a->across; k++)
            sum += dense_row[k] * r->dense[(size_t)k * columns + column];
        hd_check(sum == r->row[column].sum, "the references differ at row %u, column %u", row, column);
    }
    hd_host_free(dense_row);
}

static inline void reference_row(reference *r, uint32_t row)
{
    const sparse *a = &r->factors->a, *b = &r->factors->b;
    for (uint32_t i = 0; i < r->count; i++)
        r->row[r->places[i]] = (entry){.products = 0};
    r->count = 0;
    for (uint32_t i = a->first[row]; i < a->first[row + 1]; i++)
        for (uint32_t j = b->first[a->index[i]]; j < b->first[a->index[i] + 1]; j++) {
            entry *e = &r->row[b->index[j]];
            const double product = (double)a->value[i] * (double)b->value[j];
            if (e->products++ == 0)
                r->places[r->count++] = b->index[j];
            e->sum += product;
            e->size += product < 0 ? -product : product;
        }
    if (r->dense)
        compare_with_dense(r, row);
}

static inline void check_entry(const reference *r, uint32_t row, uint32_t column)
{
    const entry *e = &r->row[column];
    const double off = e->got < e->sum ? e->sum - e->got : e->got - e->sum;
    const uint32_t is_exact = r->is_whole && e->size < EXACT_MAX;
    const double most = is_exact ? 0 : (e->size / EXACT_MAX + SMALLEST_FLOAT) * (double)e->products;
    /* Firmware prints no doubles: to the bit as floats. */
    const uint32_t got = host_bits_of((float)e->got), expected = host_bits_of((float)e->sum);
    const uint32_t is_beyond_floats = got == expected && (got & ~SIGN_BIT) == INFINITE_FLOAT;
    hd_check(off <= most || is_beyond_floats, "C[%u][%u] is 0x%08x, expected 0x%08x (float)", row, column, got,
             expected);
}

/* ---- Lists of nodes ------------------------------------------------------------------------------------------------------- */

/* What a list has to be like. */
typedef struct list_rules {
    const char *phase;
    uint32_t is_merged;  /* one node, each column once */
    uint32_t is_ordered; /* columns of a node ascend */
    uint32_t begin, top; /* of the words of the heap in which nodes are */
} list_rules;

typedef struct lists {
    const uint32_t *first; /* [rows] */
    uint32_t *heap;        /* words that have been looked at become UNWRITTEN */
    list_rules rules;
} lists;

static inline uint32_t take_word(lists *l, uint32_t word)
{
    const uint32_t value = l->heap[word];
    l->heap[word] = UNWRITTEN;
    return value;
}

/* Its pairs are counted in r->row. Returns the node behind it. */
static inline uint32_t check_node(lists *l, reference *r, uint32_t row, uint32_t node)
{
    const list_rules *rules = &l->rules;
    hd_check(node >= rules->begin && node + NODE_PAIRS < rules->top && node % 2 == 0,
             "%s, row %u: a node at word %u of the heap, which has nodes at %u to %u", rules->phase, row, node,
             rules->begin, rules->top);
    const uint32_t next = take_word(l, node + NODE_NEXT), length = take_word(l, node + NODE_LENGTH);
    hd_check(length && length <= (rules->top - node - NODE_PAIRS) / PAIR_WORDS,
             "%s, row %u: the node at word %u has %u pairs", rules->phase, row, node, length);
    for (uint32_t i = 0, least = 0; i < length; i++) {
        const uint32_t pair = node + NODE_PAIRS + PAIR_WORDS * i, column = take_word(l, pair + PAIR_COLUMN);
        const uint32_t bits = take_word(l, pair + PAIR_VALUE);
        float value;
        memcpy(&value, &bits, sizeof value);
        hd_check(column < r->factors->b.across && r->row[column].products, "%s, row %u: column %u should be empty",
                 rules->phase, row, column);
        hd_check(!rules->is_ordered || column >= least, "%s, row %u: column %u comes behind %u", rules->phase, row,
                 column, least - 1);
        least = column + 1;
        r->row[column].seen++;
        r->row[column].got += (double)value;
    }
    return next;
}

static inline void check_row(lists *l, reference *r, uint32_t row)
{
    reference_row(r, row);
    uint32_t nodes = 0;
    for (uint32_t node = l->first[row]; node; node = check_node(l, r, row, node))
        hd_check(++nodes == 1 || !l->rules.is_merged, "%s, row %u has more than one node", l->rules.phase, row);
    for (uint32_t i = 0; i < r->count; i++) {
        const entry *e = &r->row[r->places[i]];
        const uint32_t expected = l->rules.is_merged ? 1 : e->products;
        hd_check(e->seen == expected, "%s, row %u: column %u is there %u times, expected %u", l->rules.phase, row,
                 r->places[i], e->seen, expected);
        check_entry(r, row, r->places[i]);
    }
}

/* All rows, and that nothing else was written. Returns the elements of C. */
static inline uint32_t check_lists(lists *l, const factors *f)
{
    reference r = reference_new(f);
    uint32_t elements = 0;
    for (uint32_t row = 0; row < f->a.lines; row++) {
        check_row(l, &r, row);
        elements += r.count;
    }
    for (uint32_t word = l->rules.begin; word < l->rules.top; word++)
        hd_check(l->heap[word] == UNWRITTEN, "%s: word %u of the heap is 0x%08x, and belongs to no list",
                 l->rules.phase, word, l->heap[word]);
    hd_host_free(r.dense);
    hd_host_free(r.places);
    hd_host_free(r.row);
    return elements;
}

/* The same of lists in device memory. */
static inline uint32_t check_device_lists(hd_device_ptr first, hd_device_ptr heap, const factors *f,
                                          const list_rules *rules)
{
    uint32_t *words = hd_host_alloc(rules->top * sizeof(uint32_t));
    uint32_t *rows = host_download(first, f->a.lines * sizeof(uint32_t));
    hd_copy_from_device(words + rules->begin, hd_offset(heap, rules->begin * (uint32_t)sizeof(uint32_t)),
                        (rules->top - rules->begin) * sizeof(uint32_t));
    lists l = {.first = rows, .heap = words, .rules = *rules};
    const uint32_t elements = check_lists(&l, f);
    hd_host_free(words);
    hd_host_free(rows);
    return elements;
}

static inline void check_counters(hd_device_ptr counters, const uint32_t *expected, uint32_t count)
{
    uint32_t *got = host_download(counters, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        host_check_word("counters", i, got[i], expected[i]);
    hd_host_free(got);
}

#endif
