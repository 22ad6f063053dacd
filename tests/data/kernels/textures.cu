// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that read textures and access surfaces; textures.ptx is this file compiled by scripts/test-kernels.

#include <cuda_runtime.h>

// Texel (x, y) of a layer, one thread each.
extern "C" __global__ void layer2D(cudaTextureObject_t texture, float* out, int layer) {
    out[threadIdx.y * blockDim.x + threadIdx.x] =
        tex2DLayered<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f, layer);
}
extern "C" __global__ void layer1D(cudaTextureObject_t texture, float* out, int layer) {
    out[threadIdx.x] = tex1DLayered<float>(texture, threadIdx.x + 0.5f, layer);
}
// Where directions meet a cube, and cubes in layers.
extern "C" __global__ void cubeFaces(cudaTextureObject_t texture, const float* directions, float* out) {
    const float* d = directions + 3 * threadIdx.x;
    out[threadIdx.x] = texCubemap<float>(texture, d[0], d[1], d[2]);
}
extern "C" __global__ void cubeLayers(cudaTextureObject_t texture, const float* directions, float* out,
                                      int layer) {
    const float* d = directions + 3 * threadIdx.x;
    out[threadIdx.x] = texCubemapLayered<float>(texture, d[0], d[1], d[2], layer);
}
extern "C" __global__ void gather(cudaTextureObject_t texture, float4* out) {
    *out = tex2Dgather<float4>(texture, 2.0f, 1.0f, 0);
}
extern "C" __global__ void levels(cudaTextureObject_t texture, float* out) {
    out[0] = tex2DLod<float>(texture, 1.5f, 1.5f, 3.0f);
    out[1] = tex2DGrad<float>(texture, 2.5f, 1.5f, make_float2(1, 0), make_float2(0, 1));
}

// Surfaces count x in bytes.
extern "C" __global__ void addOneClamped(cudaSurfaceObject_t surface, int dx, int dy) {
    float value;
    const int x = threadIdx.x + dx, y = threadIdx.y + dy;
    surf2Dread(&value, surface, x * 4, y, cudaBoundaryModeClamp);
    surf2Dwrite(value + 1, surface, static_cast<int>(threadIdx.x) * 4, threadIdx.y, cudaBoundaryModeZero);
}
extern "C" __global__ void writeZeroMode(cudaSurfaceObject_t surface, float* out) {
    const int x = static_cast<int>(threadIdx.x) - 2;
    float value;
    surf2Dread(&value, surface, x * 4, 1, cudaBoundaryModeZero);
    out[threadIdx.x] = value;
    surf2Dwrite(100.0f + threadIdx.x, surface, x * 4, 2, cudaBoundaryModeZero);
}
extern "C" __global__ void outsideTraps(cudaSurfaceObject_t surface) {
    surf2Dwrite(1.0f, surface, static_cast<int>(threadIdx.x) * 4, 0);
}
extern "C" __global__ void layersAndDepth(cudaSurfaceObject_t surface, float* out) {
    float value;
    surf2DLayeredread(&value, surface, static_cast<int>(threadIdx.x) * 4, 1, 2);
    out[threadIdx.x] = value;
    surf3Dwrite(value * 2, surface, static_cast<int>(threadIdx.x) * 4, 0, 1);
}
extern "C" __global__ void narrow(cudaSurfaceObject_t surface, int* out) {
    short2 pair;
    surf1Dread(&pair, surface, static_cast<int>(threadIdx.x) * 4);
    unsigned char byte;
    surf1Dread(&byte, surface, static_cast<int>(threadIdx.x));
    out[threadIdx.x] = pair.x * 1000 + pair.y + byte * 1000000;
}
// One texture object for each thread.
extern "C" __global__ void each1D(const cudaTextureObject_t* objects, const float4* at, float4* out) {
    out[threadIdx.x] = tex1D<float4>(objects[threadIdx.x], at[threadIdx.x].x);
}
extern "C" __global__ void each2D(const cudaTextureObject_t* objects, const float4* at, float4* out) {
    out[threadIdx.x] = tex2D<float4>(objects[threadIdx.x], at[threadIdx.x].x, at[threadIdx.x].y);
}
extern "C" __global__ void each3D(const cudaTextureObject_t* objects, const float4* at, float4* out) {
    if (at[threadIdx.x].w > 0)
        out[threadIdx.x] =
            tex3D<float4>(objects[threadIdx.x], at[threadIdx.x].x, at[threadIdx.x].y, at[threadIdx.x].z);
}
extern "C" __global__ void eachLayer(const cudaTextureObject_t* objects, const float4* at, uint4* out) {
    out[threadIdx.x] = tex2DLayered<uint4>(objects[threadIdx.x], at[threadIdx.x].x, at[threadIdx.x].y,
                                           static_cast<int>(threadIdx.x) % 5);
}
