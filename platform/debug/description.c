/* SPDX-License-Identifier: MIT */
/* The description of a target as gdb reads it. With an operating system, as which a gdb takes Linux if it is not told, it would step
 * by breakpoints of its own, which other threads run into. */
#include "session_internal.h"

#include <stdlib.h>

#include "text.h"

char *describe_target(const debug_target *target)
{
    hd_text text = {0};
    const char *feature = NULL;
    hd_text_add(&text,
                "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
                "<architecture>%s</architecture><osabi>none</osabi>\n",
                target->architecture);
    for (uint32_t i = 0; i < target->register_count; i++) {
        const target_register *r = &target->registers[i];
        if (!feature || strcmp(feature, r->feature) != 0)
            hd_text_add(&text, "%s<feature name=\"%s\">\n", feature ? "</feature>" : "", r->feature);
        feature = r->feature;
        hd_text_add(&text, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>\n", r->name, 8 * r->bytes,
                    r->type, i);
    }
    hd_text_add(&text, "%s</target>\n", feature ? "</feature>" : "");
    return hd_text_take(&text);
}
