/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strsep */
#include "refusals.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* The block whose instance the line begins with, as "NAME: what it says"; *said: what it says. NETLIST_NONE: it is not of a block,
 * or of a model of a plug-in, which has no parameters of the netlist's to refuse. */
static uint32_t block_that_says(const netlist *list, const char *line, const char **said)
{
    char name[256];
    for (uint32_t block = 0; block < list->block_count; block++)
        for (uint32_t i = 0; list->blocks[block].block_class->create && i < list->blocks[block].count; i++) {
            const size_t length = strlen(netlist_instance_name(list, block, i, name, sizeof name));
            if (!strncmp(line, name, length) && !strncmp(line + length, ": ", 2)) {
                *said = line + length + 2;
                return block;
            }
        }
    return NETLIST_NONE;
}

static void add_line(const netlist *list, const char *line, hd_text *text)
{
    const char *said;
    const uint32_t block = block_that_says(list, line, &said);
    if (block == NETLIST_NONE) {
        hd_text_add(text, "%s\n", line);
        return;
    }
    char *refusal = netlist_refusal(list, block, said);
    hd_text_add(text, "%s", refusal);
    free(refusal);
}

char *refusals_at_their_blocks(const netlist *list, const char *lines)
{
    const char *said;
    if (block_that_says(list, lines, &said) == NETLIST_NONE)
        return NULL;
    hd_text text = {0};
    char *own = strdup(lines), *rest = own;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line)
            add_line(list, line, &text);
    free(own);
    return hd_text_take(&text);
}
