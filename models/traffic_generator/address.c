/* SPDX-License-Identifier: MIT */
/* Where requests go. Offsets count from the footprint's first byte. */
#include "state.h"

static uint32_t partition_at(const generator *self, uint64_t offset)
{
    return hd_partition_of(self->map, self->base + offset);
}

/* The first offset from `offset` on, round the footprint, that the partition holds; all of it if there is none. */
static uint64_t seek(const generator *self, uint64_t offset, uint32_t partition)
{
    const uint64_t footprint = parameter_of(self, PARAMETER_FOOTPRINT), chunk = hd_partition_run(self->map);
    uint64_t passed = 0;
    while (passed < footprint + chunk) {
        if (offset >= footprint)
            offset = 0;
        if (partition_at(self, offset) == partition)
            return offset;
        const uint64_t step = chunk - (self->base + offset) % chunk;
        offset += step;
        passed += step;
    }
    return footprint;
}

/* Where this generator begins in a footprint that it shares. */
static uint64_t start_of(const generator *self)
{
    const uint64_t footprint = parameter_of(self, PARAMETER_FOOTPRINT);
    if (parameter_of(self, PARAMETER_REGION) == REGION_OWN)
        return 0;
    return footprint / self->services->count * self->services->index / HD_LINE_BYTES * HD_LINE_BYTES;
}

static uint32_t goes_by_partition(const generator *self)
{
    const uint64_t pattern = parameter_of(self, PARAMETER_PATTERN);
    return pattern == PATTERN_UNIFORM || pattern == PATTERN_HOT_SPOT || pattern == PATTERN_TRANSPOSE;
}

int address_reset(generator *self, uint32_t *partition)
{
    self->walk = start_of(self);
    for (uint32_t p = 0; p < self->map->partitions && goes_by_partition(self); p++) {
        self->positions[p] = seek(self, start_of(self), p);
        *partition = p;
        if (self->positions[p] == parameter_of(self, PARAMETER_FOOTPRINT))
            return 0;
    }
    return 1;
}

static uint64_t draw(const generator *self, uint64_t below)
{
    return self->services->random(self->services->context) % below;
}

static uint64_t next_of_partition(generator *self, uint32_t partition)
{
    const uint64_t offset = self->positions[partition];
    self->positions[partition] = seek(self, offset + parameter_of(self, PARAMETER_BYTES), partition);
    return offset;
}

/* Generators stand in rows of a square; each sends to where its mirror image stands. */
static uint32_t mirrored(const generator *self)
{
    const uint32_t index = self->services->index;
    uint32_t side = 1;
    while (side * side < self->services->count)
        side++;
    return (index % side * side + index / side) % self->map->partitions;
}

static uint64_t next_of_stride(generator *self)
{
    const uint64_t offset = self->walk;
    self->walk = (offset + parameter_of(self, PARAMETER_STRIDE)) % parameter_of(self, PARAMETER_FOOTPRINT);
    return offset;
}

uint64_t address_next(generator *self)
{
    const uint64_t bytes = parameter_of(self, PARAMETER_BYTES);
    switch (parameter_of(self, PARAMETER_PATTERN)) {
    case PATTERN_RANDOM: return self->base + draw(self, parameter_of(self, PARAMETER_FOOTPRINT) / bytes) * bytes;
    case PATTERN_STRIDE: return self->base + next_of_stride(self);
    case PATTERN_TRANSPOSE: return self->base + next_of_partition(self, mirrored(self));
    case PATTERN_HOT_SPOT:
        if (draw(self, 100) < parameter_of(self, PARAMETER_HOT_PERCENT))
            return self->base + next_of_partition(self, (uint32_t)parameter_of(self, PARAMETER_HOT_PARTITION));
        /* fall through */
    default: return self->base + next_of_partition(self, (uint32_t)draw(self, self->map->partitions));
    }
}
