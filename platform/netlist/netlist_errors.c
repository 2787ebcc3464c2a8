/* SPDX-License-Identifier: MIT */
#include "netlist_errors.h"

#include "netlist.h"

static const struct {
    uint32_t number;
    const char *meaning;
} meanings[] = {
#define NETLIST_ERROR(number, name, meaning) {number, meaning},
#include "errors.def"
#undef NETLIST_ERROR
};

const char *netlist_error_meaning(uint32_t number)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (meanings[i].number == number)
            return meanings[i].meaning;
    }
    return NULL;
}
