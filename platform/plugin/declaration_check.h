/* SPDX-License-Identifier: MIT */
/* Between the files that check a declaration: what is found, and what names and texts have to be. */
#ifndef HD_DECLARATION_CHECK_H
#define HD_DECLARATION_CHECK_H

#include <stddef.h>

#include "declaration.h"

typedef struct declaration_check {
    const hd_block_class *block_class;
    uint32_t foreign;
    hd_declaration_finding *find;
    void *context;
    uint32_t count;
} declaration_check;

/* One more finding. */
void declaration_find(declaration_check *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint32_t declaration_is_text(const char *text);
/* One line that can be shown and be written into a netlist. */
uint32_t declaration_is_line(const char *text);
void declaration_check_line(declaration_check *at, const char *text, const char *what);
/* How much of the text is words of letters, digits and underscores, joined by `joint` if that is one. */
size_t declaration_name_bytes(const char *text, const char *joint);
/* 0 after a finding, which does not show the name. */
uint32_t declaration_check_name(declaration_check *at, const char *text, const char *joint, const char *what,
                                uint32_t index);
/* No row before this one has its name. Rows of all tables begin with their name. */
void declaration_check_once(declaration_check *at, const void *table, size_t row_bytes, uint32_t index,
                            const char *what);

/* declaration_trace.c */
void declaration_check_trace_events(declaration_check *at);
/* declaration_energy.c: of the class, and of the units that it is composed of. */
void declaration_check_energy(declaration_check *at);

#endif
