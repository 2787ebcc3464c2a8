/* SPDX-License-Identifier: MIT */
/* What the units of blocks require of the machine that they are in (hd_requirement). */
#include "loader.h"

#include <string.h>

#include "requirements.h"

/* Parameters of other blocks that requirements of a unit have refused, each by one. */
enum { REFUSALS_MAX = 16 };
typedef struct refusals {
    struct {
        const hd_requirement *by;
        uint32_t block, parameter;
    } refused[REFUSALS_MAX];
    uint32_t count;
    uint32_t errors; /* 1: one has been reported; what else does not fit follows from the choice of the unit, or may */
} refusals;

/* A requirement of a unit of a block. */
typedef struct claim {
    loader *state;
    const draft *work;
    uint32_t block;
    const hd_unit_place *place;
    const hd_requirement *requirement;
    refusals *refusals; /* of the unit so far */
} claim;

static const netlist_block *block_of(const claim *c)
{
    return &c->work->blocks[c->block];
}

/* Parameter that chooses the unit. */
static uint32_t slot_parameter(const claim *c)
{
    return block_of(c)->block_class->unit_slots[c->place->slot].parameter;
}

/* "tx 'getm' needs ..." */
static const char *sentence(const claim *c)
{
    return arena_format(c->state->memory, "%s '%s' %s", block_of(c)->block_class->parameters[slot_parameter(c)].name,
                        c->place->unit->name, c->requirement->sentence);
}

static void refuse(const claim *c, uint32_t at, uint32_t parameter, const char *why)
{
    const netlist_block *block = &c->work->blocks[at];
    const span written = netlist_parameter_span(c->work, at, parameter);
    const span place = written.line ? written : c->work->block_entries[at]->key->at;
    if (c->refusals->errors++)
        report_note_at(&c->state->log, place, "%s", why);
    else
        report_error(&c->state->log, ERROR_REFUSED, place, "block '%s' (%s/%s) refuses its parameters: %s", block->name,
                     block->block_class->kind, block->block_class->type, why);
}

static uint32_t is_kind(const netlist_block *block, const char *kind)
{
    return strcmp(block->block_class->kind, kind) == 0;
}

/* Value of a parameter of a block of the kind that the requirement names; NULL: it is another block, or has none. */
static const hd_value *value_of_other(const claim *c, const netlist_block *other, uint32_t *index)
{
    if (!is_kind(other, c->requirement->kind))
        return NULL;
    *index = netlist_parameter_index(other->block_class, c->requirement->other);
    return *index == NETLIST_NONE ? NULL : &other->values[*index];
}

/* ---- Blocks that have to be there ------------------------------------------------------------------------------------ */

static void check_blocks(const claim *c)
{
    const hd_requirement *r = c->requirement;
    const uint32_t map = c->work->machine->address_map.block;
    const uint32_t is_per_partition = r->what == HD_REQUIRES_PER_PARTITION && map != NETLIST_NONE;
    const uint32_t wanted = is_per_partition ? c->work->blocks[map].count : 1;
    uint32_t count = 0;
    for (uint32_t b = 0; b < c->work->machine->block_count; b++)
        if (is_kind(&c->work->blocks[b], r->kind) && !strcmp(c->work->blocks[b].block_class->type, r->type))
            count += c->work->blocks[b].count;
    if (count != wanted)
        refuse(c, c->block, slot_parameter(c),
               arena_format(c->state->memory, "%s: it wants %u of %s/%s, and there %s %u", sentence(c), wanted, r->kind,
                            r->type, count == 1 ? "is" : "are", count));
}

static uint32_t is_between(const claim *c, const netlist_end *own, const netlist_end *other)
{
    return own->block == c->block && !strcmp(block_of(c)->block_class->ports[own->port].name, c->requirement->word) &&
           is_kind(&c->work->blocks[other->block], c->requirement->kind);
}

