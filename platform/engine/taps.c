/* SPDX-License-Identifier: MIT */
/* Taps (hd_tap.h): who listens to whom, and which blocks have to be advanced together. */
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"

/* ---- What an ordering point calls -------------------------------------------------------------------------------- */

/* The listener has done all before t, and is called at t or soon after. On the thread that advances the group: nobody else
 * looks at when its blocks are to be called. */
static void wake(const tap_joint *joint, hd_time t)
{
    node *node = joint->wakes;
    if (!node)
        return;
    hd_time *next = &node->engine->next[node->index];
    if (*next < t)
        window_run_block(node->engine, node, t);
    node->woken = hd_earlier(node->woken, t);
    if (t < *next)
        *next = hd_earlier(*next, node_edge(node, t));
}

static uint32_t on_sample(hd_block *listener, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    const tap_joint *joint = (const tap_joint *)listener;
    wake(joint, access->t);
    return joint->tap->on_sample ? joint->tap->on_sample(joint->context, element, access, note) : HD_TAP_PASS;
}

static uint32_t on_write(hd_block *listener, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    const tap_joint *joint = (const tap_joint *)listener;
    wake(joint, access->t);
    return joint->tap->on_write ? joint->tap->on_write(joint->context, element, access, note) : HD_TAP_PASS;
}

static void on_release(hd_block *listener, uint32_t element, const hd_tap_release *release)
{
    const tap_joint *joint = (const tap_joint *)listener;
    wake(joint, release->t);
    if (joint->tap->release)
        joint->tap->release(joint->context, element, release);
}

static const hd_tap through_engine = {on_sample, on_write, on_release};

/* ---- Who listens to whom ----------------------------------------------------------------------------------------- */

uint32_t taps_are_joined(const hd_engine *engine, const hd_binding *binding)
{
    const uint32_t block = binding->from_block != HD_FOREIGN ? binding->from_block : binding->to_block;
    const uint32_t port = binding->from_block != HD_FOREIGN ? binding->from_port : binding->to_port;
    return engine->nodes[block]->block_class->ports[port].direction >= HD_PORT_TAPPED;
}

static tap_joint *add_joint(hd_engine *engine, tap_joint joint)
{
    tap_joint *added = malloc(sizeof *added);
    if (!added)
        abort();
    *added = joint;
    engine->taps = grow(engine->taps, engine->tap_count, sizeof *engine->taps);
    engine->taps[engine->tap_count++] = added;
    return added;
}

void taps_add(hd_engine *engine, const hd_binding *binding)
{
    add_joint(engine, (tap_joint){.tapped = binding->from_block,
                                  .tapped_port = binding->from_port,
                                  .tapped_element = binding->from_element,
                                  .listener = binding->to_block,
                                  .port = binding->to_port,
                                  .element = binding->to_element});
}

void hd_engine_add_tap(hd_engine *engine, uint32_t block, uint32_t port, uint32_t element, const hd_tap *tap,
                       hd_block *context)
{
    add_joint(engine, (tap_joint){.tapped = block,
                                  .tapped_port = port,
                                  .tapped_element = element,
                                  .listener = HD_FOREIGN,
                                  .tap = tap,
                                  .context = context});
}

static const void *ability(const node *node, const char *id)
{
    return node->block_class->extension ? node->block_class->extension(node->block, id) : NULL;
}

static uint32_t complain(const hd_text_sink *errors, const node *node, const char *what)
{
    if (errors)
        errors->line(errors->context, "%s: %s", node->name, what);
    return 1;
}

static uint32_t find_listener(hd_engine *engine, tap_joint *joint, const hd_text_sink *errors)
{
    if (joint->listener == HD_FOREIGN)
        return 0;
    node *listener = engine->nodes[joint->listener];
    joint->tap = ability(listener, HD_EXTENSION_TAP);
    joint->context = listener->block;
    joint->wakes = listener;
    return joint->tap ? 0 : complain(errors, listener, "has a port for taps and does not offer " HD_EXTENSION_TAP);
}

static int by_element(const void *a, const void *b)
{
    const tap_joint *left = *(tap_joint *const *)a, *right = *(tap_joint *const *)b;
    if (left->tapped != right->tapped)
        return left->tapped < right->tapped ? -1 : 1;
    if (left->tapped_port != right->tapped_port)
        return left->tapped_port < right->tapped_port ? -1 : 1;
    return left->tapped_element < right->tapped_element ? -1 : left->tapped_element > right->tapped_element;
}

static uint32_t is_bound_twice(const hd_engine *engine, uint32_t index)
{
    const tap_joint *joint = engine->taps[index];
    for (uint32_t i = 0; i < index && joint->listener != HD_FOREIGN; i++) {
        const tap_joint *other = engine->taps[i];
        if (other->listener == joint->listener && other->port == joint->port && other->element == joint->element)
            return 1;
    }
    return 0;
}

