// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;

namespace dormer::instrument::cupti {

/// The program's CUDA context, through the driver API.
class CudaContext : public passes::ContextBackend {
public:
    /// Null is whichever context is current. `l2Bytes` sizes the buffer that flushCaches() reads.
    CudaContext(CUctx_st* context, std::uint64_t l2Bytes) : m_context(context), m_l2Bytes(l2Bytes) {}
    ~CudaContext() override;

    void synchronize() override;
    [[nodiscard]] bool busy(const void* stream) override;
    [[nodiscard]] Result<void> flushCaches() override;
    void releaseFlushBuffer() override;
    [[nodiscard]] std::optional<std::uint32_t> blocksPerSm(const void* function, std::uint32_t blockThreads,
                                                           std::uint64_t dynamicSharedBytes) override;
    [[nodiscard]] passes::FunctionFacts functionFacts(const void* function) override;
    [[nodiscard]] std::int64_t nowNs() override;

private:
    void prepareFlush();

    CUctx_st* m_context;
    std::uint64_t m_l2Bytes;
    CUmod_st* m_module = nullptr;
    CUfunc_st* m_reader = nullptr;
    std::uint64_t m_buffer = 0; ///< CUdeviceptr
    std::uint64_t m_bufferBytes = 0;
};

/// Facts of a device as the driver reports them; `chip` from CUPTI. Throws CallError.
[[nodiscard]] session::Device describeDevice(int ordinal);

} // namespace dormer::instrument::cupti
