/* SPDX-License-Identifier: MIT */
/* What thread block compaction says about itself. */
#include "block_stack.h"
#include "likely.h"

static const hd_parameter parameters[BLOCK_STACK_PARAMETERS] = {
    [BLOCK_STACK_FIRST] = {.name = "first",
                           .type = HD_TYPE_CHOICE,
                           .standard = "taken",
                           .choices = "taken|not_taken|fewer",
                           .doc = "side of a branch that runs first"},
    [BLOCK_STACK_COMPACTION] = {.name = "compaction",
                                .type = HD_TYPE_BOOLEAN,
                                .standard = "true",
                                .doc = "false: threads run in the warps of the launch, for code that relies on them"},
    [BLOCK_STACK_STATIC_WHEN_NO_GAIN] = {.name = "static_when_no_gain",
                                         .type = HD_TYPE_BOOLEAN,
                                         .standard = "false",
                                         .doc = "the same where compacted warps would not be fewer"},
    [BLOCK_STACK_RESUME_WHEN_UNIFORM] = {.name = "resume_when_uniform",
                                         .type = HD_TYPE_BOOLEAN,
                                         .standard = "false",
                                         .doc = "threads that have all gone one way go on as the warps that they are, "
                                                "without the compactor"},
    [BLOCK_STACK_DRAIN] = {.name = "drain",
                           .type = HD_TYPE_BOOLEAN,
                           .standard = "true",
                           .doc = "a warp arrives when no register of its threads is awaited any more"},
    [BLOCK_STACK_COMPACTORS] = {.name = "compactors",
                                .type = HD_TYPE_UNSIGNED,
                                .standard = "1",
                                .minimum = 1,
                                .maximum = MAX_WARPS,
                                .doc = "of a core, each for a block at a time"},
    [BLOCK_STACK_COMPACTOR_WARPS] = {.name = "compactor.warps",
                                     .type = HD_TYPE_UNSIGNED,
                                     .standard = "1",
                                     .minimum = 1,
                                     .maximum = MAX_WARPS,
                                     .doc = "that one makes in a cycle"},
    [BLOCK_STACK_COMPACTOR_LATENCY] = {.name = "compactor.latency",
                                       .type = HD_TYPE_UNSIGNED,
                                       .unit = HD_UNIT_CYCLES,
                                       .standard = "1 cycle",
                                       .minimum = 1,
                                       .maximum = 1000,
                                       .doc = "from the last arrival to the first warp"},
    [BLOCK_STACK_ARRIVALS] = {.name = "arrivals",
                              .type = HD_TYPE_UNSIGNED,
                              .standard = "1",
                              .minimum = 1,
                              .maximum = MAX_WARPS,
                              .doc = "of warps that the branch unit takes in a cycle"},
    [BLOCK_STACK_ENTRIES] = {.name = "entries",
                             .type = HD_TYPE_UNSIGNED,
                             .standard = "16",
                             .minimum = 1,
                             .maximum = 4096,
                             .doc = "of a block's stack in the core; those below are spilled to memory"},
    [BLOCK_STACK_FILL_LATENCY] = {.name = "fill_latency",
                                  .type = HD_TYPE_UNSIGNED,
                                  .unit = HD_UNIT_CYCLES,
                                  .standard = "400 cycles",
                                  .maximum = 100000,
                                  .doc = "until an entry is back that has been spilled"},
    LIKELY_PARAMETERS(BLOCK_STACK_LIKELY_POINTS, BLOCK_STACK_BRANCH_PROFILE),
};

#define COUNT(statistic, called, counted, text)                                                                        \
    [statistic] = {.name = "block_stack_" called, .unit = counted, .kind = HD_STATISTIC_COUNT, .doc = text}

static const hd_statistic statistics[BLOCK_STACK_STATISTICS] = {
    COUNT(BLOCK_STACK_SYNCHRONISATIONS, "synchronisations", "synchronisations",
          "times that all warps of a block had arrived"),
    COUNT(BLOCK_STACK_UNIFORM, "uniform", "synchronisations", "those of them in which all threads went one way"),
    COUNT(BLOCK_STACK_WAIT_CYCLES, "wait_cycles", "warp-cycles", "from a warp's arrival to that of the last one"),
    COUNT(BLOCK_STACK_WARPS_MADE, "warps_made", "warps", "by compactors"),
    COUNT(BLOCK_STACK_WARPS_SAVED, "warps_saved", "warps", "that the threads would have filled besides, uncompacted"),
    COUNT(BLOCK_STACK_COMPACTOR_CYCLES, "compactor_cycles", "cycles", "in which a compactor made warps"),
    COUNT(BLOCK_STACK_SPILLS, "spills", "entries", "of stacks that went to memory"),
    COUNT(BLOCK_STACK_FILLS, "fills", "entries", "of stacks that came back"),
};

static const hd_requirement requirements[] = {LIKELY_REQUIREMENTS};

/* Of stacks of a core, as Fung 2015 §3.7 builds them: masks of all its threads, and the rest for each block that it can have. */
#define PC_BITS 32u

static uint64_t bits_for(uint64_t values)
{
    uint64_t bits = 0;
    while (UINT64_C(1) << bits < values)
        bits++;
    return bits;
}

static double bytes_of(uint64_t bits, const hd_structure_use *cores)
{
    return (double)(bits * cores->count) / 8;
}

/* parameter: warps, other: lanes */
static double mask_bytes(const hd_structure_use *use)
{
    return bytes_of(use->values[BLOCK_STACK_ENTRIES].u * use->parameter * use->other, use);
}

/* parameter: warps, other: blocks; a pc, the one to reconverge at, and how many warps are on their way */
static double entry_bytes(const hd_structure_use *use)
{
    return bytes_of(use->other * use->values[BLOCK_STACK_ENTRIES].u * (2 * PC_BITS + bits_for(use->parameter + 1)),
                    use);
}

/* other: blocks; a pc and an entry's place */
static double likely_bytes(const hd_structure_use *use)
{
    const uint64_t entries = use->values[BLOCK_STACK_ENTRIES].u;
    return use->values[BLOCK_STACK_LIKELY_POINTS].u
               ? bytes_of(use->other * entries * (PC_BITS + bits_for(entries)), use)
               : 0;
}

/* parameter: warps, other: lanes; a thread's own warp, its lane is the one that it is in */
static double thread_bytes(const hd_structure_use *use)
{
    return bytes_of(use->parameter * use->other * bits_for(use->parameter), use);
}

#define STRUCTURE(text, of, by, bytes_function)                                                                        \
    {                                                                                                                  \
        .name = (text), .source = "Fung 2015 §3.7", .parameter = (of), .other = (by), .bytes = (bytes_function)        \
    }
static const hd_structure structures[] = {
    STRUCTURE("masks of block-wide stacks", "warps", "lanes", mask_bytes),
    STRUCTURE("pcs and counts of block-wide stacks", "warps", "blocks", entry_bytes),
    STRUCTURE("likely convergence points of block-wide stacks", "warps", "blocks", likely_bytes),
    STRUCTURE("threads of the warp buffer", "warps", "lanes", thread_bytes),
};

const hd_unit hd_reconvergence_block_stack = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, block_stack),
    .doc = "thread block compaction: a SIMT stack per block, whose threads on top form the fewest warps, each in its "
           "own lane",
    .source = "Fung 2015 §3.3",
    .parameter_count = BLOCK_STACK_PARAMETERS,
    .parameters = parameters,
    .statistic_count = BLOCK_STACK_STATISTICS,
    .statistics = statistics,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
    .structure_count = sizeof structures / sizeof *structures,
    .structures = structures,
};
