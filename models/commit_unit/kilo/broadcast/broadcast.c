/* SPDX-License-Identifier: MIT */
#include "broadcast/broadcast.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- Lists of addresses ------------------------------------------------------------------------------------------------ */

static void add(address_list *list, uint32_t address)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items)
            abort();
    }
    list->items[list->count++] = address;
}

/* 1: it was there. */
static uint32_t take_out(address_list *list, uint32_t address)
{
    for (uint32_t i = list->count; i-- > 0;)
        if (list->items[i] == address) {
            list->items[i] = list->items[--list->count];
            return 1;
        }
    return 0;
}

/* ---- Life -------------------------------------------------------------------------------------------------------------- */

uint32_t broadcast_create(broadcast *broadcast, const hd_value *values)
{
    const uint64_t bits = values[PARAMETER_BROADCAST_COUNTER_BITS].u;
    broadcast->is_on = values[PARAMETER_BROADCAST].u != BROADCAST_NOTHING;
    broadcast->signs = values[PARAMETER_BROADCAST].u == BROADCAST_SIGNATURES;
    broadcast->cost = (uint32_t)values[PARAMETER_BROADCAST_COST].u;
    broadcast->at_retirement = values[PARAMETER_BROADCAST_RELEASE].u == RELEASE_RETIREMENT;
    broadcast->is_exact = values[PARAMETER_BROADCAST_SIZE].u == SIZE_EXACT;
    broadcast->interval = (uint32_t)values[PARAMETER_BROADCAST_INTERVAL].u;
    broadcast->counter_maximum = bits ? (UINT64_C(1) << bits) - 1 : UINT32_MAX;
    return !broadcast->is_on ||
           hd_word_map_create(&broadcast->counts, (uint32_t)values[PARAMETER_BROADCAST_ENTRIES].u) == 0;
}

void broadcast_destroy(broadcast *broadcast)
{
    hd_word_map_destroy(&broadcast->counts);
    for (uint32_t set = 0; set < BROADCAST_SETS; set++) {
        free(broadcast->entered[set].items);
        free(broadcast->left[set].items);
    }
    free(broadcast->receivers);
}

static void find_receivers(kilo_unit *self)
{
    broadcast *broadcast = &self->broadcast;
    const hd_receivers *all = self->services->extension(self->services->context, HD_EXTENSION_RECEIVERS);
    const uint32_t message = broadcast->signs ? self->message.signature : self->message.enter;
    broadcast->receiver_count = 0;
    for (uint32_t end = all ? all->next(all->context, message, 0) : UINT32_MAX; end != UINT32_MAX;
         end = all->next(all->context, message, end + 1)) {
        broadcast->receivers =
            realloc(broadcast->receivers, (broadcast->receiver_count + 1) * sizeof *broadcast->receivers);
        if (!broadcast->receivers)
            abort();
        broadcast->receivers[broadcast->receiver_count++] = (uint16_t)end;
    }
}

void broadcast_reset(kilo_unit *self)
{
    broadcast *broadcast = &self->broadcast;
    if (!broadcast->is_on)
        return;
    hd_word_map_clear(&broadcast->counts);
    for (uint32_t set = 0; set < BROADCAST_SETS; set++)
        broadcast->entered[set].count = broadcast->left[set].count = 0;
    memset(broadcast->signature, 0, sizeof broadcast->signature);
    broadcast->changes = 0;
    broadcast->busy = 0;
    find_receivers(self);
}

uint32_t broadcast_is_empty(const broadcast *broadcast)
{
    uint32_t left = broadcast->counts.count;
    for (uint32_t set = 0; set < BROADCAST_SETS; set++)
        left += broadcast->entered[set].count + broadcast->left[set].count + (broadcast->signature[set].told != 0);
    return !left;
}

/* ---- Messages ---------------------------------------------------------------------------------------------------------- */

/* One after the other: a network without multicast. */
static void tell_all(kilo_unit *self, uint32_t message, enum broadcast_set set, const uint32_t *addresses,
                     uint32_t count)
{
    const broadcast *broadcast = &self->broadcast;
    for (uint32_t i = 0; i < broadcast->receiver_count; i++)
        kilo_unit_send_addresses(self, broadcast->receivers[i], message, set, addresses, count);
}

static void tell(kilo_unit *self, uint32_t message, address_list *lists)
{
    for (uint32_t set = 0; set < BROADCAST_SETS; set++) {
        for (uint32_t first = 0; first < lists[set].count; first += HD_KILO_ADDRESSES) {
            const uint32_t left = lists[set].count - first;
            tell_all(self, message, (enum broadcast_set)set, lists[set].items + first,
                     left < HD_KILO_ADDRESSES ? left : HD_KILO_ADDRESSES);
        }
        lists[set].count = 0;
    }
}

