/* SPDX-License-Identifier: MIT */
#include "history.h"

static void add_version(list *versions, uint64_t address, uint64_t moment, uint32_t value, uint32_t known)
{
    version *last = versions->count ? (version *)versions->items + versions->count - 1 : NULL;
    if (!last || last->address != address || last->moment != moment)
        last = list_add(versions, sizeof *last);
    *last = (version){.address = address, .moment = moment, .value = value, .known = known};
}

version version_before(const history *history, uint64_t address, const graph_access *access, size_t count)
{
    const image_word before = checker_word(history->checker, address);
    version version = {.address = address, .value = before.before, .known = before.is_known_before ? UINT32_MAX : 0};
    uint32_t written = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = hd_bits_of_bytes(access[i].byte_mask);
        const uint32_t learned = access[i].is_write ? 0 : bits & ~version.known & ~written;
        version.value = (version.value & ~learned) | (access[i].value & learned);
        version.known |= learned;
        written |= access[i].is_write ? bits : 0;
    }
    return version;
}

void versions_list(const history *history, const list *accesses, list *versions)
{
    const graph_access *access = accesses->items;
    for (size_t i = 0, end; i < accesses->count; i = end) {
        end = graph_end_of_word(accesses, i);
        version now = version_before(history, access[i].address, access + i, end - i);
        add_version(versions, now.address, 0, now.value, now.known);
        for (size_t k = i; k < end; k++) {
            const uint32_t bits = access[k].is_write ? hd_bits_of_bytes(access[k].byte_mask) : 0;
            now.value = (now.value & ~bits) | (access[k].value & bits);
            now.known |= bits;
            if (bits)
                add_version(versions, now.address, access[k].number + 1, now.value, now.known);
        }
    }
}

size_t versions_find(const list *versions, uint64_t address, uint64_t moment)
{
    const version *version = versions->items;
    size_t low = 0, high = versions->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_places(version[middle].address, version[middle].moment, address, moment) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