/* Another requirement of the unit says that there has to be a block of the kind, and there is none: that is enough. */
static uint32_t is_missing(const claim *c)
{
    uint32_t is_required = 0;
    for (uint32_t i = 0; i < c->place->unit->requirement_count; i++) {
        const hd_requirement *r = &c->place->unit->requirements[i];
        is_required |= r->what == HD_REQUIRES_BLOCK && strcmp(r->kind, c->requirement->kind) == 0;
    }
    for (uint32_t b = 0; b < c->work->machine->block_count; b++)
        is_required &= !is_kind(&c->work->blocks[b], c->requirement->kind);
    return is_required;
}

static void check_link(const claim *c)
{
    const netlist *machine = c->work->machine;
    uint32_t linked = 0;
    if (is_missing(c))
        return;
    for (uint32_t l = 0; l < machine->link_count; l++)
        linked += is_between(c, &machine->links[l].from, &machine->links[l].to) ||
                  is_between(c, &machine->links[l].to, &machine->links[l].from);
    if (linked != block_of(c)->count)
        refuse(c, c->block, slot_parameter(c),
               arena_format(c->state->memory, "%s; %u of %u have one", sentence(c), linked, block_of(c)->count));
}

/* Instances of the block whose port of that name is bound. */
static uint32_t linked_instances(const netlist_block *block, const char *port)
{
    const uint32_t ports = block->block_class->port_count;
    uint32_t linked = 0;
    for (uint32_t p = 0; p < ports; p++)
        for (uint32_t i = 0; !strcmp(block->block_class->ports[p].name, port) && i < block->count; i++)
            linked += block->port_elements[i * ports + p] != 0;
    return linked;
}

static void check_linked(const claim *c)
{
    for (uint32_t b = 0; b < c->work->machine->block_count; b++) {
        const netlist_block *other = &c->work->blocks[b];
        const uint32_t linked =
            is_kind(other, c->requirement->kind) ? linked_instances(other, c->requirement->word) : other->count;
        if (linked != other->count)
            refuse(c, c->block, unit_parameter(block_of(c)->block_class, c->place, c->requirement->parameter),
                   arena_format(c->state->memory, "%s: port '%s' of '%s' is linked at %u of %u", sentence(c),
                                c->requirement->word, other->name, linked, other->count));
    }
}

static void check_one_clock(const claim *c)
{
    const netlist_block *first = NULL;
    for (uint32_t b = 0; b < c->work->machine->block_count; b++) {
        const netlist_block *other = &c->work->blocks[b];
        const netlist_clock *clocks = c->work->machine->clocks;
        if (!is_kind(other, c->requirement->kind))
            continue;
        first = first ? first : other;
        if (other->clock != first->clock)
            refuse(c, c->block, unit_parameter(block_of(c)->block_class, c->place, c->requirement->parameter),
                   arena_format(c->state->memory, "%s: '%s' has clock %s, '%s' has clock %s", sentence(c), first->name,
                                clocks[first->clock].name, other->name, clocks[other->clock].name));
    }
}

/* ---- Parameters of two kinds of blocks that say the same --------------------------------------------------------------- */

/* Another requirement of the unit has said the same, or has refused this parameter: one mistake gets one error. Else it is noted. */
static uint32_t is_refused_already(const claim *c, uint32_t block, uint32_t parameter)
{
    refusals *r = c->refusals;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->refused[i].by != c->requirement &&
            (!strcmp(r->refused[i].by->sentence, c->requirement->sentence) ||
             (r->refused[i].block == block && r->refused[i].parameter == parameter)))
            return 1;
    if (r->count < REFUSALS_MAX) {
        r->refused[r->count].by = c->requirement;
        r->refused[r->count].block = block;
        r->refused[r->count++].parameter = parameter;
    }
    return 0;
}

