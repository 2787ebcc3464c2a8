/* SPDX-License-Identifier: MIT */
/*
 * The netlist: a machine described in YAML, checked and resolved into plain C structs.
 *
 * netlist_load reads the file and what it extends, applies the overrides, checks everything there is to check, and
 * builds nothing when anything is wrong. What may be written follows from the declaration tables of the block classes.
 *
 * File
 *   heddle: 1                   version of the format, required in every file
 *   name, description           of the machine; name is required
 *   extends: other.yaml         relative to this file, or the name of a machine (machine_names.h); this file is laid over it
 *   remove: [name, {from, to}]  takes blocks (with every link that names them) and links out of what is extended
 *   clocks:                     name: "1400 MHz" | "network / 2" | "core * 3 / 2"; a whole number of hertz
 *   address_map:                partitions: block name; interleave: bytes, a power of two, at least 128; hash: none, xor or
 *                               ipoly; sub_partitions, a divisor of their number; sub_interleave: as interleave
 *   blocks:                     name: {kind, type, clock, count (default 1), parameters, parameters_from}
 *   links:                      [{from, to, latency, credit_latency, credits, response_*}]
 *   plugins: [path, ...]        shared objects with further block classes, relative to this file; a path without '/'
 *                               that is not there is looked for in the plug-in folder of the installation
 *   watchdog (2 ms)  launch_align (true)  limit (1 s)      times, or cycles of the slowest clock of a block
 *   energy: TABLE               what its events cost (energy.h); a path relative to this file, or a name
 *   perturb: {seed (0), delay (4 ns)}  or perturb: SEED; replies of the memory arrive up to `delay` late, at random; 0 = not
 *
 * Parameters   A parameter "l1.bytes" is written l1: {bytes: 48 KiB} or l1.bytes: 48 KiB. In a nested mapping the key
 *   type names the parameter of the mapping's own name: scheduler: {type: gto, age_rotation: 50000}.
 *   parameters_from: device.yaml, relative to the file that says so, names a file of parameters: heddle: 1, description,
 *   parameters. They lie below all that layers and overrides give under `parameters`; the last parameters_from holds.
 * Values       A unit is written where the declaration names one, and not where none is: "48 KiB", "5 cycles", "3 ns",
 *   "924 MHz". k, M, G are powers of ten for hertz; KiB, MiB, GiB powers of two for bytes.
 * Layers       Mappings merge key by key (a block by its name, a parameter by its dotted name), all else is replaced.
 *   Plug-ins are added to those of the file that it extends.
 *   A link of a file is added to those of the file that it extends, and takes the place of the one with the same
 *   from and to. A layer that changes kind or type of a block drops the parameters that earlier layers gave and that the
 *   old class declares and the new one does not, or not with that type and unit. The tag !replace in front of a mapping
 *   or a list makes it take the place of the extended one whole.
 * Overrides    "path=value", value in YAML: blocks.core.parameters.warps=16, or short core.warps=16, clocks.core=1 GHz.
 * Links        from and to are block.port, block[3].port, block[0..4].port, block.port[2]. Each side is a list of port
 *   elements, by instance and then by port element; the two are joined one to one. An array port without index takes
 *   the lowest elements that no link names by index, in the order of the links; its instances share them evenly, so
 *   that the other side decides how many (two such sides: the one with more instances). Numbers must match.
 *   latency is "5 cycles" of the sender's clock or a time of at least one such cycle. credit_latency likewise; default
 *   the latency. credits is how many packets may be under way. A link of the memory protocol is two: requests, and
 *   responses the other way, which response_latency, response_credit_latency and response_credits describe. A tap
 *   (hd_tap.h) is written as a link from who is listened to, and has none of these keys.
 * Messages     What a block declares to send on a port must be accepted by the port it leads to. A block that forwards
 *   does so by destination: someone behind it must accept each message that enters it, and whoever stands behind it
 *   must accept some of what can reach it.
 * Together     Values that are good each by itself may be refused by the class of their block (hd_block_class.check). The
 *   address windows of all blocks (hd_window) must not overlap.
 * Bounds       4 MiB per file, 64 levels of nesting, 100000 nodes with aliases expanded, 16 files that extend each
 *   other, 32 files of parameters, 65535 instances of blocks, 1048576 links. The only YAML tag is !replace.
 */
