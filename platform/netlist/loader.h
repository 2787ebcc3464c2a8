/* SPDX-License-Identifier: MIT */
/*
 * The way from files to one checked netlist. Phases: syntax, shape, plug-ins, names, types and ranges, bindings, combination;
 * each reports all its errors, and a phase with errors is the last.
 */
#ifndef NETLIST_LOADER_H
#define NETLIST_LOADER_H

#include "netlist.h"
#include "yaml_tree.h"

#define NETLIST_FORMAT_VERSION 1u
#define NETLIST_ENDPOINTS_MAX 65535u
#define NETLIST_LINKS_MAX 1048576u /* flattened */

typedef struct loader {
    arena *memory; /* of the result */
    diagnostics log;
    netlist_registry registry;
} loader;

/* ---- Files to one tree ------------------------------------------------------------------------------------------ */

/* A value of the machine that another document gives: the path, as after --set, and the value. */
typedef struct netlist_setting {
    const node *path; /* a scalar */
    const node *value;
} netlist_setting;

/* What is laid over the file: first the overrides, then the settings. */
typedef struct netlist_changes {
    const char *const *overrides; /* "path=value" */
    size_t override_count;
    const netlist_setting *settings;
    size_t setting_count;
} netlist_changes;

/* "path=value", as they stand on the command line behind `option` ("--set"), each as a setting; reports what is none.
 * settings has room for all. Returns how many are good. */
uint32_t netlist_read_overrides(loader *state, const char *option, const char *const *overrides, size_t count,
                                netlist_setting *settings);

/* netlist_load, with settings; errors in them are shown where they are written. Their document outlives the netlist. */
netlist *netlist_load_changed(const char *path, netlist_registry registry, const netlist_changes *changes,
                              char **errors);

/* The file, what it extends, and the changes, merged into one mapping with dotted parameters. NULL after errors. */
const node *netlist_read_layers(loader *state, const char *path, const netlist_changes *changes);

/* One file, named and asked for as `file` says, which is completed. NULL after errors. */
const node *netlist_parse_file(loader *state, source *file);

/* Lays the files that blocks name with parameters_from below their parameters. NULL after errors. */
const node *netlist_take_parameters(loader *state, const node *machine);

/* Reports what stands at the wrong place in a file of parameters. */
void netlist_check_parameter_file(loader *state, const node *root);

/* Reports what stands at the wrong place in one file (or one override, which may be incomplete). */
void netlist_check_shape(loader *state, const node *root, int is_override);

/* A key that may stand in some mapping, and its value. */
typedef struct netlist_key_shape {
    const char *key;
    enum node_kind kind;
} netlist_key_shape;
#define NETLIST_KEYS(table) table, sizeof(table) / sizeof *(table)

/* Reports keys that are none of these, and values of another kind, or empty. where: "block 'core'". */
void netlist_check_keys(loader *state, const node *mapping, const char *where, const netlist_key_shape *keys,
                        size_t count);
/* Returns whether the value is of that kind, or reports. */
int netlist_check_kind(loader *state, const node *value, enum node_kind kind, const char *what);
/* The key `heddle` of a document. */
void netlist_check_version(loader *state, const node *root);

/* Keys that a block may have, as candidates and as a test. */
int netlist_is_block_key(const char *key);

/* Parameters as one mapping of dotted names. */
const node *netlist_flatten_parameters(loader *state, const node *parameters);

/* The same tree with the parameters of each block flat. */
const node *netlist_flatten(loader *state, const node *root);

/* Takes out of base what `remove` of child names. */
const node *netlist_remove(loader *state, const node *base, const node *child);

/* child laid over base. */
const node *netlist_merge(loader *state, const node *base, const node *child);

/* The machine with the changes laid over it. NULL after errors. */
const node *netlist_apply_changes(loader *state, const node *machine, const netlist_changes *changes);

/* ---- Plug-ins ----------------------------------------------------------------------------------------------------- */

/* Loads what was requested and what the tree names, so that state->registry is complete. */
void netlist_load_plugins(loader *state, const node *root, netlist *machine);

/* `path` as it stands in `file`, from the working directory. */
const char *netlist_beside(loader *state, const char *file, const char *path);

/* ---- One tree to the netlist ------------------------------------------------------------------------------------ */

/* A link as written: two sides, each a list of port elements. */
typedef struct link_side {
    const node *reference;
    uint32_t block;
    uint32_t port;
    uint32_t first_instance;
    uint32_t instances;
    uint32_t first_element;
    uint32_t elements; /* 0: an array port without index */
    span instance_at;
    span element_at;
} link_side;

typedef struct written_channel {
    hd_time latency;        /* 0 = the default */
    hd_time credit_latency; /* 0 = the default */
    uint32_t credits;       /* 0 = the default */
} written_channel;

typedef struct written_link {
    const node *source;
    link_side from;
    link_side to;
    written_channel forward;
    written_channel response;
    uint32_t options;                /* as in netlist_link */
    hd_time within[NETLIST_WITHINS]; /* likewise */
} written_link;