static void check_equal(const claim *c)
{
    const uint32_t own = unit_parameter(block_of(c)->block_class, c->place, c->requirement->parameter);
    const uint64_t ours = block_of(c)->values[own].u;
    uint32_t index;
    for (uint32_t b = 0; b < c->work->machine->block_count; b++) {
        const netlist_block *other = &c->work->blocks[b];
        const hd_value *theirs = value_of_other(c, other, &index);
        if (!theirs || theirs->u == ours || is_refused_already(c, b, index))
            continue;
        refuse(c, c->block, own,
               arena_format(c->state->memory, "%s: %s is %llu, but '%s' of '%s' is %llu", sentence(c),
                            block_of(c)->block_class->parameters[own].name, (unsigned long long)ours,
                            c->requirement->other, other->name, (unsigned long long)theirs->u));
        netlist_note_parameter(c->state, c->work, b, index);
    }
}

/* As one writes it. */
static const char *value_text(const claim *c, const hd_parameter *declared, uint64_t value)
{
    const char *choice = netlist_choice(declared, value, c->state->memory);
    return choice ? choice : arena_format(c->state->memory, "%llu", (unsigned long long)value);
}

static void check_result(const claim *c)
{
    const netlist_block *block = block_of(c);
    const uint32_t sum =
        c->requirement->sum ? unit_parameter(block->block_class, c->place, c->requirement->sum) : UINT32_MAX;
    const uint64_t wanted = c->requirement->result(block->values + c->place->first_parameter,
                                                   sum == UINT32_MAX ? 0 : block->count * block->values[sum].u);
    uint32_t index;
    for (uint32_t b = 0; b < c->work->machine->block_count; b++) {
        const netlist_block *other = &c->work->blocks[b];
        const hd_value *theirs = value_of_other(c, other, &index);
        if (!theirs || theirs->u == wanted || is_refused_already(c, b, index))
            continue;
        const hd_parameter *declared = &other->block_class->parameters[index];
        refuse(c, b, index,
               arena_format(c->state->memory, "%s is %s, but must be %s: %s", c->requirement->other,
                            value_text(c, declared, theirs->u), value_text(c, declared, wanted), sentence(c)));
        netlist_note_parameter(c->state, c->work, c->block,
                               unit_parameter(block->block_class, c->place, c->requirement->parameter));
    }
}

static void check_least(const claim *c)
{
    uint32_t index;
    for (uint32_t b = 0; b < c->work->machine->block_count; b++) {
        const hd_value *theirs = value_of_other(c, &c->work->blocks[b], &index);
        if (!theirs || theirs->u >= c->requirement->minimum)
            continue;
        refuse(c, b, index,
               arena_format(c->state->memory, "%s is %llu, but must be %llu at least: %s", c->requirement->other,
                            (unsigned long long)theirs->u, (unsigned long long)c->requirement->minimum, sentence(c)));
        netlist_note_parameter(c->state, c->work, c->block,
                               unit_parameter(block_of(c)->block_class, c->place, c->requirement->parameter));
    }
}

static uint64_t value_of(const netlist_block *block, const char *name)
{
    return block->values[netlist_parameter_index(block->block_class, name)].u;
}

static uint32_t has_parameter(const netlist_block *block, const char *name)
{
    return netlist_parameter_index(block->block_class, name) != NETLIST_NONE;
}

/* The memory partitions, if they are of the kind that the requirement names, and say how much room they have; NULL: they do not. */
static const netlist_block *partitions_with_room(const claim *c)
{
    const hd_requirement *r = c->requirement;
    const uint32_t map = c->work->machine->address_map.block;
    const netlist_block *holders = map == NETLIST_NONE ? NULL : &c->work->blocks[map];
    const uint32_t tell = holders && is_kind(holders, r->kind) && has_parameter(holders, r->other) &&
                          has_parameter(holders, r->word) && has_parameter(holders, r->type);
    return tell ? holders : NULL;
}

/* What is dealt out, of the partition that gets most. */
static uint64_t dealt_bytes(const claim *c, uint32_t partitions)
{
    const uint64_t things = value_of(block_of(c), c->requirement->parameter);
    return (things + partitions - 1) / partitions * value_of(block_of(c), c->requirement->sum);
}

