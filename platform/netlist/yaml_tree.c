/* SPDX-License-Identifier: MIT */
#include "yaml_tree.h"

#include <string.h>
#include <yaml.h>

#include "utf8.h"

typedef struct anchor {
    const char *name;
    const node *target;
} anchor;

typedef struct tree_builder {
    arena *memory;
    diagnostics *log;
    const source *where;
    uint32_t column_offset;
    uint32_t end_column; /* of an override: the parser counts its end as a new line */
    yaml_parser_t parser;
    uint32_t nodes; /* aliases expanded */
    anchor *anchors;
    uint32_t anchor_count;
    uint32_t anchor_capacity;
} tree_builder;

static const node *build_node(tree_builder *builder, yaml_event_t *event, uint32_t depth);

node *netlist_new_node(arena *memory, enum node_kind kind, span at)
{
    node *result = arena_alloc(memory, sizeof *result);
    *result = (node){.kind = kind, .at = at, .text = "", .nodes = 1, .height = 1};
    return result;
}

const node *netlist_new_scalar(arena *memory, const char *text, span at)
{
    node *result = netlist_new_node(memory, NODE_SCALAR, at);
    result->text = text;
    result->is_plain = 1;
    return result;
}

void netlist_append(arena *memory, node *parent, const node *key, const node *value)
{
    parent->entries = arena_grow(memory, parent->entries, parent->count, &parent->capacity, sizeof *parent->entries);
    parent->entries[parent->count++] = (entry){key, value};
    parent->nodes += value->nodes + (key != NULL);
    if (value->height + 1 > parent->height)
        parent->height = value->height + 1;
}

const entry *netlist_entry(const node *mapping, const char *key)
{
    for (uint32_t i = 0; mapping && i < mapping->count; i++) {
        const entry *candidate = &mapping->entries[i];
        if (candidate->key && strcmp(candidate->key->text, key) == 0)
            return candidate;
    }
    return NULL;
}

const node *netlist_find(const node *mapping, const char *key)
{
    const entry *found = netlist_entry(mapping, key);
    return found ? found->value : NULL;
}

const node *netlist_find_kind(const node *mapping, const char *key, enum node_kind kind)
{
    const node *found = netlist_find(mapping, key);
    return found && found->kind == kind ? found : NULL;
}

int netlist_is_null(const node *value)
{
    return value->kind == NODE_SCALAR && value->is_plain &&
           (!*value->text || strcmp(value->text, "~") == 0 || strcmp(value->text, "null") == 0);
}

span netlist_span_within(const node *scalar, uint32_t offset, uint32_t width)
{
    span at = scalar->at;
    at.column += offset + (scalar->is_plain ? 0 : 1);
    at.width = width ? width : 1;
    return at;
}

/* ---- Events to nodes -------------------------------------------------------------------------------------------- */

static span mark_span(const tree_builder *builder, yaml_mark_t start, yaml_mark_t end)
{
    span at = {builder->where, (uint32_t)start.line + 1, (uint32_t)start.column + 1, 1};
    if (start.line == 0)
        at.column += builder->column_offset;
    if (builder->column_offset && start.line > 0)
        return (span){builder->where, 1, builder->end_column, 1};
    if (end.line == start.line && end.column > start.column)
        at.width = (uint32_t)(end.column - start.column);
    else if (end.line > start.line)
        at.width = UINT32_MAX;
    return at;
}

static const node *exceeded(tree_builder *builder, span at, const char *what, uint32_t bound)
{
    at.width = 1;
    report_error(builder->log, ERROR_BOUND, at, "more than %u %s", bound, what);
    return NULL;
}

static char byte_at(const tree_builder *builder, span at)
{
    const source *where = builder->where;
    if (builder->column_offset || at.line > where->line_count)
        return 0;
    size_t offset = where->line_starts[at.line - 1] + at.column - 1;
    return offset < where->length ? where->text[offset] : 0;
}