/* Changes that are to be told together wait for others, unless there is nobody who may bring some. */
static uint32_t is_time(broadcast *broadcast)
{
    if (++broadcast->changes < broadcast->interval && broadcast->counts.count)
        return 0;
    broadcast->changes = 0;
    return 1;
}

/* Whether there is something to tell: of this list of words, if it is words that are told. */
static uint32_t is_due(broadcast *broadcast, const address_list *lists)
{
    const uint32_t has_changed = broadcast->signs ? broadcast_signatures_differ(broadcast)
                                                  : lists[BROADCAST_READS].count || lists[BROADCAST_WRITES].count;
    return has_changed && is_time(broadcast);
}

void broadcast_tell_entered(kilo_unit *self)
{
    broadcast *broadcast = &self->broadcast;
    if (!is_due(broadcast, broadcast->entered))
        return;
    if (broadcast->signs) {
        broadcast_tell_signatures(self);
        return;
    }
    tell(self, self->message.leave, broadcast->left);
    tell(self, self->message.enter, broadcast->entered);
}

static void tell_left(kilo_unit *self)
{
    broadcast *broadcast = &self->broadcast;
    if (!is_due(broadcast, broadcast->left))
        return;
    if (broadcast->signs) {
        broadcast_tell_signatures(self);
        return;
    }
    tell(self, self->message.leave, broadcast->left);
    if (broadcast->interval > 1)
        tell(self, self->message.enter, broadcast->entered);
}

/* ---- Counts ------------------------------------------------------------------------------------------------------------ */

static uint32_t shift_of(enum broadcast_set set)
{
    return set == BROADCAST_READS ? 0 : 32;
}

static uint64_t counted(uint64_t counts, enum broadcast_set set)
{
    return counts >> shift_of(set) & UINT32_MAX;
}

/* The word has its first reader or writer, or has lost its last. */
static void enter(broadcast *broadcast, enum broadcast_set set, uint32_t address)
{
    if (broadcast->signs)
        broadcast_sign(broadcast, set, address);
    else if (!take_out(&broadcast->left[set], address))
        add(&broadcast->entered[set], address);
}

static void leave(broadcast *broadcast, enum broadcast_set set, uint32_t address)
{
    if (broadcast->signs)
        broadcast_unsign(broadcast, set, address);
    else if (!take_out(&broadcast->entered[set], address))
        add(&broadcast->left[set], address);
}

void broadcast_count(kilo_unit *self, group *group, enum broadcast_set set, uint32_t address)
{
    broadcast *broadcast = &self->broadcast;
    const uint64_t counts = hd_word_map_get(&broadcast->counts, address);
    broadcast->busy += broadcast->cost;
    if (counted(counts, set) == broadcast->counter_maximum ||
        !hd_word_map_set(&broadcast->counts, address, counts + (UINT64_C(1) << shift_of(set)))) {
        self->counters.uncounted_words++;
        return;
    }
    kilo_unit_append(self, &group->counted[set], &(word){.address = address});
    if (!counted(counts, set))
        enter(broadcast, set, address);
    hd_raise_maximum(&self->counters.counted_maximum, broadcast->counts.count);
}

static void uncount(broadcast *broadcast, enum broadcast_set set, uint32_t address)
{
    const uint64_t counts = hd_word_map_get(&broadcast->counts, address) - (UINT64_C(1) << shift_of(set));
    hd_word_map_set(&broadcast->counts, address, counts);
    broadcast->busy += broadcast->cost;
    if (!counted(counts, set))
        leave(broadcast, set, address);
}

void broadcast_release(kilo_unit *self, group *group)
{
    for (uint32_t set = 0; set < BROADCAST_SETS; set++) {
        for (uint32_t place = group->counted[set].first; place != NONE; place = kilo_unit_word(self, place)->next)
            uncount(&self->broadcast, (enum broadcast_set)set, kilo_unit_word(self, place)->address);
        kilo_unit_free_words(self, &group->counted[set]);
    }
    tell_left(self);
}

uint32_t broadcast_is_busy(kilo_unit *self)
{
    broadcast *broadcast = &self->broadcast;
    if (!broadcast->busy)
        return 0;
    broadcast->busy--;
    self->counters.count_cycles++;
    self->has_moved = 1;
    return 1;
}