#ifndef NETLIST_H
#define NETLIST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "hd_block.h"
#include "hd_hash.h"
#include "hd_time.h"
#include "text_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NETLIST_NONE UINT32_MAX

/* Where something was written. line and column count from 1; line 0: nowhere, it is the declared default. */
typedef struct netlist_place {
    const char *file; /* as opened, or "<command line>", or "<default>" */
    uint32_t line;
    uint32_t column;
} netlist_place;

struct hd_bus_window;

typedef struct netlist_clock {
    const char *name;
    uint64_t hz; /* 1 .. 10^12 */
    netlist_place place;
} netlist_clock;

/* A parameter that a layer gave for a kind and type that a later layer changed, and that the new class does not have, or
 * not with that type and unit. */
typedef struct netlist_dropped {
    const char *name;
    const char *text;                  /* as it was written */
    const hd_block_class *block_class; /* that has it */
    netlist_place place;               /* of the value */
} netlist_dropped;

/* A block as written: `count` instances of one class. */
typedef struct netlist_block {
    const char *name;
    const hd_block_class *block_class; /* the caller's */
    uint32_t count;                    /* >= 1 */
    uint32_t is_array;                 /* count was written: instances are name[0].. even if there is one */
    uint32_t clock;                    /* index in netlist.clocks */
    uint32_t first_endpoint;           /* instance i has endpoint first_endpoint + i; all instances in file order */
    const hd_value *values;            /* block_class->parameter_count of them, ready for create */
    const netlist_place *origins;      /* where each value comes from */
    const uint32_t *port_elements;     /* bound elements of port p of instance i: [i * port_count + p] */
    const char *parameters_from;       /* the file of parameters, as opened; NULL = none */
    const netlist_dropped *dropped;
    uint32_t dropped_count;
    netlist_place place;
} netlist_block;

/* One element of a port of one instance. */
typedef struct netlist_end {
    uint32_t block;    /* index in netlist.blocks */
    uint32_t instance; /* in its array */
    uint32_t port;     /* index in the class's ports */
    uint32_t element;  /* of the port */
} netlist_end;

/* One direction of a link. */
typedef struct netlist_channel {
    hd_time latency;        /* ps, >= one cycle of the side that sends */
    hd_time credit_latency; /* ps, >= one cycle of the side that sends */
    uint32_t credits;       /* >= 1 */
    uint32_t is_reply;      /* it carries replies of the memory (replies.c): perturb delays them */
} netlist_channel;

/* What a link of the memory protocol is told of the SystemC model at one end, a bit each; 0: it is as others are. */
#define NETLIST_ADDRESS 0u /* "address: channel": the model has addresses of its channel, without gaps */
#define NETLIST_EARLY_COMPLETION                                                                                       \
    1u                   /* "early_completion: false": TLM_ACCEPTED is all that it is answered, phases are calls */
#define NETLIST_DEBUG 2u /* "debug: absent": its transport_dbg is not called */
#define NETLIST_OPTIONS 3u
/* The key, and the value that sets the bit. */
const char *netlist_option_text(uint32_t option, const char **value);

/* For how long a SystemC model with threads of its own is waited for, in real time. */
#define NETLIST_ANSWERS 0u /* the one at the link's end: for its answer, while simulated time stands still */
#define NETLIST_BEGINS 1u  /* the one at its beginning: for what it does next, while nothing else moves */
#define NETLIST_WITHINS 2u
extern const char *const netlist_within_keys[NETLIST_WITHINS];

