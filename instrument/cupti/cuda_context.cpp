// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/cuda_context.h"

#include "instrument/cupti/activity/activity_records.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/host/cupti_error.h"

#include <cuda.h>

#include <chrono>

namespace dormer::instrument::cupti {

namespace {

/// Reads a buffer through L2, 16 bytes per thread and step. Reading, not writing: a written buffer would
/// leave dirty lines whose write-back would be charged to the next kernel. The store never happens; it keeps
/// the loads alive.
constexpr const char* kReaderPtx = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .entry dormer_evict(.param .u64 buffer, .param .u64 vectors, .param .u64 sink)
{
    .reg .pred %p<3>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [buffer];
    ld.param.u64 %rd2, [vectors];
    ld.param.u64 %rd3, [sink];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %rd4, %r1, %r2;
    cvt.u64.u32 %rd5, %r3;
    add.u64 %rd4, %rd4, %rd5;
    mul.wide.u32 %rd6, %r4, %r2;
    mov.u32 %r5, 0;
NEXT:
    setp.ge.u64 %p1, %rd4, %rd2;
    @%p1 bra DONE;
    shl.b64 %rd7, %rd4, 4;
    add.u64 %rd8, %rd1, %rd7;
    ld.global.cg.v4.u32 {%r6, %r7, %r8, %r9}, [%rd8];
    or.b32 %r5, %r5, %r6;
    or.b32 %r5, %r5, %r7;
    or.b32 %r5, %r5, %r8;
    or.b32 %r5, %r5, %r9;
    add.u64 %rd4, %rd4, %rd6;
    bra NEXT;
DONE:
    setp.ne.u32 %p2, %r5, 0;
    @%p2 st.global.u32 [%rd3], %r5;
    ret;
}
)";

constexpr unsigned kReaderBlock = 256;
constexpr unsigned kReaderGrid = 2048;
/// Twice the L2: hashing and a replacement that is not strictly least-recently-used let single lines survive
/// one size.
constexpr std::uint64_t kL2Multiple = 2;

/// Makes a context current for a scope; null leaves the one that is.
class Current {
public:
    explicit Current(CUcontext context) {
        m_pushed = context != nullptr && cuCtxPushCurrent(context) == CUDA_SUCCESS;
    }
    ~Current() {
        CUcontext popped = nullptr;
        if (m_pushed) cuCtxPopCurrent(&popped);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    bool m_pushed = false;
};

/// A driver call takes a CUkernel in place of a CUfunction; the callback gave us either.
CUfunction asFunction(const void* function) {
    return static_cast<CUfunction>(const_cast<void*>(function));
}

} // namespace

CudaContext::~CudaContext() {
    releaseFlushBuffer();
    if (m_module == nullptr) return;
    const activity::OwnCalls ours;
    const Current current(m_context);
    cuModuleUnload(m_module); // the context may already be gone at exit: then there is nothing left to unload
}

void CudaContext::synchronize() {
    const activity::OwnCalls ours;
    const Current current(m_context);
    cuCtxSynchronize(); // a failed kernel is the program's to report
}

bool CudaContext::busy(const void* stream) {
    const activity::OwnCalls ours;
    const Current current(m_context);
    auto* const handle = static_cast<CUstream>(const_cast<void*>(stream)); // NOLINT: handed through
    return cuStreamQuery(handle) == CUDA_ERROR_NOT_READY;
}

void CudaContext::prepareFlush() {
    if (m_reader == nullptr) {
        DORMER_CUDA(cuModuleLoadData(&m_module, kReaderPtx));
        DORMER_CUDA(cuModuleGetFunction(&m_reader, m_module, activity::kFlushKernel));
    }
    if (m_buffer != 0) return;
    m_bufferBytes = kL2Multiple * m_l2Bytes;
    CUdeviceptr buffer = 0;
    DORMER_CUDA(cuMemAlloc(&buffer, m_bufferBytes + sizeof(std::uint32_t)));
    m_buffer = buffer;
    DORMER_CUDA(cuMemsetD8(buffer, 0, m_bufferBytes + sizeof(std::uint32_t)));
}

Result<void> CudaContext::flushCaches() {
    const activity::OwnCalls ours;
    const Current current(m_context);
    try {
        prepareFlush();
        // Everything before must have written its lines, and the read must be over before the kernel starts.
        DORMER_CUDA(cuCtxSynchronize());
        std::uint64_t vectors = m_bufferBytes / 16;
        std::uint64_t sink = m_buffer + m_bufferBytes;
        void* arguments[] = {&m_buffer, &vectors, &sink};
        DORMER_CUDA(
            cuLaunchKernel(m_reader, kReaderGrid, 1, 1, kReaderBlock, 1, 1, 0, nullptr, arguments, nullptr));
        DORMER_CUDA(cuCtxSynchronize());
        return {};
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device,
                       std::string("caches can't be flushed, --cache keep avoids it: ") + error.what());
    }
}

void CudaContext::releaseFlushBuffer() {
    if (m_buffer == 0) return;
    const activity::OwnCalls ours;
    const Current current(m_context);
    cuMemFree(m_buffer); // fails only when the context is broken, which the program will hear of itself
    m_buffer = 0;
}

std::optional<std::uint32_t> CudaContext::blocksPerSm(const void* function, std::uint32_t blockThreads,
                                                      std::uint64_t dynamicSharedBytes) {
    const activity::OwnCalls ours;
    const Current current(m_context);
    int blocks = 0;
    if (cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asFunction(function),
                                                    static_cast<int>(blockThreads),
                                                    dynamicSharedBytes) != CUDA_SUCCESS)
        return std::nullopt;
    return static_cast<std::uint32_t>(blocks);
}

passes::FunctionFacts CudaContext::functionFacts(const void* function) {
    const activity::OwnCalls ours;
    const Current current(m_context);
    const auto attribute = [&](CUfunction_attribute which) {
        int value = 0;
        if (cuFuncGetAttribute(&value, which, asFunction(function)) == CUDA_SUCCESS) return value;
        // The runtime of CUDA 13 launches kernels of libraries, which are no functions of a context.
        CUdevice device = 0;
        auto* kernel = reinterpret_cast<CUkernel>(asFunction(function));
        if (cuCtxGetDevice(&device) == CUDA_SUCCESS &&
            cuKernelGetAttribute(&value, which, kernel, device) == CUDA_SUCCESS)
            return value;
        return 0;
    };
    return {static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)),
            static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)),
            static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
            static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES))};
}

std::int64_t CudaContext::nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace dormer::instrument::cupti
