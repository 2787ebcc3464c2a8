/* SPDX-License-Identifier: MIT */
#include "parts.h"

struct line *slice_install(struct slice *slice, const struct place *place)
{
    const uint32_t room = cache_tags_room(&slice->tags, place->set);
    struct line *line = &slice->lines[room];
    if (line->dirty)
        slice_write_back(slice, line);
    line->address = place->address;
    line->first_version = (uint32_t)(place->offset / 4) & (slice->version_count - 1);
    line->valid = line->partial = 0;
    cache_tags_put(&slice->tags, room, place->address);
    return line;
}

void slice_move_out(struct slice *slice, struct line *line, struct line *to)
{
    *to = *line;
    line->valid = line->dirty = 0;
    cache_tags_clear(&slice->tags, (uint32_t)(line - slice->lines));
}

void slice_invalidate_all(struct slice *slice)
{
    cache_tags_reset(&slice->tags, slice->seed);
    for (uint32_t place = 0; place < slice->tags.places; place++)
        slice->lines[place].valid = slice->lines[place].dirty = 0;
}
