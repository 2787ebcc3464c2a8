/* SPDX-License-Identifier: MIT */
#include "listing_machine.h"

#include <string.h>

#include "analysis.h"
#include "rewrite.h"

void listing_print_asked(const char *machine, const hd_programs_asked *asked, FILE *out)
{
    fprintf(out, "machine  %s\n", machine);
    for (uint32_t i = 0; i < asked->transform_count; i++)
        fprintf(out, "change   %s: %s\n", asked->transforms[i]->name, asked->transforms[i]->doc);
    if (!asked->transform_count)
        fputs("change   none\n", out);
    for (uint32_t i = 0; i < asked->table_count; i++)
        fprintf(out, "table    %s: %s\n", asked->tables[i]->name, asked->tables[i]->doc);
    if (!asked->table_count)
        fputs("table    none\n", out);
}

static void print_value(const isa_program *program, const isa_analysis *table, uint32_t value, uint32_t pc, FILE *out)
{
    char text[512];
    if (!table->describe) {
        fprintf(out, "  0x%08x  0x%08x\n", pc, value);
        return;
    }
    const int length = table->describe(program, pc, text, sizeof text);
    fprintf(out, "  0x%08x  %s%s\n", pc, text, (size_t)length < sizeof text ? "" : "...");
}

/* Instructions stand at the words of the text, and some at odd places in them. */
static void print_table(const isa_program *program, const isa_analysis *table, const char *function, FILE *out)
{
    const uint32_t *values = isa_program_table(program, table->name);
    fprintf(out, "\n%s: %s\n", table->name, table->doc);
    for (uint32_t pc = program->text_address; pc < program->text_address + program->text_bytes; pc++) {
        uint32_t offset;
        const char *name = isa_program_symbol_at(program, pc & ~3u, &offset);
        if (!isa_program_at(program, pc) || (function && (!name || strcmp(name, function) != 0)))
            continue;
        const uint32_t value = isa_table_value(program, values, pc);
        if (value != table->none)
            print_value(program, table, value, pc, out);
    }
}

void listing_print_tables(const isa_program *program, const hd_programs_asked *asked, const char *function, FILE *out)
{
    for (uint32_t i = 0; i < asked->table_count; i++)
        print_table(program, asked->tables[i], function, out);
}
