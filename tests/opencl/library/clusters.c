/* SPDX-License-Identifier: MIT */
/* Clusters of points by k-means, in whole numbers. */
#include "library.h"

enum { POINTS = 2000, CLUSTERS = 8, STEPS_MAX = 40 };

typedef struct clusters {
    cl_int4 centres[CLUSTERS];
    cl_int4 sums[CLUSTERS]; /* w: number of points */
    cl_uint owners[POINTS];
} clusters;

static cl_int4 *points_around_centres(void)
{
    cl_int4 *made = allocated(POINTS * sizeof *made);
    uint32_t state = 41;
    for (int i = 0; i < POINTS; i++) {
        const int corner = i % CLUSTERS;
        for (int axis = 0; axis < 3; axis++)
            made[i].s[axis] = (corner >> axis & 1) * 200 + (int)(next_random(&state) % 90);
        made[i].s[3] = 0;
    }
    return made;
}

/* The first points are the first centres; nobody has an owner. */
static void begin(clusters *made, const cl_int4 *points)
{
    memcpy(made->centres, points, sizeof made->centres);
    memset(made->owners, 0xff, sizeof made->owners);
}

/* A cluster without points stays where it is. */
static void move_centres(clusters *of)
{
    for (int c = 0; c < CLUSTERS; c++)
        for (int axis = 0; axis < 3 && of->sums[c].s[3]; axis++)
            of->centres[c].s[axis] = of->sums[c].s[axis] / of->sums[c].s[3];
}

/* ---- With a plain loop ------------------------------------------------------------------------------------------------------ */

static cl_uint nearest(const clusters *of, const cl_int4 *point)
{
    cl_uint best = 0;
    int least = INT32_MAX;
    for (cl_uint c = 0; c < CLUSTERS; c++) {
        int square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const int apart = point->s[axis] - of->centres[c].s[axis];
            square += apart * apart;
        }
        if (square < least) {
            least = square;
            best = c;
        }
    }
    return best;
}

static cl_uint assign(clusters *of, const cl_int4 *points)
{
    cl_uint moved = 0;
    memset(of->sums, 0, sizeof of->sums);
    for (int i = 0; i < POINTS; i++) {
        const cl_uint owner = nearest(of, &points[i]);
        moved += owner != of->owners[i];
        of->owners[i] = owner;
        for (int axis = 0; axis < 3; axis++)
            of->sums[owner].s[axis] += points[i].s[axis];
        of->sums[owner].s[3]++;
    }
    return moved;
}

/* ---- With the device ---------------------------------------------------------------------------------------------------------- */

typedef struct rig_of_clusters {
    cl_kernel assign;
    cl_mem points, centres, owners, sums, moved;
} rig_of_clusters;

static void open_rig(rig_of_clusters *made, const library *of, const cl_int4 *points, const clusters *first)
{
    cl_int error;
    *made = (rig_of_clusters){.assign = kernel_named(&of->rig, "assign"),
                              .points = new_buffer(&of->rig, POINTS * sizeof *points, points),
                              .owners = new_buffer(&of->rig, sizeof first->owners, first->owners),
                              .sums = new_buffer(&of->rig, sizeof first->sums, NULL),
                              .moved = new_buffer(&of->rig, sizeof(cl_uint), NULL)};
    made->centres =
        clCreateBuffer(of->rig.context, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, sizeof first->centres, NULL, &error);
    CHECK(error);
    cl_mem const arguments[] = {made->points, made->centres, made->owners, made->sums, made->moved};
    for (cl_uint i = 0; i < 5; i++)
        set_buffer(made->assign, i, arguments[i]);
    set_uint(made->assign, 5, POINTS);
}

static void close_rig(rig_of_clusters *gone)
{
    cl_mem const own[] = {gone->points, gone->centres, gone->owners, gone->sums, gone->moved};
    for (int i = 0; i < 5; i++)
        CHECK(clReleaseMemObject(own[i]));
    CHECK(clReleaseKernel(gone->assign));
}

static cl_uint assign_on_device(rig_of_clusters *with, const library *of, clusters *found)
{
    cl_uint moved;
    chain at = chain_new(of);
    chain_fill(&at, with->sums, 0, sizeof found->sums);
    chain_fill(&at, with->moved, 0, sizeof moved);
    chain_write(&at, with->centres, found->centres, sizeof found->centres);
    chain_launch(&at, with->assign, POINTS, GROUP);
    chain_read(&at, with->sums, found->sums, sizeof found->sums);
    chain_read(&at, with->owners, found->owners, sizeof found->owners);
    chain_read(&at, with->moved, &moved, sizeof moved);
    chain_finish(&at);
    return moved;
}

void run_clusters(const library *of)
{
    static clusters expected, found;
    cl_int4 *points = points_around_centres();
    rig_of_clusters with;
    int is_right = 1, steps = 0;
    cl_uint moved = 1;
    begin(&expected, points);
    begin(&found, points);
    open_rig(&with, of, points, &found);
    for (; moved && is_right && steps < STEPS_MAX; steps++) {
        moved = assign(&expected, points);
        is_right = assign_on_device(&with, of, &found) == moved && !memcmp(&found, &expected, sizeof found);
        move_centres(&expected);
        move_centres(&found);
    }
    report("clusters", is_right && !moved, digest(&found, sizeof found) + (uint32_t)steps);
    close_rig(&with);
    free(points);
}
