// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Functions of the driver that are the runtime's by another name.

#include "instrument/emulator/runtime/driver/driver.h"

#include <cuda_profiler_api.h>

// Memory.
DORMER_SAME_2(cuMemAlloc, cudaMalloc)
DORMER_SAME_1(cuMemFree, cudaFree)
DORMER_SAME_2(cuMemGetInfo, cudaMemGetInfo)
DORMER_SAME_2(cuMemAllocHost, cudaMallocHost)
DORMER_SAME_1(cuMemFreeHost, cudaFreeHost)
DORMER_SAME_3(cuMemHostAlloc, cudaHostAlloc)
DORMER_SAME_3(cuMemHostGetDevicePointer, cudaHostGetDevicePointer)
DORMER_SAME_2(cuMemHostGetFlags, cudaHostGetFlags)
DORMER_SAME_3(cuMemHostRegister, cudaHostRegister)
DORMER_SAME_1(cuMemHostUnregister, cudaHostUnregister)
DORMER_SAME_3(cuMemAllocManaged, cudaMallocManaged)
DORMER_SAME_4(cuMemAdvise, cudaMemAdvise)
DORMER_SAME_5(cuMemPrefetchAsync, cudaMemPrefetchAsync)
DORMER_SAME_5(cuMemRangeGetAttribute, cudaMemRangeGetAttribute)
DORMER_SAME_3(cuMemAllocAsync, cudaMallocAsync)
DORMER_SAME_4(cuMemAllocFromPoolAsync, cudaMallocFromPoolAsync)
DORMER_SAME_2(cuMemFreeAsync, cudaFreeAsync)
DORMER_SAME_2(cuMemPoolCreate, cudaMemPoolCreate)
DORMER_SAME_1(cuMemPoolDestroy, cudaMemPoolDestroy)
DORMER_SAME_2(cuMemPoolTrimTo, cudaMemPoolTrimTo)
DORMER_SAME_3(cuMemPoolSetAttribute, cudaMemPoolSetAttribute)
DORMER_SAME_3(cuMemPoolGetAttribute, cudaMemPoolGetAttribute)
DORMER_SAME_3(cuMemPoolSetAccess, cudaMemPoolSetAccess)
DORMER_SAME_3(cuMemPoolGetAccess, cudaMemPoolGetAccess)
DORMER_SAME_3(cuMemGetDefaultMemPool, cudaMemGetDefaultMemPool)
DORMER_SAME_3(cuMemGetMemPool, cudaMemGetMemPool)
DORMER_SAME_3(cuMemSetMemPool, cudaMemSetMemPool)
DORMER_PER_THREAD(cuMemPrefetchAsync_v2, ptsz);
DORMER_PER_THREAD(cuMemAllocAsync, ptsz);
DORMER_PER_THREAD(cuMemAllocFromPoolAsync, ptsz);
DORMER_PER_THREAD(cuMemFreeAsync, ptsz);

