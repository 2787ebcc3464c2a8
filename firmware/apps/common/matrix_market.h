/* SPDX-License-Identifier: MIT */
/*
 * Sparse matrices from files in the Matrix Market format (Boisvert, Pozo, Remington 1996): `coordinate`, with `real`, `integer` or
 * `pattern` elements (which are 1), `general`, `symmetric` or `skew-symmetric`. What is wrong with a file ends the app with an error that has its path
 * and the line.
 */
#ifndef COMMON_MATRIX_MARKET_H
#define COMMON_MATRIX_MARKET_H

#include "common/sparse.h"

#define MARKET_SIDE_MAX (1u << 24)
#define MARKET_ELEMENTS_MAX (1u << 26)

#ifndef __riscv /* firmware has no files */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct market {
    const char *path;
    FILE *file;
    uint32_t line; /* the last one that was read, from 1 */
    uint32_t is_integer;
    uint32_t is_pattern;
    float mirror;    /* 0: general, 1: symmetric, -1: skew-symmetric */
    char text[1025]; /* of that line; a line of the format has at most 1024 characters */
    const char *at;  /* what of it has not been read */
} market;

/* The next line that is no comment and not empty. 0 at the end of the file. */
static inline uint32_t market_next_line(market *m)
{
    do {
        if (!fgets(m->text, sizeof m->text, m->file))
            return 0;
        m->line++;
        hd_check(strchr(m->text, '\n') || feof(m->file), "%s: line %u is longer than 1023 characters", m->path,
                 m->line);
        m->at = m->text + strspn(m->text, " \t\r\n");
    } while (*m->at == '%' || !*m->at);
    return 1;
}

/* A word of the header, in small letters, for in the format they may be of either kind. */
static inline void market_word(market *m, char *word, size_t room)
{
    size_t length = 0;
    for (m->at += strspn(m->at, " \t"); *m->at && !strchr(" \t\r\n", *m->at) && length + 1 < room; m->at++)
        word[length++] = *m->at >= 'A' && *m->at <= 'Z' ? (char)(*m->at - 'A' + 'a') : *m->at;
    word[length] = 0;
}

static inline uint32_t market_choice(market *m, const char *what, const char *const *known, uint32_t count)
{
    char word[32], all[64] = "";
    market_word(m, word, sizeof word);
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(word, known[i]))
            return i;
        strcat(strcat(all, i ? ", " : ""), known[i]);
    }
    hd_fail("%s: line 1: %s is '%s'; it must be %s%s", m->path, what, word, count > 1 ? "one of " : "", all);
}