static void check_room(const claim *c)
{
    const hd_requirement *r = c->requirement;
    const netlist_block *own = block_of(c), *partitions = partitions_with_room(c);
    if (!partitions || c->refusals->errors)
        return;
    const uint64_t parts = value_of(partitions, r->other);
    const uint64_t room = value_of(partitions, r->word) / value_of(partitions, r->type) * parts;
    const uint64_t dealt = dealt_bytes(c, partitions->count);
    if (dealt <= room)
        return;
    refuse(c, (uint32_t)(partitions - c->work->blocks), netlist_parameter_index(partitions->block_class, r->other),
           arena_format(c->state->memory, "%s has room for %llu B in each of %u, but %s and %s of '%s' need %llu B: %s",
                        r->other, (unsigned long long)room, partitions->count, r->parameter, r->sum, own->name,
                        (unsigned long long)dealt, sentence(c)));
    netlist_note_parameter(c->state, c->work, c->block, netlist_parameter_index(own->block_class, r->parameter));
    netlist_note_parameter(c->state, c->work, c->block, netlist_parameter_index(own->block_class, r->sum));
}

/* ---- Blocks with such a slot ------------------------------------------------------------------------------------------- */

/* Number of the block's slot of that kind; UINT32_MAX: it has none. */
static uint32_t slot_of(const netlist_block *block, const char *kind)
{
    for (uint32_t slot = 0; block->block_class->composition && slot < block->block_class->unit_slot_count; slot++)
        if (strcmp(block->block_class->unit_slots[slot].kind, kind) == 0)
            return slot;
    return UINT32_MAX;
}

static void check_others(const claim *c, uint32_t is_taken_alone)
{
    for (uint32_t b = is_taken_alone ? c->block + 1 : 0; b < c->work->machine->block_count; b++) {
        const netlist_block *other = &c->work->blocks[b];
        const uint32_t slot = slot_of(other, c->place->unit->kind);
        if (b == c->block || slot == UINT32_MAX ||
            (hd_unit_chosen(other->block_class, slot, other->values) != NULL) != is_taken_alone)
            continue;
        const uint32_t parameter = other->block_class->unit_slots[slot].parameter;
        refuse(c, b, parameter,
               arena_format(c->state->memory, "%s is '%s', but '%s' of '%s' %s",
                            other->block_class->parameters[parameter].name, other->values[parameter].text,
                            c->place->unit->name, block_of(c)->name, c->requirement->sentence));
    }
}

static void check(const claim *c)
{
    switch (c->requirement->what) {
    case HD_REQUIRES_BLOCK:
    case HD_REQUIRES_PER_PARTITION: check_blocks(c); break;
    case HD_REQUIRES_LINK: check_link(c); break;
    case HD_REQUIRES_EQUAL: check_equal(c); break;
    case HD_REQUIRES_RESULT: check_result(c); break;
    case HD_REQUIRES_EVERYWHERE: check_others(c, 0); break;
    case HD_REQUIRES_ALONE: check_others(c, 1); break;
    case HD_REQUIRES_ONE_CLOCK: check_one_clock(c); break;
    case HD_REQUIRES_LINKED: check_linked(c); break;
    case HD_REQUIRES_LEAST: check_least(c); break;
    case HD_REQUIRES_ROOM: check_room(c); break;
    default: break; /* of the block alone: units_check */
    }
}

void netlist_check_requirements(loader *state, draft *work)
{
    for (uint32_t b = 0; b < work->machine->block_count; b++) {
        const netlist_block *block = &work->blocks[b];
        const hd_block_class *block_class = block->block_class;
        for (uint32_t slot = 0; block_class->composition && slot < block_class->unit_slot_count; slot++) {
            const hd_unit_place *place = hd_unit_chosen(block_class, slot, block->values);
            refusals refusals = {.count = 0};
            for (uint32_t i = 0; place && i < unit_requirement_count(block_class, place); i++) {
                const claim c = {state, work, b, place, unit_requirement(block_class, place, i), &refusals};
                if (unit_requirement_applies(block_class, place, c.requirement, block->values))
                    check(&c);
            }
        }
    }
}