typedef struct netlist_link {
    netlist_end from; /* SEND, INITIATOR or TAPPED */
    netlist_end to;   /* RECEIVE, TARGET or TAP */
    uint32_t is_memory;
    uint32_t options;                /* 1 << NETLIST_ADDRESS ... */
    hd_time within[NETLIST_WITHINS]; /* ps; 0: the model has no threads of its own that would be waited for */
    uint32_t is_tap;                 /* no link of packets: both channels are zero (hd_tap.h) */
    netlist_channel forward;         /* packets or requests */
    netlist_channel response;        /* memory protocol only: to -> from; otherwise zero */
    netlist_place place;
} netlist_link;

/* Partition p is instance p of the block. What the rest means: hd_extension.h. */
typedef struct netlist_address_map {
    uint32_t block; /* index in netlist.blocks, or NETLIST_NONE if the machine has none */
    uint32_t interleave_bytes;
    uint32_t sub_partitions;       /* divides the number of partitions */
    uint32_t sub_interleave_bytes; /* the interleave, if nothing is said */
    uint32_t hash;                 /* HD_HASH_* */
} netlist_address_map;

/* By HD_HASH_*. */
extern const char *const netlist_hash_names[HD_HASHES];

/* Small random delays of replies, which make runs that differ only in chance. */
typedef struct netlist_perturb {
    uint64_t seed; /* 0 = off */
    hd_time delay; /* the longest, ps, >= 1 */
} netlist_perturb;

/* A plug-in that was loaded for the netlist. */
typedef struct netlist_plugin {
    const char *path; /* absolute */
    netlist_place place;
} netlist_plugin;

/* Everything is owned by the netlist and lives until netlist_free, but for the classes, which are the caller's. */
typedef struct netlist {
    const char *name;
    const char *description; /* "" if none */
    const char *file;        /* path or name as given to netlist_load */
    uint32_t clock_count;
    uint32_t block_count;
    uint32_t link_count;
    uint32_t endpoint_count; /* instances of all blocks, <= 65535 */
    const netlist_clock *clocks;
    const netlist_block *blocks;
    const netlist_link *links; /* in file order, each flattened in the order of its elements */
    netlist_address_map address_map;
    hd_time watchdog;           /* ps without progress after which a run is given up */
    hd_time limit;              /* simulated time at which a run ends at the latest */
    uint32_t limit_is_standard; /* nobody has set it */
    uint32_t launch_align;
    netlist_perturb perturb;
    uint32_t plugin_count;
    const netlist_plugin *plugins;       /* in the order in which they were loaded, each file once */
    const struct netlist_energy *energy; /* energy.h; NULL: the machine names no table */
} netlist;

struct netlist_plugin_loader;

/* The block classes that a netlist may use. */
typedef struct netlist_registry {
    const hd_block_class *const *classes;
    size_t count;
    const struct netlist_plugin_loader *loader; /* of plug-ins; NULL: the netlist may name none */
} netlist_registry;

/* A plug-in that somebody else than a file asks for: where ("<command line>"), what stands in front of the path there
 * ("--plugin "), and the path from the working directory. */
typedef struct netlist_plugin_request {
    const char *where;
    const char *before;
    const char *path;
} netlist_plugin_request;

/* How netlist_load gets at plug-ins: the requests in order, then what the files name, the extended file first. */
typedef struct netlist_plugin_loader {
    void *context;
    /* Path from the working directory. 0 = loaded, maybe before, and *registry is what there is from now on. Otherwise
     * the number of an error, and *refusal is its sentence, to be freed; further lines are notes. */
    uint32_t (*load)(void *context, const char *path, netlist_registry *registry, char **refusal);
    const netlist_plugin_request *requests;
    size_t request_count;
    const char *folder; /* where a plug-in without '/' in its path is that is not beside its file; may be NULL */
} netlist_plugin_loader;

/*
 * Loads and checks. On failure returns NULL and sets *errors to the whole text for the user (at most 20 errors, those
 * of the first phase that has any; lines end in \n), to be freed by the caller; on success *errors is NULL.
 * overrides: override_count texts "path=value", later ones win.
 */
