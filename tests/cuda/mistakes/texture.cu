/* SPDX-License-Identifier: MIT */
texture<float> image;

int main()
{
}
