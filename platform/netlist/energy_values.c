/* SPDX-License-Identifier: MIT */
/* What an energy table says, for a machine. */
#include <string.h>

#include "energy_parts.h"
#include "hd_unit.h"
#include "text_value.h"

#define MOST UINT64_C(1000000000000000) /* a joule, a gigawatt, a square metre or so */
#define MICROWATT_SECONDS_TO_FEMTOJOULES UINT64_C(1000000000)

const char *const netlist_energy_categories[HD_ENERGY_CATEGORY_COUNT] = {
#define CATEGORY_NAME(identifier, name, doc) name,
    HD_ENERGY_CATEGORIES(CATEGORY_NAME)
#undef CATEGORY_NAME
};

typedef struct reading {
    loader *state;
    const draft *work;
    const node *root;
    netlist_energy *table;
} reading;

static const char *text_in(const node *mapping, const char *key)
{
    const node *found = netlist_find(mapping, key);
    return found ? found->text : "";
}

static const char *read_source(const reading *at, const node *number)
{
    const node *source = netlist_find(number, "source"), *sources = netlist_find(at->root, "sources");
    candidates known = {0};
    if (netlist_entry(sources, source->text))
        return source->text;
    for (uint32_t i = 0; i < sources->count; i++)
        candidates_add(at->state->memory, &known, sources->entries[i].key->text);
    report_error(&at->state->log, ERROR_ENERGY_UNKNOWN, source->at, "'%s' is none of the sources of the table",
                 source->text);
    candidates_suggest(&at->state->log, source->text, &known);
    return NULL;
}

/* 0 after a report, and of what is not there. */
static uint64_t read_number(const reading *at, const node *number, const char *key, uint32_t unit)
{
    uint64_t value = 0;
    const node *written = number ? netlist_find(number, key) : NULL;
    if (written && netlist_read_unsigned(at->state, written, key, unit, 0, MOST, &value))
        read_source(at, number);
    return value;
}

/* The same of a number that is at a key of the mapping. */
static uint64_t read_at(const reading *at, const node *mapping, const char *key, const char *of_number, uint32_t unit)
{
    return read_number(at, mapping ? netlist_find(mapping, key) : NULL, of_number, unit);
}

/* ---- Power of the whole machine ------------------------------------------------------------------------------------ */

static uint32_t read_category(const reading *at, const node *written)
{
    candidates known = {0};
    for (uint32_t i = 0; i < HD_ENERGY_CATEGORY_COUNT; i++) {
        if (!strcmp(netlist_energy_categories[i], written->text))
            return i;
        candidates_add(at->state->memory, &known, netlist_energy_categories[i]);
    }
    report_error(&at->state->log, ERROR_ENERGY_UNKNOWN, written->at, "there is no category '%s' of energy",
                 written->text);
    candidates_suggest(&at->state->log, written->text, &known);
    return 0;
}

static void read_statics(const reading *at)
{
    const node *written = netlist_find(at->root, "static");
    netlist_energy_static *statics = arena_alloc(at->state->memory, written->count * sizeof *statics + 1);
    for (uint32_t i = 0; i < written->count; i++) {
        const node *item = written->entries[i].value;
        statics[i] = (netlist_energy_static){.name = text_in(item, "name"),
                                             .source = text_in(item, "source"),
                                             .category = read_category(at, netlist_find(item, "category")),
                                             .microwatts = read_number(at, item, "power", TEXT_UNIT_MICROWATTS)};
    }
    at->table->statics = statics;
    at->table->static_count = written->count;
}

/* ---- Each entry by itself -------------------------------------------------------------------------------------------- */

/* The event of that name of a class, or of a unit that it may be composed of. */
static const hd_energy_event *event_named(const hd_energy_event *events, uint32_t count, const char *name,
                                          candidates *known, arena *memory)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(events[i].name, name))
            return &events[i];
        candidates_add(memory, known, events[i].name);
    }
    return NULL;
}

