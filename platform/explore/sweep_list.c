/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>

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

size_t sweep_list_errors(const char *pattern, enum netlist_format format, FILE *out)
{
    static const char *const titles[] = {"Error", "Meaning"};
    arena memory = {0};
    table rows = {.memory = &memory, .titles = titles, .columns = 2};
    const char *meaning;
    for (uint32_t number = 1; (meaning = sweep_error_meaning(number)); number++) {
        const char *name = netlist_format(&memory, "S%02u", number);
        if (!pattern || !fnmatch(pattern, name, 0))
            TABLE_ROW(&rows, name, meaning);
    }
    table_write(&rows, NULL, "", format, out);
    netlist_arena_free(&memory);
    return rows.rows;
}