netlist *netlist_load(const char *path, netlist_registry registry, const char *const *overrides, size_t override_count,
                      char **errors);

/* NULL is accepted. */
void netlist_free(netlist *machine);

/*
 * Text, in the same form as above, for a block that refused its parameters in create: error[N41], at the block.
 * `refusal` is the line that create gave. To be freed by the caller.
 */
char *netlist_refusal(const netlist *machine, uint32_t block, const char *refusal);

/* "core[3]", or "tb_scheduler" if the block is no array. Writes at most bytes, final zero included; returns text. */
const char *netlist_instance_name(const netlist *machine, uint32_t block, uint32_t instance, char *text, size_t bytes);

/* The class of that kind and type, or NULL. */
const hd_block_class *netlist_find_class(netlist_registry registry, const char *kind, const char *type);

/* The first block that makes work of its own, so that the machine needs no app; NULL: there is none. */
const netlist_block *netlist_self_driven(const netlist *machine);

/* Which addresses lie behind an initiator port of one instance: hd_bus_map (hd_extension.h). */
uint32_t netlist_bus_map(const netlist *machine, uint32_t block, uint32_t instance, uint32_t port,
                         struct hd_bus_window *windows, uint32_t capacity);

/* The machine as Graphviz dot text: a cluster per clock, a node per block, an edge per row of links that are alike. */
void netlist_graph(const netlist *machine, FILE *out);
/* Blocks with their numbers and clocks, and who is linked with whom: as much as a small picture can hold. */
void netlist_graph_brief(const netlist *machine, FILE *out);

/* Where everything is: address windows, memory partitions and what lies behind them, endpoints of all instances,
 * and how soon each block reaches another. */
void netlist_map(const netlist *machine, FILE *out);

/* ---- Lists of what there is. Each returns how many there were. ---------------------------------------------------- */

/* pattern: of "kind", or of "kind/type" if it has a '/'; with *, ? and [...] as in file names; NULL = every class. */

/* A line for each class. */
size_t netlist_list_classes(netlist_registry registry, const char *pattern, enum text_format format, FILE *out);

/* Each class with parameters, what does not go together, ports, messages, address windows and statistics. */
size_t netlist_list_details(netlist_registry registry, const char *pattern, enum text_format format, FILE *out);

/* The units that blocks are put together from, each with all that it declares and requires: those whose kind, "kind/name" or
 * parameter matches. Behind them choices of parts that are no units. */
size_t netlist_list_units(netlist_registry registry, const char *pattern, enum text_format format, FILE *out);

/* Message types whose name matches, with who sends and who accepts them. */
size_t netlist_list_messages(netlist_registry registry, const char *pattern, enum text_format format, FILE *out);

/* Protocols whose name matches, with the ports that speak them. */
size_t netlist_list_protocols(netlist_registry registry, const char *pattern, enum text_format format, FILE *out);

/* Numbers of errors that match ("N3?"), with their meaning. */
size_t netlist_list_errors(const char *pattern, enum text_format format, FILE *out);

/* The machines that have a name in the working directory (machine_names.h), by folder. */
size_t netlist_list_machines(const char *pattern, enum text_format format, FILE *out);

/* The whole netlist as a YAML file that loads to the same machine; the comment of a line says where it comes from. */
void netlist_print(const netlist *machine, FILE *out);

/* The same as JSON, without origins, so that it does not depend on where the files lie. A new reference. */
struct json_t;
struct json_t *netlist_json(const netlist *machine);

/* The meaning of error number `number` (7 for N07) in one line, or NULL if there is no such number. */
const char *netlist_error_meaning(uint32_t number);

/* The keys that a section may have, by index from 0; NULL: there are no more. Sections: "machine", which is the file
 * itself, "address_map", "perturb", "block", "link". */
const char *netlist_key(const char *section, size_t index);

#ifdef __cplusplus
}
#endif

#endif
