/* SPDX-License-Identifier: MIT */
/* Structs that host and device share: pointers, long and size_t lie where the host has them, by value, in memory and in lists. */
#include "check.cuh"

struct item {
    char tag;
    item *next;
    long weight;
    size_t index;
    double real;
    short tail;
};

struct list {
    item *first;
    int count;
    const float *factors[2];
    float4 last;
};

__global__ void walk(list of, long *sum, size_t *sizes, item **ends)
{
    long total = 0;
    for (item *i = of.first; i; i = i->next) {
        total += i->weight * (long)of.factors[i->index % 2][0] + i->tag + (long)i->real + i->tail;
        if (!i->next)
            *ends = i;
    }
    *sum = total + (long)(of.last.x + of.last.w) + of.count;
    sizes[0] = sizeof(list);
    sizes[1] = sizeof(item);
    sizes[2] = sizeof(void *);
    of.first[of.count - 1].weight = -1;
}

/* A table of rows, as programs have it. */
__global__ void add_rows(float **rows, float *sum, int count)
{
    float value = 0;
    for (int row = 0; row < count; row++)
        value += rows[row][threadIdx.x];
    sum[threadIdx.x] = value;
}

static void check_list()
{
    const int n = 20;
    item items[n], *device, *end = NULL;
    long sum = 0, expected = n + 7;
    size_t sizes[3];
    CUDA(cudaMalloc(&device, sizeof items));
    for (int i = 0; i < n; i++) {
        items[i] = {(char)i, i + 1 < n ? device + i + 1 : NULL, 0x100000000l * i, (size_t)i, 0.5 + i, (short)-i};
        expected += items[i].weight * (i % 2 ? 3 : 2) + i + i - i;
    }
    CUDA(cudaMemcpy(device, items, sizeof items, cudaMemcpyHostToDevice));
    const float factors[2] = {2, 3};
    float *device_factors = to_device(factors, 2);
    long *device_sum = to_device(&sum, 1);
    size_t *device_sizes = to_device(sizes, 3);
    item **device_end = to_device(&end, 1);
    const list of = {device, n, {device_factors, device_factors + 1}, make_float4(3, 0, 0, 4)};
    walk<<<1, 1>>>(of, device_sum, device_sizes, device_end);
    from_device(&sum, device_sum, 1);
    from_device(sizes, device_sizes, 3);
    from_device(&end, device_end, 1);
    from_device(items, device, n);
    EXPECT(sum == expected, "the sum is %ld, expected %ld", sum, expected);
    EXPECT(sizes[0] == sizeof(list) && sizes[1] == sizeof(item) && sizes[2] == 8, "sizes %zu, %zu, %zu", sizes[0],
           sizes[1], sizes[2]);
    EXPECT(end == device + n - 1, "the end is %p, not %p", (void *)end, (void *)(device + n - 1));
    EXPECT(items[n - 1].weight == -1 && items[n - 2].weight == 0x100000000l * (n - 2), "weights");
}

static void check_rows()
{
    const int count = 5, n = 32;
    float values[count][n], sum[n], *rows[count];
    for (int row = 0; row < count; row++) {
        for (int i = 0; i < n; i++)
            values[row][i] = (float)(row * i);
        rows[row] = to_device(values[row], n);
    }
    float **device_rows = to_device(rows, count), *device_sum = to_device(sum, n);
    add_rows<<<1, n>>>(device_rows, device_sum, count);
    from_device(sum, device_sum, n);
    for (int i = 0; i < n; i++)
        EXPECT(sum[i] == 10.0f * i, "%d is %g", i, sum[i]);
}

/* Arguments of a byte, with others behind them. */
__global__ void pack(bool first, bool second, char letter, bool third, int *out)
{
    *out = first | second << 1 | third << 2 | letter << 8;
}

static void check_bytes()
{
    int all, *device = to_device(&all, 1);
    for (int i = 0; i < 8; i++) {
        pack<<<1, 1>>>(i & 1, i & 2, (char)(60 + i), i & 4, device);
        from_device(&all, device, 1);
        EXPECT(all == (i | (60 + i) << 8), "%d: %x", i, all);
    }
}

int main()
{
    check_bytes();
    check_list();
    check_rows();
    return passed();
}
