/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* Large elements on the diagonal: nothing has to be exchanged. */
static void random_matrix(float *matrix, uint32_t n, uint64_t *random)
{
    for (uint32_t i = 0; i < n * n; i++)
        matrix[i] = host_random_float(random) + (i % (n + 1) ? 0 : 4 * (float)n);
}

/* Element by element, from what is left of it and above it. Products are subtracted in the kernels' order: those of a whole tile as a sum. */
static void reference(float *matrix, uint32_t n)
{
    for (uint32_t row = 0; row < n; row++)
        for (uint32_t column = 0; column < n; column++) {
            float *element = matrix + row * n + column;
            uint32_t end = row < column ? row : column, whole = end / LU_TILE * LU_TILE;
            for (uint32_t first = 0; first < whole; first += LU_TILE) {
                float sum = 0;
                for (uint32_t k = first; k < first + LU_TILE; k++)
                    sum += matrix[row * n + k] * matrix[k * n + column];
                *element -= sum;
            }
            for (uint32_t k = whole; k < end; k++)
                *element -= matrix[row * n + k] * matrix[k * n + column];
            if (row > column)
                *element /= matrix[column * n + column];
        }
}

int hd_app_main(void)
{
    uint32_t tiles = host_option("tiles", 4, 1, 64);
    uint64_t random = hd_option("seed", 1);

    uint32_t n = tiles * LU_TILE, tile_bytes = LU_TILE * LU_TILE * sizeof(float);
    size_t bytes = (size_t)n * n * sizeof(float);
    float *matrix = hd_host_alloc(bytes);
    random_matrix(matrix, n, &random);

    lu_args args = {.matrix = host_upload(matrix, bytes), .tiles = tiles};
    for (args.step = 0; args.step < tiles; args.step++) {
        uint32_t left = tiles - args.step - 1;
        hd_wait(host_launch("lu_diagonal", hd_1d(1), hd_1d(LU_TILE), tile_bytes, &args, sizeof args));
        if (!left)
            break;
        hd_wait(host_launch("lu_perimeter", hd_1d(left), hd_1d(2 * LU_TILE), 3 * tile_bytes, &args, sizeof args));
        hd_wait(
            host_launch("lu_internal", hd_2d(left, left), hd_2d(LU_TILE, LU_TILE), 2 * tile_bytes, &args, sizeof args));
    }

    const float *got = host_download(args.matrix, bytes);
    reference(matrix, n);
    for (uint32_t i = 0; i < n * n; i++)
        host_check_float("matrix", i, got[i], matrix[i]);
    hd_report("elements", (uint64_t)n * n);
    return HD_PASS;
}
