/* SPDX-License-Identifier: MIT */
/* The two matrices that are multiplied: of files, drawn, or the example of Beaumont 2019, section 4.3. */
#ifndef SPGEMM_INPUTS_H
#define SPGEMM_INPUTS_H

#include "common/matrix_market.h"
#include "common/sparse_draw.h"
#include "common/transactional.h"

#define PRODUCTS_MAX (1u << 27) /* a heap of them is 1 GiB */

typedef struct factors {
    sparse a, b;       /* by rows */
    uint64_t products; /* of an element of A and one of B */
} factors;

/* Products of a row of A with rows of B. */
static inline uint64_t products_of(const factors *f, uint32_t row)
{
    uint64_t products = 0;
    for (uint32_t i = f->a.first[row]; i < f->a.first[row + 1]; i++)
        products += f->b.first[f->a.index[i] + 1] - f->b.first[f->a.index[i]];
    return products;
}

static inline sparse example(const uint32_t (*elements)[3])
{
    sparse_elements e = sparse_elements_new(3, 3, 4);
    for (uint32_t i = 0; i < 4; i++)
        sparse_elements_put(&e, elements[i][0], elements[i][1], (float)elements[i][2]);
    const sparse m = sparse_of(&e);
    sparse_elements_free(&e);
    return m;
}

static inline void factors_draw(factors *f, uint32_t kind, const sparse_shape *shape, uint64_t random)
{
    static const uint32_t a[4][3] = {{0, 0, 1}, {0, 2, 2}, {1, 1, 3}, {2, 0, 4}};
    static const uint32_t b[4][3] = {{0, 1, 5}, {1, 0, 6}, {2, 1, 7}, {2, 2, 8}};
    const uint32_t is_example = kind > SPARSE_DIAGONAL;
    f->a = is_example ? example(a) : sparse_drawn(shape, &random);
    f->b = is_example ? example(b) : sparse_drawn(shape, &random);
}

static inline void factors_read(factors *f, const char *file, const char *second)
{
    f->a = market_read(file);
    f->b = *second ? market_read(second) : f->a;
    hd_check(f->a.across == f->b.lines, "%s has %u columns, and %s has %u rows: they cannot be multiplied", file,
             f->a.across, *second ? second : file, f->b.lines);
}

static inline factors factors_of_options(void)
{
    static const char *const kinds[] = {SPARSE_KIND_NAMES, "example"};
    const char *file = hd_option_text("input", ""), *second = hd_option_text("second", "");
    const uint32_t kind = HOST_CHOICE("matrix", hd_option_text("matrix", "rmat"), kinds);
    const sparse_shape shape = {.kind = (enum sparse_kind)kind,
                                .size = host_option("size", 512, 1, MARKET_SIDE_MAX),
                                .elements = host_option("elements", 2048, 0, MARKET_ELEMENTS_MAX),
                                .band = host_option("band", 8, 0, 1u << 20)};
    const uint64_t random = hd_option("seed", 1);
    factors f = {.products = 0};
    hd_check(*file || !*second, "option second is '%s', and there is no input", second);
    if (*file)
        factors_read(&f, file, second);
    else
        factors_draw(&f, kind, &shape, random);
    for (uint32_t row = 0; row < f.a.lines; row++)
        f.products += products_of(&f, row);
    hd_check(f.products <= PRODUCTS_MAX, "there are %llu products of elements; it must be at most %u",
             (unsigned long long)f.products, PRODUCTS_MAX);
    return f;
}

#endif