static const hd_energy_event *class_event(const reading *at, const hd_block_class *type, const char *name,
                                          candidates *known)
{
    arena *memory = at->state->memory;
    const struct hd_composition *composition = type->composition;
    const hd_energy_event *found = event_named(type->energy_events, type->energy_event_count, name, known, memory);
    for (uint32_t i = 0; !found && composition && i < composition->place_count; i++) {
        const hd_unit *unit = composition->places[i].unit;
        if (!composition->places[i].is_again)
            found = event_named(unit->energy_events, unit->energy_event_count, name, known, memory);
    }
    return found;
}

/* Does "kind/type", or "kind", mean this class? */
static int names_class(const char *name, const hd_block_class *type)
{
    const size_t bytes = strlen(type->kind);
    return !strncmp(name, type->kind, bytes) &&
           (!name[bytes] || (name[bytes] == '/' && !strcmp(name + bytes + 1, type->type)));
}

static void check_event(const reading *at, const char *of, const entry *written)
{
    const netlist_registry *classes = &at->state->registry;
    const hd_energy_event *event = NULL;
    energy_counts counts = {0};
    candidates known = {0};
    for (size_t i = 0; i < classes->count && !event; i++) {
        if (!names_class(of, classes->classes[i]))
            continue;
        event = class_event(at, classes->classes[i], written->key->text, &known);
        counts = event ? energy_counts_of(classes->classes[i], event) : counts;
    }
    if (!event) {
        report_error(&at->state->log, ERROR_ENERGY_UNKNOWN, written->key->at, "'%s' has no energy event '%s'", of,
                     written->key->text);
        candidates_suggest(&at->state->log, written->key->text, &known);
        return;
    }
    /* Laid over another table, it may have both. */
    const char *key = counts.are_cycles ? "power" : "energy";
    const entry *other = netlist_entry(written->value, counts.are_cycles ? "energy" : "power");
    const int has_key = netlist_entry(written->value, key) != NULL;
    if (other || !has_key)
        report_error(&at->state->log, ERROR_ENERGY_KIND, has_key ? other->key->at : written->key->at,
                     "'%s' %s: it needs '%s'", event->name,
                     counts.are_cycles ? "counts cycles" : "counts what happens once", key);
    read_number(at, written->value, "power", TEXT_UNIT_MICROWATTS);
    read_number(at, written->value, "energy", TEXT_UNIT_FEMTOJOULES);
}

static void unknown_class(const reading *at, const node *name)
{
    const netlist_registry *classes = &at->state->registry;
    candidates known = {0};
    for (size_t i = 0; i < classes->count; i++)
        if (classes->classes[i]->energy_event_count)
            candidates_add(
                at->state->memory, &known,
                arena_format(at->state->memory, "%s/%s", classes->classes[i]->kind, classes->classes[i]->type));
    report_error(&at->state->log, ERROR_ENERGY_UNKNOWN, name->at, "there is no block class '%s'", name->text);
    candidates_suggest(&at->state->log, name->text, &known);
}

static void check_block(const reading *at, const entry *block)
{
    const node *events = netlist_find(block->value, "events");
    size_t i = 0;
    while (i < at->state->registry.count && !names_class(block->key->text, at->state->registry.classes[i]))
        i++;
    if (i == at->state->registry.count) {
        unknown_class(at, block->key);
        return;
    }
    for (uint32_t e = 0; events && e < events->count; e++)
        check_event(at, block->key->text, &events->entries[e]);
    read_at(at, block->value, "leakage", "power", TEXT_UNIT_MICROWATTS);
    read_at(at, block->value, "clock", "power", TEXT_UNIT_MICROWATTS);
    read_at(at, block->value, "area", "area", TEXT_UNIT_SQUARE_MICROMETRES);
}

/* ---- For the blocks of the machine, of a table whose entries are good ------------------------------------------------ */

