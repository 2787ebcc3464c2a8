/* SPDX-License-Identifier: MIT */
#include "stamps.h"

static void ignore(replacement *unit, uint32_t line)
{
    (void)unit;
    (void)line;
}

const replacement_unit replacement_fifo = {
    .name = "fifo",
    .source = "Smith 1982 §2.4",
    .refuses = stamps_refuse,
    .create = stamps_create,
    .destroy = stamps_destroy,
    .reset = stamps_reset,
    .installed = stamps_set,
    .used = ignore,
    .victim = stamps_oldest,
};
