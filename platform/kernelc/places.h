/* SPDX-License-Identifier: MIT */
/* Where in the user's source something of LLVM's text comes from. */
#ifndef KERNELC_PLACES_H
#define KERNELC_PLACES_H

#include "ir_text.h"

/* "program.cl:12" of a line with "!dbg !34"; without the number if the line does not say. fallback: the file if it does not say either. */
const char *place_of(arena *memory, const ir_metadata *metadata, ir_piece line, const char *fallback);

#endif
