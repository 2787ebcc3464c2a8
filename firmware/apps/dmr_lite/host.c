/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "given.h"

enum { ROUNDS_MAX = 2000 };

/* What the host makes room for; the mesh that is given comes first. */
static dmr_args upload(const dmr_given *given, uint32_t room)
{
    dmr_args args = {.triangle_room = given->triangles * room, .triangle_count = given->triangles};
    args.point_room = args.triangle_room;
    hd_check(args.triangle_room <= 1u << 20, "there would be room for %u triangles; at most 1048576",
             args.triangle_room);
    const dmr_counts counts = {.points = given->points, .triangles = given->triangles};
    args.points = host_poisoned(args.point_room * sizeof(dmr_point));
    args.origins = host_filled(0xFF, args.point_room * sizeof(dmr_origin));
    args.triangles = host_poisoned(args.triangle_room * sizeof(dmr_triangle));
    args.claims = host_filled(0, args.triangle_room * 4);
    args.counts = host_upload(&counts, sizeof counts);
    hd_copy_to_device(args.points, given->mesh.points, given->points * sizeof(dmr_point));
    hd_copy_to_device(args.triangles, given->mesh.triangles, given->triangles * sizeof(dmr_triangle));
    return args;
}

/* A check, and what is bad made anew. Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
static uint32_t refine(dmr_args *args, uint32_t grid, uint32_t block, dmr_counts *counts)
{
    counts->bad = 0;
    hd_copy_to_device(args->counts, counts, sizeof *counts);
    hd_wait(host_launch("dmr_check", hd_1d(grid), hd_1d(block), 0, args, sizeof *args));
    hd_copy_from_device(counts, args->counts, sizeof *counts);
    hd_check(counts->oversized == 0, "a cavity has more than %u triangles", (unsigned)DMR_CAVITY);
    if (counts->bad == 0)
        return 0;
    hd_wait(host_launch("dmr_refine", hd_1d(grid), hd_1d(block), 0, args, sizeof *args));
    hd_copy_from_device(counts, args->counts, sizeof *counts);
    hd_check(counts->points <= args->point_room && counts->triangles <= args->triangle_room,
             "the mesh has no room for %u triangles; option room", counts->triangles);
    args->triangle_count = counts->triangles;
    return 1;
}

int hd_app_main(void)
{
    const uint32_t points = host_option("points", 500, 0, 100000), grid = host_option("grid", 16, 1, 4096);
    const uint32_t block = host_option("block", 512, 1, 1024), room = host_option("room", 8, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    const dmr_given given = dmr_given_mesh(points, &random);
    dmr_args args = upload(&given, room);
    dmr_counts counts = {.points = given.points, .triangles = given.triangles};
    for (args.round = 1; refine(&args, grid, block, &counts); args.round++)
        hd_check(args.round < ROUNDS_MAX, "%u triangles are still bad after %u rounds", counts.bad, args.round);

    dmr_result result = {.points = counts.points, .triangles = counts.triangles};
    result.mesh.points = host_download(args.points, counts.points * sizeof(dmr_point));
    result.mesh.triangles = host_download(args.triangles, counts.triangles * sizeof(dmr_triangle));
    result.origins = host_download(args.origins, counts.points * sizeof(dmr_origin));
    dmr_check(&result, &given.mesh, given.points);
    host_check_word("points", 0, counts.points - given.points, counts.refined);
    hd_report("triangles", counts.triangles);
    hd_report("refined", counts.refined);
    hd_report("rounds", args.round);
    return HD_PASS;
}
