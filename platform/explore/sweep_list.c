/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>

#include "store_errors.h"
#include "sweep.h"
#include "table.h"

const char *sweep_error_meaning(uint32_t number)
{
    static const char *const meanings[] = {
#define SWEEP_ERROR(number, name, meaning) [number] = meaning,
#include "errors.def"
#undef SWEEP_ERROR
    };
    return number < sizeof meanings / sizeof *meanings ? meanings[number] : NULL;
}

static void list(const char *pattern, char letter, const char *(*meaning_of)(uint32_t), table *rows)
{
    const char *meaning;
    for (uint32_t number = 1; (meaning = meaning_of(number)); number++) {
        const char *name = arena_format(rows->memory, "%c%02u", letter, number);
        if (!pattern || !fnmatch(pattern, name, 0))
            TABLE_ROW(rows, name, meaning);
    }
}

size_t sweep_list_errors(const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Error", "Meaning"};
    arena memory = {0};
    table rows = {.memory = &memory, .titles = titles, .columns = 2};
    list(pattern, 'S', sweep_error_meaning, &rows);
    list(pattern, 'R', store_error_meaning, &rows);
    table_write(&rows, NULL, "", format, out);
    arena_free(&memory);
    return rows.rows;
}