// Streams.
DORMER_SAME_2(cuStreamCreate, cudaStreamCreateWithFlags)
DORMER_SAME_3(cuStreamCreateWithPriority, cudaStreamCreateWithPriority)
DORMER_SAME_1(cuStreamDestroy, cudaStreamDestroy)
DORMER_SAME_1(cuStreamSynchronize, cudaStreamSynchronize)
DORMER_SAME_1(cuStreamQuery, cudaStreamQuery)
DORMER_SAME_3(cuStreamWaitEvent, cudaStreamWaitEvent)
DORMER_SAME_2(cuStreamGetFlags, cudaStreamGetFlags)
DORMER_SAME_2(cuStreamGetPriority, cudaStreamGetPriority)
DORMER_SAME_2(cuStreamGetId, cudaStreamGetId)
DORMER_SAME_2(cuStreamGetDevice, cudaStreamGetDevice)
DORMER_SAME_3(cuStreamSetAttribute, cudaStreamSetAttribute)
DORMER_SAME_3(cuStreamGetAttribute, cudaStreamGetAttribute)
DORMER_SAME_2(cuStreamCopyAttributes, cudaStreamCopyAttributes)
DORMER_SAME_4(cuStreamAddCallback, cudaStreamAddCallback)
DORMER_SAME_4(cuStreamAttachMemAsync, cudaStreamAttachMemAsync)
DORMER_SAME_3(cuLaunchHostFunc, cudaLaunchHostFunc)
DORMER_SAME_2(cuStreamBeginCapture, cudaStreamBeginCapture)
DORMER_SAME_2(cuStreamEndCapture, cudaStreamEndCapture)
DORMER_SAME_2(cuStreamIsCapturing, cudaStreamIsCapturing)
DORMER_SAME_1(cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode)
DORMER_SAME_2(cuCtxGetStreamPriorityRange, cudaDeviceGetStreamPriorityRange)
DORMER_PER_THREAD(cuStreamSynchronize, ptsz);
DORMER_PER_THREAD(cuStreamQuery, ptsz);
DORMER_PER_THREAD(cuStreamWaitEvent, ptsz);
DORMER_PER_THREAD(cuStreamGetFlags, ptsz);
DORMER_PER_THREAD(cuStreamGetPriority, ptsz);
DORMER_PER_THREAD(cuStreamGetId, ptsz);
DORMER_PER_THREAD(cuStreamGetDevice, ptsz);
DORMER_PER_THREAD(cuStreamSetAttribute, ptsz);
DORMER_PER_THREAD(cuStreamGetAttribute, ptsz);
DORMER_PER_THREAD(cuStreamCopyAttributes, ptsz);
DORMER_PER_THREAD(cuStreamAddCallback, ptsz);
DORMER_PER_THREAD(cuStreamAttachMemAsync, ptsz);
DORMER_PER_THREAD(cuLaunchHostFunc, ptsz);
DORMER_PER_THREAD(cuStreamBeginCapture_v2, ptsz);
DORMER_PER_THREAD(cuStreamEndCapture, ptsz);
DORMER_PER_THREAD(cuStreamIsCapturing, ptsz);

// Events.
DORMER_SAME_2(cuEventCreate, cudaEventCreateWithFlags)
DORMER_SAME_1(cuEventDestroy, cudaEventDestroy)
DORMER_SAME_2(cuEventRecord, cudaEventRecord)
DORMER_SAME_3(cuEventRecordWithFlags, cudaEventRecordWithFlags)
DORMER_SAME_1(cuEventQuery, cudaEventQuery)
DORMER_SAME_1(cuEventSynchronize, cudaEventSynchronize)
DORMER_SAME_3(cuEventElapsedTime, cudaEventElapsedTime)
DORMER_PER_THREAD(cuEventRecord, ptsz);
DORMER_PER_THREAD(cuEventRecordWithFlags, ptsz);