/* What the parser says, where what it was reading began, and what that mostly means. */
static void report_problem(tree_builder *builder, span at)
{
    const yaml_parser_t *parser = &builder->parser;
    const char *problem = parser->problem ? parser->problem : "the YAML parser ran out of memory";
    const char *context = parser->context ? parser->context : "";
    span began = mark_span(builder, parser->context_mark, parser->context_mark);
    int is_elsewhere = *context && (began.line != at.line || began.column != at.column);
    report_error(builder->log, ERROR_SYNTAX, at, "%s%s%s", problem, *context ? ", " : "", context);
    if (is_elsewhere)
        report_note_at(builder->log, began, "it begins here");
    if (strcmp(problem, "did not find expected key") == 0)
        report_note(builder->log, "the keys of a mapping all begin in the same column");
    if (at.line && byte_at(builder, at) == '\t')
        report_note(builder->log, "YAML is indented with blanks, not with tabs");
    if (at.line && byte_at(builder, at) == '[')
        report_note(builder->log, "within braces, a value with brackets must be quoted: {from: \"core[3].request\"}");
}

static int next_event(tree_builder *builder, yaml_event_t *event)
{
    yaml_parser_t *parser = &builder->parser;
    if (yaml_parser_parse(parser, event))
        return 1;
    span at = mark_span(builder, parser->problem_mark, parser->problem_mark);
    if (parser->error == YAML_READER_ERROR) {
        at = builder->column_offset ? (span){builder->where, 1, builder->column_offset + 1, 1}
                                    : span_at(builder->where, parser->problem_offset);
        report_error(builder->log, ERROR_SYNTAX, at, "a character that YAML does not allow");
        return 0;
    }
    report_problem(builder, at);
    return 0;
}

static int add_anchor(tree_builder *builder, const yaml_char_t *name, const node *target)
{
    if (!name)
        return 1;
    if (builder->anchor_count == NETLIST_ANCHORS_MAX)
        return exceeded(builder, target->at, "anchors", NETLIST_ANCHORS_MAX) != NULL;
    builder->anchors = arena_grow(builder->memory, builder->anchors, builder->anchor_count, &builder->anchor_capacity,
                                  sizeof *builder->anchors);
    const char *text = arena_copy(builder->memory, (const char *)name, strlen((const char *)name));
    builder->anchors[builder->anchor_count++] = (anchor){text, target};
    return 1;
}

static const node *build_alias(tree_builder *builder, const yaml_event_t *event, uint32_t depth)
{
    span at = mark_span(builder, event->start_mark, event->end_mark);
    const char *name = (const char *)event->data.alias.anchor;
    for (uint32_t i = builder->anchor_count; i-- > 0;) {
        const node *target = builder->anchors[i].target;
        if (strcmp(builder->anchors[i].name, name) != 0)
            continue;
        if (target->height + depth > NETLIST_DEPTH_MAX)
            return exceeded(builder, at, "levels of nesting", NETLIST_DEPTH_MAX);
        if (target->nodes > NETLIST_NODES_MAX - builder->nodes)
            return exceeded(builder, at, "nodes, aliases expanded", NETLIST_NODES_MAX);
        builder->nodes += target->nodes;
        return target;
    }
    report_error(builder->log, ERROR_SYNTAX, at, "alias '*%s' has no complete anchor '&%s' before it", name, name);
    return NULL;
}

/* The only tag with a meaning is !replace, on a mapping or a list. */
static int read_tag(tree_builder *builder, node *result, const yaml_char_t *tag)
{
    if (!tag || strcmp((const char *)tag, "!") == 0)
        return 1;
    if (strcmp((const char *)tag, "!replace") == 0 && result->kind != NODE_SCALAR) {
        result->replaces = 1;
        return 1;
    }
    span at = result->at;
    at.width = 1;
    report_error(builder->log, ERROR_SYNTAX, at, "tag '%s' has no meaning here", (const char *)tag);
    report_note(builder->log, "the only tag is !replace, in front of a mapping or a list");
    return 0;
}

static const node *build_scalar(tree_builder *builder, const yaml_event_t *event)
{
    node *result =
        netlist_new_node(builder->memory, NODE_SCALAR, mark_span(builder, event->start_mark, event->end_mark));
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(text, 0, length)) {
        report_error(builder->log, ERROR_SYNTAX, result->at, "a character that YAML does not allow");
        return NULL;
    }
    result->text = arena_copy(builder->memory, text, length);
    result->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (!read_tag(builder, result, event->data.scalar.tag) || !add_anchor(builder, event->data.scalar.anchor, result))
        return NULL;
    return result;
}

static const node *duplicate_key(tree_builder *builder, const node *key, const node *first)
{
    report_error(builder->log, ERROR_DUPLICATE_KEY, key->at, "key '%s' is written twice", key->text);
    report_note_at(builder->log, first->at, "first written here");
    return NULL;
}

