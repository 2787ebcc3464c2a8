/* SPDX-License-Identifier: MIT */
struct link {
    int value;
    const link *next;
};

__device__ link last = {1, nullptr};
__device__ link start = {2, &last};

__global__ void read(int *out)
{
    *out = start.next->value;
}

int main()
{
}
