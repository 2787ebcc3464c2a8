/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

typedef struct pictures {
    uint8_t *last, *picture;
    uint32_t columns, rows;
} pictures;

/* The second picture is the first, moved by two to the right and one down, with noise. */
static pictures pictures_random(uint32_t columns, uint32_t rows, uint64_t *random)
{
    uint32_t pixels = columns * rows;
    pictures p = {hd_host_alloc(pixels), hd_host_alloc(pixels), columns, rows};
    for (uint32_t i = 0; i < pixels; i++)
        p.last[i] = (uint8_t)host_random_below(random, 240);
    for (uint32_t i = 0; i < pixels; i++)
        p.picture[i] = (uint8_t)(p.last[(i + pixels - columns - 2) % pixels] + host_random_below(random, 16));
    return p;
}

/* Looks at the places one after the other, and at the pixels as these lie in the pictures. */
static template_tracking_match reference(const pictures *p, template_tracking_point point, uint32_t size,
                                         uint32_t reach)
{
    template_tracking_match best = {UINT32_MAX, 0};
    uint32_t place = 0;
    for (uint32_t y = point.y - reach; y <= point.y + reach; y++)
        for (uint32_t x = point.x - reach; x <= point.x + reach; x++, place++) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < size * size; i++) {
                int32_t was = p->last[(point.y + i / size) * p->columns + point.x + i % size];
                int32_t is = p->picture[(y + i / size) * p->columns + x + i % size];
                sum += (uint32_t)(was > is ? was - is : is - was);
            }
            if (sum < best.difference)
                best = (template_tracking_match){sum, place};
        }
    return best;
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 96, 1, 4096);
    uint32_t rows = host_option("rows", 64, 1, 4096);
    uint32_t count = host_option("points", 4, 1, 4096);
    uint32_t size = host_option("template", 5, 1, 64);
    uint32_t reach = host_option("reach", 6, 0, 64);
    uint32_t block = host_option("block", 512, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    uint32_t needed = size + 2 * reach;
    hd_check(columns >= needed && rows >= needed, "a picture of %u x %u is smaller than template and reach, %u",
             columns, rows, needed);
    hd_check((block & (block - 1)) == 0, "option block is %u; it must be a power of two", block);

    pictures p = pictures_random(columns, rows, &random);
    template_tracking_point *points = hd_host_alloc(count * sizeof *points);
    for (uint32_t i = 0; i < count; i++)
        points[i] = (template_tracking_point){reach + host_random_below(&random, columns - needed + 1),
                                              reach + host_random_below(&random, rows - needed + 1)};

    template_tracking_args args = {.last = host_upload(p.last, columns * rows),
                                   .picture = host_upload(p.picture, columns * rows),
                                   .points = host_upload(points, count * sizeof *points),
                                   .matches = host_poisoned(count * sizeof(template_tracking_match)),
                                   .columns = columns,
                                   .size = size,
                                   .reach = reach};
    host_launch("template_tracking", hd_1d(count), hd_1d(block), block * (uint32_t)sizeof(template_tracking_match),
                &args, sizeof args);

    const template_tracking_match *matches = host_download(args.matches, count * sizeof *matches);
    for (uint32_t i = 0; i < count; i++) {
        template_tracking_match expected = reference(&p, points[i], size, reach);
        host_check_word("difference", i, matches[i].difference, expected.difference);
        host_check_word("place", i, matches[i].place, expected.place);
    }
    hd_report("points", count);
    return HD_PASS;
}