/* What the table has under that key for a class: of its type, or of all types of its kind. */
static const entry *written_for(const reading *at, const hd_block_class *type, const char *key)
{
    const node *blocks = netlist_find(at->root, "blocks");
    const char *names[] = {arena_format(at->state->memory, "%s/%s", type->kind, type->type), type->kind};
    for (size_t i = 0; i < 2; i++) {
        const node *block = netlist_find(blocks, names[i]);
        const entry *found = block ? netlist_entry(block, key) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static uint64_t area_for(const reading *at, const hd_block_class *type)
{
    const entry *written = written_for(at, type, "area");
    return read_number(at, written ? written->value : NULL, "area", TEXT_UNIT_SQUARE_MICROMETRES);
}

static netlist_energy_power power_for(const reading *at, const hd_block_class *type, const char *key)
{
    const entry *written = written_for(at, type, key);
    if (!written)
        return (netlist_energy_power){.source = ""};
    return (netlist_energy_power){.microwatts = read_number(at, written->value, "power", TEXT_UNIT_MICROWATTS),
                                  .source = text_in(written->value, "source")};
}

/* Has it been reported for a block of the same class? */
static int is_reported(const reading *at, uint32_t block)
{
    for (uint32_t b = 0; b < block; b++)
        if (at->work->blocks[b].block_class == at->work->blocks[block].block_class)
            return 1;
    return 0;
}

static void report_missing(const reading *at, uint32_t block, const entry *events, const hd_energy_event *event)
{
    const netlist_block *of = &at->work->blocks[block];
    if (is_reported(at, block))
        return;
    report_error(&at->state->log, ERROR_ENERGY_MISSING, events->key->at,
                 "nothing says what '%s' of block '%s' (%s/%s) costs", event->name, of->name, of->block_class->kind,
                 of->block_class->type);
    report_note(&at->state->log, "%s: %s", event->name, event->doc);
}

static void report_class(const reading *at, uint32_t block)
{
    const netlist_block *of = &at->work->blocks[block];
    if (is_reported(at, block))
        return;
    report_error(&at->state->log, ERROR_ENERGY_MISSING, netlist_entry(at->root, "blocks")->key->at,
                 "nothing says what the events of block '%s' (%s/%s) cost", of->name, of->block_class->kind,
                 of->block_class->type);
    report_note(&at->state->log, "'heddle list %s/%s' names them", of->block_class->kind, of->block_class->type);
}

static uint64_t of_a_cycle(uint64_t microwatts, uint64_t hz)
{
    const hd_u128 power = (hd_u128)microwatts * MICROWATT_SECONDS_TO_FEMTOJOULES;
    return (uint64_t)((power + hz / 2) / hz);
}

static void read_event(const reading *at, uint32_t block, const entry *events, const hd_energy_event *event,
                       netlist_energy_event *to)
{
    const netlist_block *of = &at->work->blocks[block];
    const entry *written = netlist_entry(events->value, event->name);
    *to = (netlist_energy_event){.event = event, .counts = energy_counts_of(of->block_class, event)};
    if (!written) {
        report_missing(at, block, events, event);
        return;
    }
    to->source = text_in(written->value, "source");
    to->microwatts = read_number(at, written->value, "power", TEXT_UNIT_MICROWATTS);
    to->femtojoules = to->counts.are_cycles ? of_a_cycle(to->microwatts, at->work->clocks[of->clock].hz)
                                            : read_number(at, written->value, "energy", TEXT_UNIT_FEMTOJOULES);
}

/* Those of a class or unit that the table has to know. */
static void read_events(const reading *at, uint32_t block, const hd_energy_event *declared, uint32_t count,
                        netlist_energy_event *to, netlist_energy_block *of)
{
    const entry *events = written_for(at, at->work->blocks[block].block_class, "events");
    for (uint32_t i = 0; i < count; i++) {
        if (declared[i].category == HD_ENERGY_TM && !at->table->tm_by_events)
            continue;
        if (!events) {
            report_class(at, block);
            break;
        }
        read_event(at, block, events, &declared[i], &to[of->event_count++]);
    }
    of->declares |= count != 0;
}

/* The unit in a slot, where it has not been counted for an earlier one. */
static const hd_unit *chosen_unit(const netlist_block *block, uint32_t slot)
{
    const hd_unit_place *place = hd_unit_chosen(block->block_class, slot, block->values);
    for (uint32_t other = 0; place && other < slot; other++) {
        const hd_unit_place *earlier = hd_unit_chosen(block->block_class, other, block->values);
        if (earlier && earlier->unit == place->unit)
            return NULL;
    }
    return place ? place->unit : NULL;
}

static void read_block(const reading *at, uint32_t index, netlist_energy_block *to)
{
    const netlist_block *block = &at->work->blocks[index];
    const hd_block_class *type = block->block_class;
    const uint32_t slots = type->composition ? type->unit_slot_count : 0;
    uint32_t most = type->energy_event_count;
    for (uint32_t slot = 0; slot < slots; slot++)
        most += chosen_unit(block, slot) ? chosen_unit(block, slot)->energy_event_count : 0;
    netlist_energy_event *events = arena_alloc(at->state->memory, most * sizeof *events + 1);
    to->events = events;
    read_events(at, index, type->energy_events, type->energy_event_count, events, to);
    for (uint32_t slot = 0; slot < slots; slot++) {
        const hd_unit *unit = chosen_unit(block, slot);
        if (unit)
            read_events(at, index, unit->energy_events, unit->energy_event_count, events, to);
    }
    to->leakage = power_for(at, type, "leakage");
    to->clock = power_for(at, type, "clock");
    to->square_micrometres = area_for(at, type);
}

static void read_tm(const reading *at)
{
    static const char choices[] = "full_activity|events";
    const node *written = netlist_find(at->root, "tm");
    const uint32_t choice = written ? choice_index(choices, written->text) : 0;
    if (choice == UINT32_MAX)
        report_error(&at->state->log, ERROR_NOT_A_CHOICE, written->at, "tm cannot be '%s'; choices: %s", written->text,
                     choices);
    at->table->tm_by_events = choice == 1;
}

/* Results have the energy under this name beside the blocks. */
static void check_block_names(const reading *at)
{
    for (uint32_t b = 0; b < at->work->machine->block_count; b++)
        if (!strcmp(at->work->blocks[b].name, NETLIST_ENERGY_BLOCK))
            report_error(&at->state->log, ERROR_BAD_NAME, at->work->block_entries[b]->key->at,
                         "a machine with an energy table cannot have a block 'energy'");
}

static void read_head(const reading *at)
{
    netlist_energy *table = at->table;
    table->name = text_in(at->root, "name");
    table->process = text_in(at->root, "process");
    table->uncertainty = text_in(at->root, "uncertainty");
    table->scaling = text_in(at->root, "scaling");
    table->millivolts = read_at(at, at->root, "voltage", "voltage", TEXT_UNIT_MILLIVOLTS);
    table->square_micrometres = read_at(at, at->root, "area", "area", TEXT_UNIT_SQUARE_MICROMETRES);
    read_tm(at);
    read_statics(at);
    check_block_names(at);
}

void netlist_energy_values(loader *state, const draft *work, const node *root, netlist_energy *table)
{
    const reading at = {.state = state, .work = work, .root = root, .table = table};
    const node *blocks = netlist_find(root, "blocks");
    read_head(&at);
    for (uint32_t i = 0; i < blocks->count; i++)
        check_block(&at, &blocks->entries[i]);
    if (state->log.errors)
        return;
    netlist_energy_block *of_blocks = arena_alloc(state->memory, work->machine->block_count * sizeof *of_blocks + 1);
    table->blocks = of_blocks;
    for (uint32_t b = 0; b < work->machine->block_count; b++)
        read_block(&at, b, &of_blocks[b]);
}

void netlist_read_energy(loader *state, draft *work)
{
    const node *asked = netlist_find(work->root, "energy");
    if (!asked)
        return;
    netlist_energy *table = arena_alloc(state->memory, sizeof *table);
    table->place = netlist_place_of(asked->at);
    const node *root = netlist_energy_file(state, asked, &table->path);
    if (root)
        netlist_energy_values(state, work, root, table);
    work->machine->energy = table;
}
