/* SPDX-License-Identifier: MIT */
/*
 * What transactions take of a core's memories (Villegas et al., GPU-LocalTM, §4): of the scratchpad, if blocks declare as much as fits,
 * and of the register files. Nothing is built for them, so there is no area.
 */
#include "tx/local/local.h"

#define ROW_BITS 32u             /* of a bank */
#define TURN_BITS (2u + 6u + 2u) /* of a wavefront: mode, lane that runs by itself, attempts in a row */
#define PAPER_DATA_BYTES 29126   /* of 64 KiB */
#define PAPER_OWNER_BYTES 7282
#define PAPER_STATE_BYTES (228 * 4) /* DCD: vector registers */
#define PAPER_MASK_BYTES (8 * 4)    /* scalar registers of a work-group of four wavefronts */

/* parameter: bytes of the scratchpad; other: banks. */
static uint64_t data_rows(const hd_structure_use *use)
{
    return shadow_rows_in((uint32_t)(use->parameter / (4 * use->other)));
}

static double backup_bytes(const hd_structure_use *use)
{
    return (double)(data_rows(use) * 4 * use->other * use->count);
}

static double owner_bytes(const hd_structure_use *use)
{
    const uint64_t rows = data_rows(use);
    return (double)((shadow_rows_taken(rows) - 2 * rows) * 4 * use->other * use->count);
}

static double state_bytes(const hd_structure_use *use)
{
    const uint64_t bits = use->values[LOCAL_DETECTION].u == OWNERSHIP_DCD ? 1 : 2;
    return (double)((data_rows(use) * bits + ROW_BITS - 1) / ROW_BITS * 4 * use->other * use->count);
}

/* parameter: lanes; other: warps. */
static double mask_bytes(const hd_structure_use *use)
{
    return (double)(use->parameter * use->other * use->count) / 8;
}

static double turn_bytes(const hd_structure_use *use)
{
    return (double)((2 * use->parameter + TURN_BITS) * use->other * use->count) / 8;
}

/* parameter: registers. */
static double copy_bytes(const hd_structure_use *use)
{
    return use->values[LOCAL_CHECKPOINT].u == LOCAL_CHECKPOINT_SHADOW ? (double)(use->parameter / 2 * 4 * use->count)
                                                                      : 0;
}

#define STRUCTURE(text, paper, block_parameter, other_parameter, function)                                             \
    {                                                                                                                  \
        .name = text, .source = "Villegas et al., GPU-LocalTM, §4", .reference_bytes = paper, .megahertz = 1,          \
        .parameter = block_parameter, .other = other_parameter, .bytes = function                                      \
    }
#define NOT_COUNTED 1 /* by the paper */

const hd_structure local_structures[LOCAL_STRUCTURES] = {
    STRUCTURE("backups in the scratchpad", PAPER_DATA_BYTES, "scratchpad.bytes", "scratchpad.banks", backup_bytes),
    STRUCTURE("owners in the scratchpad", PAPER_OWNER_BYTES, "scratchpad.bytes", "scratchpad.banks", owner_bytes),
    STRUCTURE("states of words in vector registers", PAPER_STATE_BYTES, "scratchpad.bytes", "scratchpad.banks",
              state_bytes),
    STRUCTURE("masks of conflicts in scalar registers", PAPER_MASK_BYTES, "lanes", "warps", mask_bytes),
    STRUCTURE("masks and turns of attempts", NOT_COUNTED, "lanes", "warps", turn_bytes),
    STRUCTURE("copies of registers in the register file", NOT_COUNTED, "registers", NULL, copy_bytes),
};