/* The netlist while it is built; all arrays are complete once the names phase is over. */
typedef struct draft {
    const node *root;
    netlist *machine;
    netlist_clock *clocks;
    const node **clock_nodes;
    netlist_block *blocks;
    const entry **block_entries;
    written_link *links;
    uint32_t link_count;
    uint32_t *link_origins; /* of each flattened link, the written one */
} draft;

/* Each reports all its errors; the next needs that there were none. */
void netlist_name_machine(loader *state, draft *work);
void netlist_name_clocks(loader *state, draft *work);
void netlist_name_blocks(loader *state, draft *work);
void netlist_name_links(loader *state, draft *work);
void netlist_name_address_map(loader *state, draft *work);

void netlist_value_machine(loader *state, draft *work);
void netlist_value_clocks(loader *state, draft *work);
void netlist_value_times(loader *state, draft *work);
void netlist_value_perturb(loader *state, draft *work);
void netlist_value_blocks(loader *state, draft *work);
void netlist_value_links(loader *state, draft *work);
void netlist_value_address_map(loader *state, draft *work);

void netlist_bind_links(loader *state, draft *work);
/* A note on where the number of the block's instances is written, if it is. */
void netlist_note_count(loader *state, const draft *work, uint32_t block);
/* Do the two sides go together? 1, or 0 and a report. Keys that mean nothing on such a link are reported too. */
void netlist_value_options(loader *state, draft *work);
int netlist_check_direction(loader *state, const draft *work, const written_link *link);
const char *netlist_direction_text(uint32_t direction);

void netlist_check_parameters(loader *state, draft *work);
void netlist_check_messages(loader *state, draft *work);
void netlist_check_address_map(loader *state, draft *work);
void netlist_check_partitions(loader *state, draft *work);
void netlist_check_windows(loader *state, draft *work);
void netlist_check_direct(loader *state, draft *work);
void netlist_check_requirements(loader *state, draft *work);
void netlist_check_harts(loader *state, draft *work);
/* Reads the energy table that the machine names, if it does (energy.h). */
void netlist_read_energy(loader *state, draft *work);
/* Marks the links that carry replies; reports if they are to be perturbed and there are none. */
void netlist_find_replies(loader *state, draft *work);

/* ---- Pieces ----------------------------------------------------------------------------------------------------- */

netlist_place netlist_place_of(span at);

/* Letter, then letters, digits, underscores; reports otherwise. what: "block", "clock". */
int netlist_check_name(loader *state, const node *name, const char *what);

/* The declared entry of a class that a dotted name means, or UINT32_MAX. */
uint32_t netlist_parameter_index(const hd_block_class *block_class, const char *name);

/* Choice number `index` of a parameter; NULL: it has none of that number. Booleans have two. */
const char *netlist_choice(const hd_parameter *declared, uint64_t index, arena *memory);

/*
 * Takes out of a block what a layer gave for a kind and type that a later layer changed, if the new class does not declare
 * it with that type and unit. What is left, or written itself if nothing was changed. Needs the registry complete and the class of the block.
 */
const entry *netlist_drop_parameters(loader *state, const entry *written, netlist_block *block);

/* Reports parameters that the class does not declare and required ones that are missing. */
void netlist_name_parameters(loader *state, const entry *block, const hd_block_class *block_class);

/* Converts the parameters of a block; values and origins have room for all that are declared. */
void netlist_value_parameters(loader *state, const entry *block, const hd_block_class *block_class, hd_value *values,
                              netlist_place *origins);

/*
 * A number with a unit, within minimum .. maximum (0 = no upper bound), or a report. what: "latency", as
 * the sentence begins. Returns whether it is good.
 */
int netlist_read_unsigned(loader *state, const node *value, const char *what, uint32_t unit, uint64_t minimum,
                          uint64_t maximum, uint64_t *result);

/* A time, or a number of cycles of some clock. */
typedef struct duration_rule {
    const char *what;    /* "latency", as the sentence begins */
    const char *of;      /* whose cycles: "of the sender" */
    const char *example; /* a time that makes sense */
    uint64_t minimum;
    uint64_t cycles; /* at most so many, or this time */
    uint64_t time;
} duration_rule;
/* Reports what is not such a duration. Returns whether it is good; also if it is, but the clock is not (0 hertz), 0. */
int netlist_read_duration(loader *state, const node *value, const duration_rule *rule, hd_clock clock, hd_time *result);

/* Parses block[i..j].port[i..j] and finds block and port, or reports. Returns whether it is good. */
int netlist_read_reference(loader *state, const draft *work, const node *reference, link_side *side);

/* The clock named by `bytes` of the text of reference, or NETLIST_NONE after a report. */
uint32_t netlist_clock_index(loader *state, const draft *work, const node *reference, const char *name, size_t bytes);

/* Where the value of parameter `index` of a block is written; line 0: nowhere, it is the declared default. */
span netlist_parameter_span(const draft *work, uint32_t block, uint32_t index);

/* The note of a second place: where parameter `index` of a block has its value, or that it is the default. */
void netlist_note_parameter(loader *state, const draft *work, uint32_t block, uint32_t index);

/* NETLIST_NONE if there is none; reports nothing. */
uint32_t netlist_block_index(const draft *work, const char *name, size_t bytes);

/* Reports a block name that the netlist does not have. */
void netlist_unknown_block(loader *state, const draft *work, span at, const char *name);

#endif
