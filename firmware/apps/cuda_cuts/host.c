/* SPDX-License-Identifier: MIT */
#include "cut.h"
#include "image_draw.h"
#include "image_read.h"

typedef struct segmentation {
    const image *image;
    cuda_cuts_args args;
    const char *push_kernel;
    hd_dim3 grid;
    hd_dim3 block;
    uint32_t words; /* on the device */
    uint32_t rounds;
    uint32_t searches;
} segmentation;

enum { ATOMICS = HOST_FORM_COUNT };
static const char *const forms[] = {HOST_FORM_NAMES, [ATOMICS] = "atomics"};
static const char *const push_kernels[] = {[HOST_TM] = "cuda_cuts_push_tm",
                                           [HOST_LOCKS] = "cuda_cuts_push_locks",
                                           [HOST_COARSE] = "cuda_cuts_push_coarse",
                                           [HOST_SERIAL] = "cuda_cuts_push_serial",
                                           [ATOMICS] = "cuda_cuts_push_atomics"};

/* ---- Layout ----------------------------------------------------------------------------------------------------------- */

/* Packed: an array for each field. Padded: what pushes change of a pixel in one granule, notes about it in the next. */
static void lay_out(segmentation *s, uint32_t is_padded)
{
    const uint32_t pixels = image_pixels(s->image), granule = GRANULE_BYTES / sizeof(uint32_t);
    s->args.pixel_words = is_padded ? 2 * granule : 1;
    for (uint32_t field = 0; field < CUTS_FIELDS; field++)
        s->args.field_words[field] = !is_padded              ? field * pixels
                                     : field < CUTS_DECLINED ? field
                                                             : granule + field - CUTS_DECLINED;
    s->words = is_padded ? 2 * granule * pixels : CUTS_FIELDS * pixels;
}

static uint32_t place_of(const segmentation *s, uint32_t field, uint32_t pixel)
{
    return s->args.field_words[field] + pixel * s->args.pixel_words;
}

static uint32_t link_at_first(const image *m, uint32_t pixel, uint32_t direction)
{
    if (!cut_has_neighbour(m, pixel, direction))
        return 0;
    uint32_t first = direction & 2 ? pixel : cut_neighbour(m, pixel, direction);
    return direction & 1 ? m->down[first] : m->right[first];
}

/* All that the source can give has been pushed to the pixels. */
static void upload(segmentation *s)
{
    const image *m = s->image;
    const uint32_t pixels = image_pixels(m);
    uint32_t *words = hd_host_alloc(s->words * sizeof(uint32_t));
    for (uint32_t i = 0; i < pixels; i++) {
        words[place_of(s, CUTS_EXCESS, i)] = m->source[i];
        words[place_of(s, CUTS_SINK, i)] = m->sink[i];
        for (uint32_t d = 0; d < CUTS_DIRECTIONS; d++)
            words[place_of(s, CUTS_RESIDUAL + d, i)] = link_at_first(m, i, d);
    }
    const size_t bytes = pixels * sizeof(uint32_t);
    s->args.words = host_upload(words, s->words * sizeof(uint32_t));
    s->args.heights = host_poisoned(bytes);
    s->args.next_heights = host_poisoned(bytes);
    s->args.declines = host_filled(0, bytes);
    s->args.locks = host_filled(0, bytes);
    s->args.progress = hd_malloc(sizeof(uint32_t));
    hd_host_free(words);
}

/* ---- Flow --------------------------------------------------------------------------------------------------------------- */

static uint32_t launch(segmentation *s, const char *kernel)
{
    uint32_t progress;
    hd_fill(s->args.progress, 0, sizeof progress);
    host_launch(kernel, s->grid, s->block, 0, &s->args, sizeof s->args);
    hd_copy_from_device(&progress, s->args.progress, sizeof progress);
    return progress;
}

static void find_heights(segmentation *s)
{
    s->searches++;
    s->args.level = 1;
    while (launch(s, "cuda_cuts_distance"))
        s->args.level++;
}

/* Pixels push and rise. Every so many rounds heights are searched for anew, so that flow which cannot reach the sink gives up. */
static void let_flow(segmentation *s, uint32_t rounds_of_search)
{
    uint32_t is_active;
    do {
        if (s->rounds++ % rounds_of_search == 0)
            find_heights(s);
        host_launch(s->push_kernel, s->grid, s->block, 0, &s->args, sizeof s->args);
        is_active = launch(s, "cuda_cuts_relabel");
        hd_device_ptr heights = s->args.heights;
        s->args.heights = s->args.next_heights;
        s->args.next_heights = heights;
    } while (is_active);
}

/* ---- The result ----------------------------------------------------------------------------------------------------------- */

typedef struct outcome {
    const segmentation *segmentation;
    const uint32_t *words;
    const uint32_t *declines;
} outcome;

static uint32_t word_at(const outcome *o, uint32_t field, uint32_t pixel)
{
    return o->words[place_of(o->segmentation, field, pixel)];
}

