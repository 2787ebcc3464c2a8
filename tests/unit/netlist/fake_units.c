/* SPDX-License-Identifier: MIT */
#include "fake_units.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

const hd_requirement fake_tx_requirements[FAKE_TX_REQUIREMENTS] = {
    {.what = HD_REQUIRES_CHOICE, .sentence = "needs a stack", .parameter = "reconvergence", .word = "stack"},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs 4 registers",
     .parameter = "registers",
     .minimum = 4,
     .maximum = UINT64_MAX},
    {.what = HD_REQUIRES_POWER_OF_TWO, .sentence = "needs banks in powers of two", .parameter = "scratchpad.banks"},
    {.what = HD_REQUIRES_MULTIPLE,
     .sentence = "needs as many words in each bank",
     .parameter = "scratchpad.bytes",
     .other = "scratchpad.banks",
     .minimum = 4},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "with global lines in the L1 needs 8 ways of it",
     .parameter = "l1.ways",
     .minimum = 8,
     .maximum = UINT64_MAX,
     .when = "l1.global",
     .when_word = "cache"},
    {.what = HD_REQUIRES_ALONE, .sentence = "needs all cores with transactions to be one array"},
};

static const hd_parameter getm_parameters[] = {
    {"granule", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "32 B", 16, 128, NULL, "what is validated as one"},
    {"tie_break", HD_TYPE_CHOICE, 0, "gwid", 0, 0, "gwid|paper", "whether times differ"},
};

static uint64_t bits(const hd_value *own, uint64_t warps)
{
    uint64_t count = 0;
    while (own[1].u == 0 && warps >> count)
        count++;
    return count;
}

static const hd_requirement getm_requirements[] = {
    {.what = HD_REQUIRES_PER_PARTITION,
     .sentence = "needs a validation unit at each partition",
     .kind = "validation_unit",
     .type = "getm"},
    {.what = HD_REQUIRES_PER_PARTITION,
     .sentence = "needs a commit unit at each partition",
     .kind = "commit_unit",
     .type = "getm"},
    {.what = HD_REQUIRES_EQUAL,
     .sentence = "needs one granule",
     .parameter = ".granule",
     .kind = "validation_unit",
     .other = "granule"},
    {.what = HD_REQUIRES_RESULT,
     .sentence = "needs bits that tell warps apart",
     .parameter = ".tie_break",
     .kind = "validation_unit",
     .other = "warp_bits",
     .sum = "warps",
     .result = bits},
    {.what = HD_REQUIRES_EVERYWHERE, .sentence = "needs all cores to take part"},
    {.what = HD_REQUIRES_LINKED,
     .sentence = "needs commit units that say something",
     .parameter = ".granule",
     .word = "out",
     .kind = "commit_unit",
     .when = "l1.prefetch",
     .when_word = "true"},
    {.what = HD_REQUIRES_ONE_CLOCK,
     .sentence = "needs networks with one clock",
     .parameter = ".granule",
     .kind = "crossbar",
     .when = "l1.prefetch",
     .when_word = "false"},
};

static const hd_unit getm = {.abi_version = HD_ABI_VERSION,
                             .struct_bytes = sizeof(hd_unit),
                             .kind = "tx",
                             .name = "getm",
                             .doc = "validates accesses",
                             .interface = FAKE_TX_INTERFACE,
                             .parameter_count = COUNT(getm_parameters),
                             .parameters = getm_parameters,
                             .requirement_count = COUNT(getm_requirements),
                             .requirements = getm_requirements};

static const hd_requirement central_requirements[] = {
    {.what = HD_REQUIRES_BLOCK, .sentence = "needs a probe", .kind = "probe", .type = "plain"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link to the probe",
     .word = "request",
     .kind = "probe",
     .when = "scheduler",
     .when_word = "lrr"},
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "needs a scheduler that is fair",
     .parameter = "scheduler",
     .word = "fair",
     .when = "scheduler",
     .when_word = "gto"},
};

static const hd_unit central = {.abi_version = HD_ABI_VERSION,
                                .struct_bytes = sizeof(hd_unit),
                                .kind = "tx",
                                .name = "central",
                                .doc = "asks one block",
                                .interface = FAKE_TX_INTERFACE,
                                .requirement_count = COUNT(central_requirements),
                                .requirements = central_requirements};

const hd_unit *const fake_protocols[FAKE_PROTOCOLS] = {&getm, &central};
