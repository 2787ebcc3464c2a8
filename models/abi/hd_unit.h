/* SPDX-License-Identifier: MIT */
/*
 * Units: the exchangeable parts inside a block, such as the warp scheduler of a core. A unit is one constant hd_unit, in a file
 * or folder of its own: its kind, name and functions, and as tables its parameters, statistics, messages and trace events, and
 * what it requires of the block and of the machine that it is in. It is compiled in or comes with a plug-in; a block does not
 * see the difference.
 *
 * A block class has a slot (hd_unit_slot) for each unit of its own: a parameter HD_TYPE_CHOICE that names one. From a class and
 * all units of its slots the platform composes the class that netlists, statistics and the block itself see:
 *   - the choices of the parameter are the names of the units (after `none`, if the slot may be empty),
 *   - parameters of unit u in slot "tx" are called "tx.u.NAME", and follow those of the class,
 *   - statistics and trace events of all units follow those of the class, under the names that they have,
 *   - messages of a unit are those of blocks in which it has been chosen.
 * A class may have a second slot of a kind, for units that do their part beside that in the first. A unit that may stand in either has its
 * parameters, statistics and trace events once, under the name of the first slot.
 *
 * Kinds and their functions are described by headers of their own, with a version in `interface`: a unit whose interface is not
 * that of the slot, or that lacks a function, is refused.
 */
#ifndef HD_UNIT_H
#define HD_UNIT_H

#include <string.h>

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a unit requires, or a slot of whichever unit is in it. A netlist that does not meet it is refused, with the place and the
 * sentence, which goes on after the slot and the unit: "tx 'getm' " "needs one validation unit at each memory partition".
 * Names of parameters are those of the block ("l1.global"); with a dot in front, of the unit's own (".granule"); with two, of those
 * beside the slot's: "..ways" is l1.ways of a unit in l1.replacement, and ways of the same unit in replacement.
 */
/* Of the block alone: */
#define HD_REQUIRES_RANGE 1u  /* parameter is at least `minimum`, times `other` if there is one; at most `maximum` */
#define HD_REQUIRES_CHOICE 2u /* parameter is `word` */
#define HD_REQUIRES_POWER_OF_TWO 3u /* parameter is 0 or a power of two */
#define HD_REQUIRES_ABILITY 4u      /* the unit that parameter chooses has `word` among its abilities */
#define HD_REQUIRES_MULTIPLE 14u    /* parameter is a multiple of `minimum` times `other`, which is another of them */
#define HD_REQUIRES_FILE 15u        /* parameter, a text, names a file that can be read */
/* Of the machine: */
#define HD_REQUIRES_BLOCK 5u         /* there is one block kind/type */
#define HD_REQUIRES_PER_PARTITION 6u /* there is one at each memory partition */
#define HD_REQUIRES_LINK 7u          /* port `word` of every instance is linked with a block of the kind */
#define HD_REQUIRES_EQUAL 8u         /* parameter is what `other` is in every block of the kind */
#define HD_REQUIRES_RESULT 9u        /* `other` of every block of the kind is result() */
#define HD_REQUIRES_EVERYWHERE 10u   /* no block with such a slot is without a unit */
#define HD_REQUIRES_ALONE 11u        /* no other block, as the netlist counts them, has a unit in such a slot */
#define HD_REQUIRES_ONE_CLOCK 12u    /* all blocks of the kind have the same clock */
#define HD_REQUIRES_LINKED 13u       /* port `word` of every block of the kind is linked */
#define HD_REQUIRES_LEAST 16u        /* `other` of every block of the kind that has it is at least `minimum` */
/* Of `parameter` things of `sum` bytes, dealt to the memory partitions in turn, each partition, if of the kind, has room for its own:
 * it has `other` of the `type` equal parts of its `word` bytes. */
#define HD_REQUIRES_ROOM 17u

typedef struct hd_requirement {
    uint32_t what; /* HD_REQUIRES_* */
    uint32_t reserved;
    const char *sentence;
    const char *parameter;
    const char *word;
    const char *kind;
    const char *type;
    const char *other;
    uint64_t minimum;
    uint64_t maximum;
    /* Only for blocks in which this choice has this value, or this switch is "true" or "false"; NULL: for all. */
    const char *when;
    const char *when_word;
    /* RESULT: of the unit's own values, and of `sum`, a parameter of the block, added up over its instances. ROOM: see there. */
    const char *sum;
    uint64_t (*result)(const hd_value *own, uint64_t sum);
} hd_requirement;

typedef struct hd_unit {
    uint32_t abi_version; /* HD_ABI_VERSION */
    uint32_t struct_bytes;
    const char *kind;      /* "scheduler" */
    const char *name;      /* the value that chooses it: "gto" */
    const char *doc;       /* one line: what it does */
    const char *source;    /* publication; may be NULL */
    const char *interface; /* of the functions, with its version: "heddle.scheduler/1" */
    const void *functions; /* what that says */

    uint32_t parameter_count;
    uint32_t statistic_count;
    uint32_t message_count;
    uint32_t trace_event_count;
    const hd_parameter *parameters; /* named as within the unit: "age_rotation" */
    const hd_statistic *statistics;
    const hd_message_use *messages; /* `when` is 0 */
    const hd_trace_event *trace_events;

    uint32_t profiled_count; /* the first so many statistics are counted by place in the program, too (hd_profile.h) */
    uint32_t requirement_count;
    const hd_requirement *requirements;
    const char *abilities; /* what others may require: "transactions|..."; NULL: none */
    const hd_structure *structures;
    uint32_t structure_count;
    uint32_t energy_event_count;
    const hd_energy_event *energy_events; /* of counts of the unit and of its block */
} hd_unit;

