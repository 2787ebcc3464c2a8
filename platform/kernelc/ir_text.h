/* SPDX-License-Identifier: MIT */
/* Pieces of LLVM's text. */
#ifndef KERNELC_IR_TEXT_H
#define KERNELC_IR_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"

typedef struct ir_piece {
    const char *text; /* not terminated */
    size_t bytes;
} ir_piece;

typedef struct ir_list {
    ir_piece *items;
    uint32_t count;
} ir_list;

/* The pieces between commas that are in no brackets and no quotes, without spaces around them. */
ir_list ir_split(arena *memory, ir_piece text);
/* What is between the first bracket in the piece, which is one of ( [ { <, and the one that closes it; text NULL: there is none. */
ir_piece ir_bracketed(ir_piece text, char bracket);
/* The first place of a word in it; NULL: none. */
const char *ir_find(ir_piece text, const char *word);
ir_piece ir_from(ir_piece text, const char *at);
int ir_starts_with(ir_piece text, const char *word);
int ir_equals(ir_piece text, const char *word);
int ir_same(ir_piece one, ir_piece other);
char *ir_copy(arena *memory, ir_piece text);
/* Characters of names. */
int ir_is_of_name(char c);
/* The name at the place, which begins with @ or %. */
ir_piece ir_name_at(const char *at, const char *end);

/* Takes the next line off the text, without its end. 0: there are no more. */
int ir_next_line(ir_piece *text, ir_piece *line);

/* Numbers from here on are those of nodes that are added to a program. */
#define IR_NODES_MAX 90000000u

/* Lines "!12 = ..." of the program by their numbers. */
typedef struct ir_metadata {
    ir_piece *nodes; /* what is behind "= " */
    uint32_t count;
} ir_metadata;

ir_metadata ir_metadata_of(arena *memory, ir_piece text);
/* "!12" -> its node; empty if there is none. */
ir_piece ir_node(const ir_metadata *metadata, ir_piece reference);
/* The node that follows a word in the piece: "!dbg " in "... !dbg !12 {". */
ir_piece ir_node_after(const ir_metadata *metadata, ir_piece text, const char *word);

#endif
