/* SPDX-License-Identifier: MIT */
/* What CUDA has and Heddle has not: the compiler says so where it is used. Part of cuda_runtime.h. */
#ifndef HEDDLE_CUDA_REFUSED_H
#define HEDDLE_CUDA_REFUSED_H

#define HEDDLE_NONE(what) __attribute__((unavailable("Heddle has no " what)))
#define HEDDLE_NO_FUNCTION(name, what)                                                                                 \
    template <class... Types> HEDDLE_NONE(what) __host__ __device__ int name(Types &&...);

struct HEDDLE_NONE("textures") textureReference;
struct HEDDLE_NONE("textures") cudaChannelFormatDesc;
struct HEDDLE_NONE("textures") cudaArray;
struct HEDDLE_NONE("textures") cudaResourceDesc;
struct HEDDLE_NONE("textures") cudaTextureDesc;
struct HEDDLE_NONE("surfaces") surfaceReference;
typedef unsigned long long cudaTextureObject_t HEDDLE_NONE("textures");
typedef unsigned long long cudaSurfaceObject_t HEDDLE_NONE("surfaces");
typedef void *cudaArray_t HEDDLE_NONE("textures");
typedef void *cudaGraph_t HEDDLE_NONE("graphs");
typedef void *cudaGraphExec_t HEDDLE_NONE("graphs");

enum heddle_texture_mode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
template <class T, int dimensions = 1, heddle_texture_mode mode = cudaReadModeElementType> struct texture {
    static_assert(sizeof(T) == 0, "Heddle has no textures");
};
template <class T, int dimensions = 1> struct surface {
    static_assert(sizeof(T) == 0, "Heddle has no surfaces");
};

HEDDLE_NO_FUNCTION(tex1D, "textures")
HEDDLE_NO_FUNCTION(tex1Dfetch, "textures")
HEDDLE_NO_FUNCTION(tex2D, "textures")
HEDDLE_NO_FUNCTION(tex3D, "textures")
HEDDLE_NO_FUNCTION(surf1Dread, "surfaces")
HEDDLE_NO_FUNCTION(surf2Dread, "surfaces")
HEDDLE_NO_FUNCTION(surf2Dwrite, "surfaces")
HEDDLE_NO_FUNCTION(cudaBindTexture, "textures")
HEDDLE_NO_FUNCTION(cudaBindTexture2D, "textures")
HEDDLE_NO_FUNCTION(cudaBindTextureToArray, "textures")
HEDDLE_NO_FUNCTION(cudaUnbindTexture, "textures")
HEDDLE_NO_FUNCTION(cudaCreateTextureObject, "textures")
HEDDLE_NO_FUNCTION(cudaCreateChannelDesc, "textures")
HEDDLE_NO_FUNCTION(cudaMallocArray, "textures")
HEDDLE_NO_FUNCTION(cudaMemcpyToArray, "textures")
HEDDLE_NO_FUNCTION(cudaFreeArray, "textures")
HEDDLE_NO_FUNCTION(cudaLaunchCooperativeKernel, "cooperative groups")
HEDDLE_NO_FUNCTION(cudaDeviceEnablePeerAccess, "second device")
HEDDLE_NO_FUNCTION(cudaMemcpyPeer, "second device")
HEDDLE_NO_FUNCTION(cudaMemcpyPeerAsync, "second device")
HEDDLE_NO_FUNCTION(cudaHostGetDevicePointer, "access of kernels to the host's memory")
HEDDLE_NO_FUNCTION(cudaMemcpy3D, "copies of three dimensions")
HEDDLE_NO_FUNCTION(cudaStreamBeginCapture, "graphs")
HEDDLE_NO_FUNCTION(cudaGraphLaunch, "graphs")
HEDDLE_NO_FUNCTION(cudaIpcGetMemHandle, "memory that processes share")

#undef HEDDLE_NO_FUNCTION
#undef HEDDLE_NONE

#endif
