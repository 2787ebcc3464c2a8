/* SPDX-License-Identifier: MIT */
#include "ddos.h"

#include "history.h"
#include "prediction.h"

const hd_parameter ddos_parameters[DDOS_PARAMETERS] = {
    [DDOS_HASH] = {.name = "hash",
                   .type = HD_TYPE_CHOICE,
                   .standard = "xor",
                   .choices = SPIN_HASHES,
                   .doc = "of a place or a value: all its bits folded by exclusive or, or the lowest ones"},
    [DDOS_PATH_BITS] = {.name = "path_bits",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "8",
                        .minimum = 2,
                        .maximum = 11,
                        .doc = "of the hash of a compare's place in the kernel"},
    [DDOS_VALUE_BITS] = {.name = "value_bits",
                         .type = HD_TYPE_UNSIGNED,
                         .standard = "8",
                         .minimum = 2,
                         .maximum = 11,
                         .doc = "of the hash of each operand"},
    [DDOS_LENGTH] = {.name = "length",
                     .type = HD_TYPE_UNSIGNED,
                     .standard = "8",
                     .minimum = 1,
                     .maximum = HISTORY_LENGTH_MAX,
                     .doc = "compares in a history"},
    [DDOS_REACH] = {.name = "reach",
                    .type = HD_TYPE_CHOICE,
                    .standard = "last",
                    .choices = "last|before_last",
                    .doc = "oldest compare of a history that the newest one is compared with: of loops with length - 1 "
                           "compares each, or length - 2"},
    [DDOS_THRESHOLD] = {.name = "threshold",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "4",
                        .minimum = 1,
                        .maximum = 255,
                        .doc = "how much more often spinning warps must take a branch than others until it is known"},
    [DDOS_ENTRIES] = {.name = "entries",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "16",
                      .minimum = 1,
                      .maximum = PREDICTION_ENTRIES_MAX,
                      .doc = "branches in the prediction table"},
    [DDOS_HISTORIES] = {.name = "histories",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "0",
                        .minimum = 0,
                        .maximum = 256,
                        .doc = "that warps take turns at; 0: each has its own"},
    [DDOS_EPOCH] = {.name = "epoch",
                    .type = HD_TYPE_UNSIGNED,
                    .unit = HD_UNIT_CYCLES,
                    .standard = "1000 cycles",
                    .minimum = 1,
                    .maximum = 1000000,
                    .doc = "with histories: a warp has one for more than so long, then whoever compares next"},
    [DDOS_FOREIGN] = {.name = "foreign",
                      .type = HD_TYPE_CHOICE,
                      .standard = "clear",
                      .choices = "clear|skip",
                      .doc =
                          "a compare in which the lane that is looked at takes no part: the history begins anew with "
                          "another lane, or the compare is ignored while that lane runs"},
    [DDOS_TAKEN] = {.name = "taken",
                    .type = HD_TYPE_CHOICE,
                    .standard = "any",
                    .choices = "any|lowest",
                    .doc = "whose going back counts: that of any lane, or of the lowest of the branch"},
};

static uint32_t bits_for(uint64_t values)
{
    uint32_t bits = 0;
    while ((UINT64_C(1) << bits) < values)
        bits++;
    return bits;
}

uint64_t ddos_history_bits(const hd_value *values, uint64_t warps)
{
    const uint64_t sets = values[DDOS_HISTORIES].u ? values[DDOS_HISTORIES].u : warps;
    return sets * values[DDOS_LENGTH].u * (values[DDOS_PATH_BITS].u + 2 * values[DDOS_VALUE_BITS].u);
}

/* A pc of 32 bits, the confidence below the threshold, and whether it is known. */
uint64_t ddos_table_bits(const hd_value *values)
{
    return values[DDOS_ENTRIES].u * (32 + bits_for(values[DDOS_THRESHOLD].u) + 1);
}