static const node *build_key(tree_builder *builder, const node *mapping, yaml_event_t *event, uint32_t depth)
{
    const node *key = build_node(builder, event, depth);
    if (!key)
        return NULL;
    if (key->kind != NODE_SCALAR) {
        span at = key->at;
        at.width = 1;
        report_error(builder->log, ERROR_SYNTAX, at, "a key must be a single value");
        return NULL;
    }
    const entry *first = netlist_entry(mapping, key->text);
    if (first)
        return duplicate_key(builder, key, first->key);
    if (mapping->count == NETLIST_KEYS_MAX)
        return exceeded(builder, key->at, "keys in one mapping", NETLIST_KEYS_MAX);
    return key;
}

/* Fills a mapping or a list up to its end event. */
static int build_entries(tree_builder *builder, node *parent, yaml_event_type_t end, uint32_t depth)
{
    for (;;) {
        yaml_event_t event;
        const node *key = NULL;
        if (!next_event(builder, &event))
            return 0;
        if (event.type == end) {
            yaml_event_delete(&event);
            return 1;
        }
        if (parent->kind == NODE_MAPPING) {
            key = build_key(builder, parent, &event, depth);
            if (!key || !next_event(builder, &event))
                return 0;
        }
        const node *value = build_node(builder, &event, depth);
        if (!value)
            return 0;
        netlist_append(builder->memory, parent, key, value);
    }
}

static const node *build_collection(tree_builder *builder, const yaml_event_t *event, uint32_t depth)
{
    int is_mapping = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *name = is_mapping ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    const yaml_char_t *tag = is_mapping ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    node *result = netlist_new_node(builder->memory, is_mapping ? NODE_MAPPING : NODE_SEQUENCE,
                                    mark_span(builder, event->start_mark, event->end_mark));
    if (!read_tag(builder, result, tag) ||
        !build_entries(builder, result, is_mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT, depth + 1) ||
        !add_anchor(builder, name, result))
        return NULL;
    return result;
}

static const node *build_one(tree_builder *builder, const yaml_event_t *event, uint32_t depth)
{
    span at = mark_span(builder, event->start_mark, event->end_mark);
    if (depth > NETLIST_DEPTH_MAX)
        return exceeded(builder, at, "levels of nesting", NETLIST_DEPTH_MAX);
    if (event->type == YAML_ALIAS_EVENT)
        return build_alias(builder, event, depth);
    if (builder->nodes++ >= NETLIST_NODES_MAX)
        return exceeded(builder, at, "nodes, aliases expanded", NETLIST_NODES_MAX);
    return event->type == YAML_SCALAR_EVENT ? build_scalar(builder, event) : build_collection(builder, event, depth);
}

static const node *build_node(tree_builder *builder, yaml_event_t *event, uint32_t depth)
{
    const node *result = build_one(builder, event, depth);
    yaml_event_delete(event);
    return result;
}

static const node *build_document(tree_builder *builder)
{
    const node *root = NULL;
    for (;;) {
        yaml_event_t event;
        if (!next_event(builder, &event))
            return NULL;
        yaml_event_type_t type = event.type;
        span at = mark_span(builder, event.start_mark, event.start_mark);
        if (type == YAML_SCALAR_EVENT || type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT ||
            type == YAML_ALIAS_EVENT) {
            root = build_node(builder, &event, 1);
            if (!root)
                return NULL;
            continue;
        }
        yaml_event_delete(&event);
        if (type == YAML_DOCUMENT_START_EVENT && root) {
            report_error(builder->log, ERROR_SYNTAX, at, "a second document; a file holds one");
            return NULL;
        }
        if (type == YAML_STREAM_END_EVENT)
            break;
    }
    if (!root)
        report_error(builder->log, ERROR_EMPTY, (span){.source = builder->where}, "there is no YAML document");
    return root;
}

const node *netlist_parse(arena *memory, diagnostics *log, const source *where, const char *text, size_t length,
                          uint32_t column_offset)
{
    tree_builder builder = {.memory = memory, .log = log, .where = where, .column_offset = column_offset};
    builder.end_column = column_offset + utf8_columns(text, length) + 1;
    if (!yaml_parser_initialize(&builder.parser)) {
        report_error(log, ERROR_SYNTAX, (span){.source = where}, "the YAML parser ran out of memory");
        return NULL;
    }
    yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&builder.parser, (const unsigned char *)text, length);
    const node *root = build_document(&builder);
    yaml_parser_delete(&builder.parser);
    return root;
}
