/* SPDX-License-Identifier: MIT */
#include "back_off.h"

/* The published law takes failures modulo a random number, which is 1 to so many. */
#define PUBLISHED_SPREAD 10u

static uint64_t at_most(uint64_t cycles, uint64_t maximum)
{
    return maximum && cycles > maximum ? maximum : cycles;
}

/* Uniform below base * 2^failures. The maximum bounds the range, so that waits beyond it do not all become the same one. */
static uint64_t exponential(const back_off *parameters, uint32_t failures, uint64_t random)
{
    const uint64_t doublings = failures < parameters->exponent ? failures : parameters->exponent;
    return random % at_most(parameters->base << doublings, parameters->maximum);
}

/* Warps that have failed equally often wait equally long. */
static uint64_t linear(const back_off *parameters, uint32_t failures, uint64_t random)
{
    (void)random;
    return at_most(parameters->base * failures, parameters->maximum);
}

/* That of the simulator that was published with GETM. There is no wait if the random number divides that of the failures. */
static uint64_t published(const back_off *parameters, uint32_t failures, uint64_t random)
{
    return at_most(parameters->base * (failures % (1 + random % PUBLISHED_SPREAD)), parameters->maximum);
}

static const struct {
    uint64_t (*cycles)(const back_off *parameters, uint32_t failures, uint64_t random);
    uint32_t is_random;
} laws[BACK_OFF_LAW_COUNT] = {
    [BACK_OFF_EXPONENTIAL] = {exponential, 1},
    [BACK_OFF_LINEAR] = {linear, 0},
    [BACK_OFF_PUBLISHED] = {published, 1},
};

uint32_t back_off_is_random(const back_off *parameters)
{
    return parameters->base && laws[parameters->law].is_random;
}

uint64_t back_off_cycles(const back_off *parameters, uint32_t failures, uint64_t random)
{
    return parameters->base ? laws[parameters->law].cycles(parameters, failures, random) : 0;
}