/* A function that units of a kind must have, in what hd_unit.functions points to. */
typedef struct hd_unit_function {
    const char *name;
    uint32_t offset;
    uint32_t with;       /* HD_UNIT_ALWAYS, or the offset of another function: where that is there */
    const char *ability; /* only units with this ability; NULL: all */
} hd_unit_function;
#define HD_UNIT_ALWAYS UINT32_MAX
/* Rows of such a table; `type` is that of the functions. */
#define HD_UNIT_FUNCTION(type, member)                                                                                 \
    {                                                                                                                  \
#member, offsetof(type, member), HD_UNIT_ALWAYS, NULL                                                          \
    }
#define HD_UNIT_FUNCTION_WITH(type, member, other)                                                                     \
    {                                                                                                                  \
#member, offsetof(type, member), offsetof(type, other), NULL                                                   \
    }
#define HD_UNIT_FUNCTION_FOR(type, member, ability)                                                                    \
    {                                                                                                                  \
#member, offsetof(type, member), HD_UNIT_ALWAYS, ability                                                       \
    }

typedef struct hd_unit_slot {
    const char *kind;
    const char *interface;
    uint32_t parameter; /* index of the HD_TYPE_CHOICE, which is declared without choices */
    uint32_t unit_count;
    const hd_unit *const *units; /* compiled in, in the order of the choices */
    const char *none;            /* the first choice: no unit; NULL: there always is one */
    uint32_t requirement_count;  /* of whatever unit is in it */
    uint32_t function_count;
    const hd_requirement *requirements;
    const hd_unit_function *functions; /* that a unit must have to be in it */
    const char *ability;               /* only units with this ability may be in it; NULL: all of the kind */
} hd_unit_slot;

/* A unit in a composed class: where its tables begin in those of the class. */
typedef struct hd_unit_place {
    const hd_unit *unit;
    uint32_t slot;
    uint32_t choice; /* value of the slot's parameter */
    uint32_t first_parameter;
    uint32_t first_statistic;
    uint32_t first_trace_event;
    uint32_t is_again; /* 1: the unit is in an earlier slot too, and this is where its tables begin there */
} hd_unit_place;

/* hd_block_class.composition of a composed class. */
struct hd_composition {
    const hd_block_class *own; /* the class as it was declared */
    uint32_t place_count;
    uint32_t reserved;
    const hd_unit_place *places; /* by slot, and then by choice */
};

/* ---- For blocks ---------------------------------------------------------------------------------------------------------- */

/*
 * "heddle.class/1": the class that this block has been created by, an hd_block_class: the composed one if it has slots. It lives as
 * long as the block.
 */
#define HD_EXTENSION_CLASS "heddle.class/1"

/* What a unit has of the block that it is in, valid as long as that. */
typedef struct hd_unit_share {
    const hd_services *services;
    const hd_value *values;     /* of its parameters, in their order */
    uint64_t *counters;         /* of its statistics, in their order; the block sets them to 0 */
    uint32_t first_trace_event; /* number of its first trace event */
    uint32_t reserved;
} hd_unit_share;

/* Rows of a list of units in the source tree, UNIT(scheduler, gto): what its file defines, and hd_unit_slot.units. */
#define HD_UNIT_DECLARATION(kind, name)                                                                                \
    extern const hd_unit hd_##kind##_##name;                                                                           \
    extern const kind##_unit kind##_##name;
#define HD_UNIT_POINTER(kind, name) &hd_##kind##_##name,
/* The rows of hd_unit that all units of the source tree begin with; KIND_INTERFACE is in the header of the kind. */
#define HD_UNIT_HEAD(kind_word, kind_capitals, name_word)                                                              \
    .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_unit), .kind = #kind_word, .name = #name_word,            \
    .interface = kind_capitals##_INTERFACE, .functions = &kind_word##_##name_word

/* The unit in this slot of a block with these values; NULL: none. */
static inline const hd_unit_place *hd_unit_chosen(const hd_block_class *composed, uint32_t slot, const hd_value *values)
{
    const struct hd_composition *composition = composed->composition;
    for (uint32_t i = 0; composition && i < composition->place_count; i++) {
        const hd_unit_place *place = &composition->places[i];
        if (place->slot == slot && place->choice == values[composed->unit_slots[slot].parameter].u)
            return place;
    }
    return NULL;
}

/* The class of the block with these services. */
static inline const hd_block_class *hd_class_of(const hd_services *services)
{
    return (const hd_block_class *)services->extension(services->context, HD_EXTENSION_CLASS);
}

/* How many counters of units follow the block's own. */
static inline uint32_t hd_unit_counters(const hd_block_class *composed)
{
    return composed->statistic_count - composed->composition->own->statistic_count;
}

/* counters: those hd_unit_counters. values: of the block, as they have been given to create. */
static inline hd_unit_share hd_unit_share_of(const hd_block_class *composed, const hd_unit_place *place,
                                             const hd_services *services, const hd_value *values, uint64_t *counters)
{
    hd_unit_share share;
    share.services = services;
    share.values = values + place->first_parameter;
    share.counters = counters + (place->first_statistic - composed->composition->own->statistic_count);
    share.first_trace_event = place->first_trace_event;
    share.reserved = 0;
    return share;
}

/* Before an interval of the results: maxima begin again (HD_EXTENSION_MARK). */
static inline void hd_unit_counters_mark(const hd_block_class *composed, uint64_t *counters)
{
    const uint32_t own = composed->composition->own->statistic_count;
    for (uint32_t i = own; i < composed->statistic_count; i++)
        if (composed->statistics[i].kind == HD_STATISTIC_MAXIMUM)
            counters[i - own] = 0;
}

#ifdef __cplusplus
}
#endif

#endif