static uint32_t attach(hd_engine *engine, uint32_t index, const hd_text_sink *errors)
{
    tap_joint *joint = engine->taps[index];
    const node *tapped = engine->nodes[joint->tapped];
    const hd_tapped *offered = ability(tapped, HD_EXTENSION_TAPPED);
    if (!offered)
        return complain(errors, tapped, "has a port for taps and does not offer " HD_EXTENSION_TAPPED);
    const tap_joint *before = index ? engine->taps[index - 1] : NULL;
    const uint32_t is_first = !before || before->tapped != joint->tapped || before->tapped_port != joint->tapped_port;
    if (joint->tapped_element != (is_first ? 0 : before->tapped_element + 1))
        return complain(errors, tapped, "an element of its port for taps is bound twice, or one is left out");
    if (joint->tapped_element >= tapped->block_class->ports[joint->tapped_port].maximum_count)
        return complain(errors, tapped, "more taps than its port has elements");
    if (is_bound_twice(engine, index))
        return complain(errors, engine->nodes[joint->listener], "listens twice by one element of its port");
    if (find_listener(engine, joint, errors))
        return 1;
    offered->attach(tapped->block, joint->tapped_element, &through_engine, (hd_block *)joint, joint->element);
    return 0;
}

void taps_attach_again(node *node)
{
    const hd_engine *engine = node->engine;
    for (uint32_t i = 0; i < engine->tap_count; i++) {
        tap_joint *joint = engine->taps[i];
        const hd_tapped *offered = joint->tapped == node->index ? ability(node, HD_EXTENSION_TAPPED) : NULL;
        if (joint->wakes == node)
            joint->context = node->block;
        if (offered)
            offered->attach(node->block, joint->tapped_element, &through_engine, (hd_block *)joint, joint->element);
    }
}

/* ---- Groups ------------------------------------------------------------------------------------------------------ */

static void add_member(tap_group *group, node *node)
{
    group->members = grow(group->members, group->count, sizeof(struct node *));
    group->members[group->count++] = node;
    node->group = group;
}

static void free_group(hd_engine *engine, tap_group *group)
{
    for (uint32_t i = 0; i < engine->group_count; i++)
        if (engine->groups[i] == group)
            engine->groups[i] = engine->groups[--engine->group_count];
    free(group->members);
    free(group);
}

static tap_group *group_of(hd_engine *engine, node *node)
{
    if (node->group)
        return node->group;
    tap_group *group = calloc(1, sizeof *group);
    if (!group)
        abort();
    engine->groups = grow(engine->groups, engine->group_count, sizeof *engine->groups);
    engine->groups[engine->group_count++] = group;
    add_member(group, node);
    return group;
}

static void unite(hd_engine *engine, node *a, node *b)
{
    tap_group *into = group_of(engine, a), *from = group_of(engine, b);
    if (into == from)
        return;
    for (uint32_t i = 0; i < from->count; i++)
        add_member(into, from->members[i]);
    free_group(engine, from);
}

/* Longest chain of ordering points before each block. Returns 0 if there is a circle. */
static uint32_t measure_depths(hd_engine *engine)
{
    for (uint32_t round = 0; round <= engine->node_count; round++) {
        uint32_t changed = 0;
        for (uint32_t i = 0; i < engine->tap_count; i++) {
            const tap_joint *joint = engine->taps[i];
            const uint32_t depth = engine->nodes[joint->tapped]->tap_depth + 1;
            if (joint->wakes && joint->wakes->tap_depth < depth) {
                joint->wakes->tap_depth = depth;
                changed = 1;
            }
        }
        if (!changed)
            return 1;
    }
    return 0;
}

static int by_depth(const void *a, const void *b)
{
    const node *left = *(node *const *)a, *right = *(node *const *)b;
    if (left->tap_depth != right->tap_depth)
        return left->tap_depth < right->tap_depth ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

/* Does one of them listen to two, which it cannot follow both but by turns? */
static uint32_t takes_turns(const hd_engine *engine, const tap_group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t listens = 0;
        for (uint32_t j = 0; j < engine->tap_count; j++)
            listens += engine->taps[j]->wakes == group->members[i];
        if (listens > 1)
            return 1;
    }
    return 0;
}

/* What one of a group does may reach others as soon as what any of them does: it may be due to any. */
static void finish_group(hd_engine *engine, tap_group *group)
{
    qsort(group->members, group->count, sizeof(node *), by_depth);
    group->takes_turns = takes_turns(engine, group);
    hd_time soonest = HD_NEVER;
    for (uint32_t i = 0; i < group->count; i++)
        soonest = hd_earlier(soonest, engine->out_latency[group->members[i]->index]);
    for (uint32_t i = 0; i < group->count; i++)
        engine->out_latency[group->members[i]->index] = soonest;
}

uint32_t taps_attach(hd_engine *engine, const hd_text_sink *errors)
{
    uint32_t wrong = 0;
    if (engine->tap_count)
        qsort(engine->taps, engine->tap_count, sizeof *engine->taps, by_element);
    for (uint32_t i = 0; i < engine->tap_count; i++)
        wrong += attach(engine, i, errors);
    if (wrong)
        return wrong;
    for (uint32_t i = 0; i < engine->tap_count; i++)
        if (engine->taps[i]->wakes)
            unite(engine, engine->nodes[engine->taps[i]->tapped], engine->taps[i]->wakes);
    if (!measure_depths(engine))
        return complain(errors, engine->groups[0]->members[0], "listens to itself, through taps in a circle");
    for (uint32_t i = 0; i < engine->group_count; i++)
        finish_group(engine, engine->groups[i]);
    return 0;
}

void taps_destroy(hd_engine *engine)
{
    while (engine->group_count)
        free_group(engine, engine->groups[0]);
    for (uint32_t i = 0; i < engine->tap_count; i++)
        free(engine->taps[i]);
    free(engine->groups);
    free(engine->taps);
}
