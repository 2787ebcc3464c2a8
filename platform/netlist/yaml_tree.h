/* SPDX-License-Identifier: MIT */
/*
 * A YAML document as a tree whose every node knows where it was written. Nodes are never changed once they are built:
 * an alias is the same node again, and merging makes new nodes.
 */
#ifndef NETLIST_YAML_TREE_H
#define NETLIST_YAML_TREE_H

#include "diagnostics.h"
#include "netlist_errors.h"

#define NETLIST_DEPTH_MAX 64u
#define NETLIST_NODES_MAX 100000u /* each use of an alias counts all that it stands for */
#define NETLIST_KEYS_MAX 4096u    /* in one mapping */
#define NETLIST_ANCHORS_MAX 1000u

enum node_kind { NODE_SCALAR = 1, NODE_SEQUENCE, NODE_MAPPING };

typedef struct node node;

typedef struct entry {
    const node *key; /* NULL in a sequence; otherwise a scalar */
    const node *value;
} entry;

struct node {
    enum node_kind kind;
    span at;
    const char *text;  /* of a scalar */
    uint32_t is_plain; /* a scalar without quotes */
    uint32_t replaces; /* tagged !replace */
    uint32_t count;    /* of entries */
    uint32_t capacity;
    entry *entries;
    const node *former; /* of a mapping whose kind or type a later layer changed: as it was before */
    uint32_t nodes;     /* in this tree, itself included */
    uint32_t height;    /* of this tree, 1 for a scalar */
};

/*
 * Parses `length` bytes of text as one document. Places lie in `where`; columns of the first line are moved on by
 * column_offset. NULL after an error.
 */
const node *netlist_parse(arena *memory, diagnostics *log, const source *where, const char *text, size_t length,
                          uint32_t column_offset);

/* The entry of a mapping with that key, or NULL. */
const entry *netlist_entry(const node *mapping, const char *key);
const node *netlist_find(const node *mapping, const char *key);

/* The value if it is there and of that kind, else NULL. */
const node *netlist_find_kind(const node *mapping, const char *key, enum node_kind kind);

/* New nodes. */
node *netlist_new_node(arena *memory, enum node_kind kind, span at);
const node *netlist_new_scalar(arena *memory, const char *text, span at);
void netlist_append(arena *memory, node *parent, const node *key, const node *value);

/* A plain scalar that is empty, ~ or null. */
int netlist_is_null(const node *value);

/* `width` characters of a scalar, from its character `offset` on. */
span netlist_span_within(const node *scalar, uint32_t offset, uint32_t width);

#endif