static inline void market_header(market *m)
{
    static const char *const objects[] = {"matrix"}, *const forms[] = {"coordinate"};
    static const char *const fields[] = {"real", "integer", "pattern"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    static const float mirrors[] = {0, 1, -1};
    m->line = 1;
    hd_check(fgets(m->text, sizeof m->text, m->file) && !strncmp(m->text, "%%MatrixMarket ", 15),
             "%s: line 1 does not begin with '%%%%MatrixMarket '", m->path);
    m->at = m->text + 15;
    market_choice(m, "the object", objects, 1);
    market_choice(m, "the form", forms, 1);
    const uint32_t field = market_choice(m, "the field", fields, 3);
    m->is_integer = field == 1;
    m->is_pattern = field == 2;
    m->mirror = mirrors[market_choice(m, "the symmetry", symmetries, 3)];
}

static inline uint32_t market_number(market *m, const char *what, uint32_t least, uint32_t most)
{
    char *end;
    m->at += strspn(m->at, " \t");
    const unsigned long long number = strtoull(m->at, &end, 10);
    if (*m->at < '0' || *m->at > '9' || !strchr(" \t\r\n", *end) || number < least || number > most) {
        char word[32];
        market_word(m, word, sizeof word);
        hd_fail("%s: line %u: %s is '%s'; it must be %u to %u", m->path, m->line, what, word, least, most);
    }
    m->at = end;
    return (uint32_t)number;
}

/* What comes next is a sign, or none, and digits. */
static inline uint32_t market_has_integer(const market *m)
{
    const char *at = m->at + strspn(m->at, " \t");
    at += *at == '-' || *at == '+';
    const size_t digits = strspn(at, "0123456789");
    return digits && strchr(" \t\r\n", at[digits]);
}

static inline float market_value(market *m)
{
    if (m->is_pattern)
        return 1;
    char *end;
    const float value = strtof(m->at, &end);
    if (end == m->at || !strchr(" \t\r\n", *end) || !isfinite(value) || (m->is_integer && !market_has_integer(m))) {
        char word[32];
        market_word(m, word, sizeof word);
        hd_fail("%s: line %u: the value is '%s'; it must be %s that a float holds", m->path, m->line, word,
                m->is_integer ? "an integer" : "a number");
    }
    m->at = end;
    return value;
}

static inline void market_end_of_line(market *m)
{
    m->at += strspn(m->at, " \t\r\n");
    hd_check(!*m->at, "%s: line %u goes on with '%.*s'", m->path, m->line, (int)strcspn(m->at, "\r\n"), m->at);
}

static inline void market_element(market *m, sparse_elements *e)
{
    const uint32_t row = market_number(m, "the row", 1, e->rows) - 1;
    const uint32_t column = market_number(m, "the column", 1, e->columns) - 1;
    const float value = market_value(m);
    market_end_of_line(m);
    hd_check(m->mirror == 0 || column <= row,
             "%s: line %u: row %u, column %u is above the diagonal of a symmetric matrix", m->path, m->line, row + 1,
             column + 1);
    hd_check(m->mirror >= 0 || column < row, "%s: line %u: row %u is on the diagonal of a skew-symmetric matrix",
             m->path, m->line, row + 1);
    sparse_elements_put(e, row, column, value);
    if (m->mirror != 0 && row != column)
        sparse_elements_put(e, column, row, m->mirror * value);
}

static inline sparse_elements market_elements(market *m)
{
    hd_check(market_next_line(m), "%s ends after line %u, where rows, columns and elements should be", m->path,
             m->line);
    const uint32_t rows = market_number(m, "the number of rows", 1, MARKET_SIDE_MAX);
    const uint32_t columns = market_number(m, "the number of columns", 1, MARKET_SIDE_MAX);
    const uint32_t count = market_number(m, "the number of elements", 0, MARKET_ELEMENTS_MAX);
    market_end_of_line(m);
    hd_check(m->mirror == 0 || rows == columns, "%s: line %u: a symmetric matrix has %u rows and %u columns", m->path,
             m->line, rows, columns);
    sparse_elements e = sparse_elements_new(rows, columns, m->mirror == 0 ? count : 2 * count);
    for (uint32_t i = 0; i < count; i++) {
        hd_check(market_next_line(m), "%s ends after %u elements; it says that there are %u", m->path, i, count);
        market_element(m, &e);
    }
    hd_check(!market_next_line(m), "%s: line %u is behind all of the %u elements", m->path, m->line, count);
    return e;
}

/* As compressed sparse rows. */
static inline sparse market_read(const char *path)
{
    market m = {.path = path, .file = fopen(path, "rb")};
    hd_check(m.file, "%s cannot be read", path);
    market_header(&m);
    sparse_elements e = market_elements(&m);
    fclose(m.file);
    const sparse rows = sparse_of(&e);
    sparse_elements_free(&e);
    for (uint32_t row = 0; row < rows.lines; row++)
        for (uint32_t i = rows.first[row] + 1; i < rows.first[row + 1]; i++)
            hd_check(rows.index[i - 1] != rows.index[i], "%s: the element at row %u, column %u is there twice", path,
                     row + 1, rows.index[i] + 1);
    return rows;
}
#else
static inline sparse market_read(const char *path)
{
    hd_fail("%s: firmware has no files", path);
}
#endif

#endif
