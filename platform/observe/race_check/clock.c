/* SPDX-License-Identifier: MIT */
#include "clock.h"

#include <stdlib.h>
#include <string.h>

uint64_t clock_until(const race_clock *clock, uint64_t who)
{
    if (!clock)
        return 0;
    uint32_t low = 0, high = clock->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (clock->entries[middle].who < who)
            low = middle + 1;
        else
            high = middle;
    }
    const uint64_t until = low < clock->count && clock->entries[low].who == who ? clock->entries[low].until : 0;
    return until > clock->floor ? until : clock->floor;
}

void clock_drop(race_clock **clock)
{
    if (*clock && --(*clock)->references == 0)
        free(*clock);
    *clock = NULL;
}

void clock_share(race_clock **clock, race_clock *other)
{
    if (other)
        other->references++;
    clock_drop(clock);
    *clock = other;
}

/* Does it know all that the other knows? */
static uint32_t covers(const race_clock *clock, const race_clock *other)
{
    if (clock == other || !other)
        return 1;
    if (!clock || other->floor > clock->floor)
        return 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < other->count; i++) {
        const clock_entry *entry = &other->entries[i];
        while (at < clock->count && clock->entries[at].who < entry->who)
            at++;
        const uint64_t until = at < clock->count && clock->entries[at].who == entry->who ? clock->entries[at].until : 0;
        if (entry->until > until && entry->until > clock->floor)
            return 0;
    }
    return 1;
}

static int newest_first(const void *a, const void *b)
{
    const clock_entry *left = a, *right = b;
    return left->until > right->until ? -1 : left->until < right->until;
}

static int by_who(const void *a, const void *b)
{
    const clock_entry *left = a, *right = b;
    return left->who < right->who ? -1 : left->who > right->who;
}

/* The oldest half gives way: all that lies as far back counts as known. */
static uint32_t shorten(clock_entry *entries, uint32_t count, uint64_t *floor)
{
    if (count <= CLOCK_ENTRIES)
        return count;
    qsort(entries, count, sizeof *entries, newest_first);
    if (entries[CLOCK_ENTRIES / 2].until > *floor)
        *floor = entries[CLOCK_ENTRIES / 2].until;
    qsort(entries, CLOCK_ENTRIES / 2, sizeof *entries, by_who);
    return CLOCK_ENTRIES / 2;
}

static race_clock *make(clock_entry *entries, uint32_t count, uint64_t floor)
{
    count = shorten(entries, count, &floor);
    race_clock *clock = malloc(sizeof *clock + count * sizeof *entries);
    if (!clock)
        abort();
    *clock = (race_clock){.references = 1, .count = count, .floor = floor};
    memcpy(clock->entries, entries, count * sizeof *entries);
    return clock;
}

static uint32_t merge(const race_clock *a, const race_clock *b, clock_entry *entries)
{
    uint32_t i = 0, j = 0, count = 0;
    while (i < a->count || j < b->count) {
        const uint64_t left = i < a->count ? a->entries[i].who : UINT64_MAX;
        const uint64_t right = j < b->count ? b->entries[j].who : UINT64_MAX;
        clock_entry entry = left <= right ? a->entries[i] : b->entries[j];
        if (left == right && b->entries[j].until > entry.until)
            entry = b->entries[j];
        i += left <= right;
        j += right <= left;
        entries[count++] = entry;
    }
    return count;
}

void clock_join(race_clock **clock, const race_clock *other)
{
    if (covers(*clock, other))
        return;
    if (covers(other, *clock)) {
        clock_share(clock, (race_clock *)other); /* of which only the references change */
        return;
    }
    clock_entry entries[2 * CLOCK_ENTRIES];
    const uint32_t count = merge(*clock, other, entries);
    const uint64_t floor = (*clock)->floor > other->floor ? (*clock)->floor : other->floor;
    clock_drop(clock);
    *clock = make(entries, count, floor);
}

void clock_learn(race_clock **clock, uint64_t who, uint64_t until)
{
    const race_clock *before = *clock;
    clock_entry entries[CLOCK_ENTRIES + 1];
    uint32_t count = 0, i = 0;
    if (clock_until(before, who) >= until)
        return;
    for (; before && i < before->count && before->entries[i].who < who; i++)
        entries[count++] = before->entries[i];
    entries[count++] = (clock_entry){.who = who, .until = until};
    for (i += before && i < before->count && before->entries[i].who == who; before && i < before->count; i++)
        entries[count++] = before->entries[i];
    race_clock *made = make(entries, count, before ? before->floor : 0);
    clock_drop(clock);
    *clock = made;
}
