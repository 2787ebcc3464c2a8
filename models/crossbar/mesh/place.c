/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>

#include "mesh.h"

/* One entry, "7" or "0-3". Returns where it ends; NULL: it is none. */
static const char *read_entry(const char *text, unsigned long *first, unsigned long *last)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return NULL;
    *first = *last = strtoul(text, &end, 10);
    if (*end != '-')
        return end;
    if (!isdigit((unsigned char)end[1]))
        return NULL;
    *last = strtoul(end + 1, &end, 10);
    return *last < *first ? NULL : end;
}

static const char *skip_separators(const char *text)
{
    while (*text == ' ' || *text == ',')
        text++;
    return text;
}

uint32_t mesh_list_length(const char *list, uint32_t nodes, const char **error)
{
    uint32_t length = 0;
    unsigned long first, last;
    const char *at = skip_separators(list);
    if (!*at)
        return nodes;
    for (; *at; at = skip_separators(at)) {
        at = read_entry(at, &first, &last);
        *error = !at             ? "is not a list of nodes like '0-3, 7'"
                 : last >= nodes ? "names a node that the mesh does not have"
                                 : NULL;
        if (*error)
            return 0;
        length += (uint32_t)(last - first + 1);
    }
    return length;
}

uint32_t mesh_list_node(const char *list, uint32_t nodes, uint32_t element)
{
    const char *error;
    uint32_t left = element % mesh_list_length(list, nodes, &error);
    unsigned long first, last;
    const char *at = skip_separators(list);
    if (!*at)
        return left;
    for (; (at = read_entry(at, &first, &last)); at = skip_separators(at)) {
        if (left <= last - first)
            return (uint32_t)first + left;
        left -= (uint32_t)(last - first + 1);
    }
    return 0;
}
