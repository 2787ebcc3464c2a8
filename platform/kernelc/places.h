/* SPDX-License-Identifier: MIT */
/* Where in the user's source something of LLVM's text comes from. */
#ifndef KERNELC_PLACES_H
#define KERNELC_PLACES_H

#include "ir_text.h"

/* "program.cl:12" of a line with "!dbg !34"; without the number if the line does not say. fallback: the file if it does not say either. */
const char *place_of(arena *memory, const ir_metadata *metadata, ir_piece line, const char *fallback);
/* Likewise of a node that has file and line itself. */
const char *place_of_node(arena *memory, const ir_metadata *metadata, ir_piece node, const char *fallback);
/* filename: "program.cl" of the file of a node. */
const char *file_of_node(arena *memory, const ir_metadata *metadata, ir_piece node, const char *fallback);

#endif