/* What links carry both ways stays the same; returns what has come from the neighbours. */
static int64_t check_links(const outcome *o, uint32_t pixel)
{
    const image *m = o->segmentation->image;
    int64_t gained = 0;
    uint32_t declined = 0;
    for (uint32_t d = 0; d < CUTS_DIRECTIONS; d++) {
        if (!cut_has_neighbour(m, pixel, d))
            continue;
        uint32_t other = cut_neighbour(m, pixel, d);
        uint32_t here = word_at(o, CUTS_RESIDUAL + d, pixel),
                 there = word_at(o, CUTS_RESIDUAL + cuts_opposite(d), other);
        uint32_t both = 2 * link_at_first(m, pixel, d);
        hd_check(here <= both && there == both - here,
                 "the links between pixels %u and %u carry %u and %u, expected %u in all", pixel, other, here, there,
                 both);
        gained += (int64_t)here - both / 2;
        declined += word_at(o, CUTS_DECLINED + cuts_opposite(d), other);
    }
    hd_check(declined == o->declines[pixel],
             "neighbours of pixel %u know of %u times it had nothing for them, expected %u", pixel, declined,
             o->declines[pixel]);
    return gained;
}

/* What comes to a pixel leaves it or waits in it. Returns what it has given to the sink. */
static uint32_t check_conservation(const outcome *o, uint32_t pixel)
{
    const image *m = o->segmentation->image;
    uint32_t excess = word_at(o, CUTS_EXCESS, pixel), sink = word_at(o, CUTS_SINK, pixel);
    hd_check(sink <= m->sink[pixel], "pixel %u: its link to the sink carries %u, expected at most %u", pixel, sink,
             m->sink[pixel]);
    int64_t left = m->source[pixel] + check_links(o, pixel) - (m->sink[pixel] - sink);
    hd_check(left == excess, "pixel %u has %u left of its flow, expected %lld", pixel, excess, (long long)left);
    return m->sink[pixel] - sink;
}

/* The flow is a flow, as large as can be, and its cut is the smallest one that is nearest to the sink. */
static void check_cut(const outcome *o, const uint32_t *heights, const cut *expected)
{
    const image *m = o->segmentation->image;
    uint64_t flow = 0, declines = 0;
    uint32_t of_sink = 0;
    for (uint32_t i = 0; i < image_pixels(m); i++) {
        flow += check_conservation(o, i);
        declines += o->declines[i];
        uint32_t is_of_sink = heights[i] != CUTS_UNREACHED;
        hd_check(!is_of_sink || !word_at(o, CUTS_EXCESS, i), "pixel %u still has flow that can reach the sink", i);
        host_check_word("label", i, is_of_sink, expected->distance[i] != CUTS_UNREACHED);
        of_sink += is_of_sink;
    }
    hd_check(flow == expected->flow, "the flow is %llu, expected %llu", (unsigned long long)flow,
             (unsigned long long)expected->flow);
    hd_report("flow", flow);
    hd_report("pixels_of_sink", of_sink);
    hd_report("declines", declines);
}

static void check(segmentation *s)
{
    const uint32_t pixels = image_pixels(s->image);
    const size_t bytes = pixels * sizeof(uint32_t);
    uint32_t *words = hd_host_alloc(s->words * sizeof(uint32_t)), *declines = hd_host_alloc(bytes);
    uint32_t *heights = hd_host_alloc(bytes), *locks = hd_host_alloc(bytes);
    find_heights(s);
    hd_copy_from_device(words, s->args.words, s->words * sizeof(uint32_t));
    hd_copy_from_device(declines, s->args.declines, bytes);
    hd_copy_from_device(heights, s->args.heights, bytes);
    hd_copy_from_device(locks, s->args.locks, bytes);
    for (uint32_t i = 0; i < pixels; i++)
        host_check_word("locks", i, locks[i], 0);
    const cut expected = cut_solve(s->image);
    check_cut(&(outcome){.segmentation = s, .words = words, .declines = declines}, heights, &expected);
    hd_report("rounds", s->rounds);
    hd_report("searches", s->searches);
}

static void check_total(const image *m)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < image_pixels(m); i++)
        total += m->source[i];
    hd_check(total <= INT32_MAX, "the source gives %llu; a word of the machine holds %u", (unsigned long long)total,
             INT32_MAX);
}

int hd_app_main(void)
{
    const uint32_t form = HOST_CHOICE("sync", hd_option_text("sync", "atomics"), forms);
    const char *file = hd_option_text("input", "");
    const uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    const uint32_t width = host_option("width", 40, 1, IMAGE_SIDE_MAX),
                   height = host_option("height", 30, 1, IMAGE_SIDE_MAX);
    const uint32_t rounds = host_option("rounds", 3, 1, 1000000);
    uint64_t random = hd_option("seed", 1);
    const image m = *file ? image_read(file) : image_draw(width, height, &random);
    check_total(&m);

    segmentation s = {.image = &m,
                      .args = {.width = m.width, .height = m.height},
                      .push_kernel = push_kernels[form],
                      .grid = form == HOST_SERIAL ? hd_1d(1) : hd_2d((m.width + 31) / 32, (m.height + 7) / 8),
                      .block = form == HOST_SERIAL ? hd_1d(1) : hd_2d(32, 8)};
    lay_out(&s, is_padded);
    upload(&s);
    let_flow(&s, rounds);
    check(&s);
    return HD_PASS;
}