// Graphs; nodes that launch or copy are in graph_nodes.cpp.
DORMER_SAME_2(cuGraphCreate, cudaGraphCreate)
DORMER_SAME_1(cuGraphDestroy, cudaGraphDestroy)
DORMER_SAME_2(cuGraphClone, cudaGraphClone)
DORMER_SAME_3(cuGraphGetNodes, cudaGraphGetNodes)
DORMER_SAME_3(cuGraphGetRootNodes, cudaGraphGetRootNodes)
DORMER_SAME_5(cuGraphGetEdges, cudaGraphGetEdges)
DORMER_SAME_2(cuGraphNodeGetType, cudaGraphNodeGetType)
DORMER_SAME_4(cuGraphNodeGetDependencies, cudaGraphNodeGetDependencies)
DORMER_SAME_4(cuGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes)
DORMER_SAME_5(cuGraphAddDependencies, cudaGraphAddDependencies)
DORMER_SAME_5(cuGraphRemoveDependencies, cudaGraphRemoveDependencies)
DORMER_SAME_1(cuGraphDestroyNode, cudaGraphDestroyNode)
DORMER_SAME_4(cuGraphAddEmptyNode, cudaGraphAddEmptyNode)
DORMER_SAME_5(cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode)
DORMER_SAME_2(cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph)
DORMER_SAME_5(cuGraphAddHostNode, cudaGraphAddHostNode)
DORMER_SAME_2(cuGraphHostNodeGetParams, cudaGraphHostNodeGetParams)
DORMER_SAME_2(cuGraphHostNodeSetParams, cudaGraphHostNodeSetParams)
DORMER_SAME_3(cuGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams)
DORMER_SAME_5(cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode)
DORMER_SAME_5(cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode)
DORMER_SAME_2(cuGraphEventRecordNodeGetEvent, cudaGraphEventRecordNodeGetEvent)
DORMER_SAME_2(cuGraphEventRecordNodeSetEvent, cudaGraphEventRecordNodeSetEvent)
DORMER_SAME_2(cuGraphEventWaitNodeGetEvent, cudaGraphEventWaitNodeGetEvent)
DORMER_SAME_2(cuGraphEventWaitNodeSetEvent, cudaGraphEventWaitNodeSetEvent)
DORMER_SAME_3(cuGraphExecEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent)
DORMER_SAME_3(cuGraphExecEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent)
DORMER_SAME_3(cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams)
DORMER_SAME_3(cuGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute)
DORMER_SAME_3(cuGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute)
DORMER_SAME_2(cuGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes)
DORMER_SAME_3(cuGraphNodeFindInClone, cudaGraphNodeFindInClone)
DORMER_SAME_5(cuUserObjectCreate, cudaUserObjectCreate)
DORMER_SAME_2(cuUserObjectRetain, cudaUserObjectRetain)
DORMER_SAME_2(cuUserObjectRelease, cudaUserObjectRelease)
DORMER_SAME_4(cuGraphRetainUserObject, cudaGraphRetainUserObject)
DORMER_SAME_3(cuGraphReleaseUserObject, cudaGraphReleaseUserObject)
DORMER_SAME_2(cuGraphMemFreeNodeGetParams, cudaGraphMemFreeNodeGetParams)
DORMER_SAME_1(cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim)
DORMER_SAME_3(cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute)
DORMER_SAME_3(cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute)
DORMER_SAME_3(cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled)
DORMER_SAME_3(cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled)
DORMER_SAME_3(cuGraphInstantiate, cudaGraphInstantiateWithFlags)
DORMER_SAME_3(cuGraphInstantiateWithParams, cudaGraphInstantiateWithParams)
DORMER_SAME_3(cuGraphExecUpdate, cudaGraphExecUpdate)
DORMER_SAME_2(cuGraphExecGetFlags, cudaGraphExecGetFlags)
DORMER_SAME_1(cuGraphExecDestroy, cudaGraphExecDestroy)
DORMER_SAME_2(cuGraphUpload, cudaGraphUpload)
DORMER_SAME_2(cuGraphLaunch, cudaGraphLaunch)
DORMER_PER_THREAD(cuGraphInstantiateWithParams, ptsz);
DORMER_PER_THREAD(cuGraphUpload, ptsz);
DORMER_PER_THREAD(cuGraphLaunch, ptsz);

// Functions.
DORMER_SAME_2(cuFuncGetName, cudaFuncGetName)
DORMER_SAME_4(cuFuncGetParamInfo, cudaFuncGetParamInfo)
DORMER_SAME_3(cuFuncSetAttribute, cudaFuncSetAttribute)
DORMER_SAME_2(cuFuncSetCacheConfig, cudaFuncSetCacheConfig)
DORMER_SAME_2(cuFuncSetSharedMemConfig, cudaFuncSetSharedMemConfig)
DORMER_SAME_2(cuKernelGetName, cudaFuncGetName)
DORMER_SAME_4(cuKernelGetParamInfo, cudaFuncGetParamInfo)
DORMER_SAME_4(cuOccupancyMaxActiveBlocksPerMultiprocessor, cudaOccupancyMaxActiveBlocksPerMultiprocessor)
DORMER_SAME_5(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
              cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
DORMER_SAME_4(cuOccupancyAvailableDynamicSMemPerBlock, cudaOccupancyAvailableDynamicSMemPerBlock)

// Settings of the context.
DORMER_SAME_2(cuCtxSetLimit, cudaDeviceSetLimit)
DORMER_SAME_2(cuCtxGetLimit, cudaDeviceGetLimit)
DORMER_SAME_1(cuCtxSetCacheConfig, cudaDeviceSetCacheConfig)
DORMER_SAME_1(cuCtxGetCacheConfig, cudaDeviceGetCacheConfig)
DORMER_SAME_1(cuCtxSetSharedMemConfig, cudaDeviceSetSharedMemConfig)
DORMER_SAME_1(cuCtxGetSharedMemConfig, cudaDeviceGetSharedMemConfig)

extern "C" {

CUresult cuProfilerStart() {
    return dormer::emulator::runtime::driver::inContext([] { return cudaProfilerStart(); });
}

CUresult cuProfilerStop() {
    return dormer::emulator::runtime::driver::inContext([] { return cudaProfilerStop(); });
}

CUresult cuCtxResetPersistingL2Cache() {
    return dormer::emulator::runtime::driver::inContext([] { return cudaCtxResetPersistingL2Cache(); });
}

} // extern "C"
