// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Memory operations of streams: cuStreamWaitValue, cuStreamWriteValue and batches of them.

#include "instrument/emulator/runtime/driver/driver.h"

#include <span>

namespace dormer::emulator::runtime::driver {
namespace {

using api::call;

/// The word, which has to be naturally aligned in memory that the device knows.
Outcome<MemoryWord> wordAt(Runtime& runtime, CUdeviceptr address, std::uint8_t bytes) {
    const std::optional<memory::Allocation> found = runtime.memory().find(address);
    if (address % bytes != 0 || !found || address + bytes > found->end()) return fails(cudaErrorInvalidValue);
    return MemoryWord{address, bytes};
}

Outcome<Task> waitFor(Runtime& runtime, CUdeviceptr address, std::uint8_t bytes, std::uint64_t value,
                      unsigned flags) {
    const unsigned until = flags & ~static_cast<unsigned>(CU_STREAM_WAIT_VALUE_FLUSH);
    if (until > CU_STREAM_WAIT_VALUE_NOR) return fails(cudaErrorInvalidValue);
    const Outcome<MemoryWord> word = wordAt(runtime, address, bytes);
    if (!word) return std::unexpected(word.error());
    return WordWait{static_cast<WordWait::Until>(until), *word, value};
}

Outcome<Task> writeTo(Runtime& runtime, CUdeviceptr address, std::uint8_t bytes, std::uint64_t value,
                      unsigned flags) {
    if ((flags & ~static_cast<unsigned>(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER)) != 0)
        return fails(cudaErrorInvalidValue);
    const Outcome<MemoryWord> word = wordAt(runtime, address, bytes);
    if (!word) return std::unexpected(word.error());
    return WordWrite{*word, value};
}

/// Nothing for a flush or barrier: memory is always in order.
Outcome<Task> taskOf(Runtime& runtime, const CUstreamBatchMemOpParams& op) {
    switch (op.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        return waitFor(runtime, op.waitValue.address, 4, op.waitValue.value, op.waitValue.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        return waitFor(runtime, op.waitValue.address, 8, op.waitValue.value64, op.waitValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        return writeTo(runtime, op.writeValue.address, 4, op.writeValue.value, op.writeValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return writeTo(runtime, op.writeValue.address, 8, op.writeValue.value64, op.writeValue.flags);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    case CU_STREAM_MEM_OP_BARRIER:
        return Nothing{};
    }
    return fails(cudaErrorInvalidValue);
}

/// All are checked before the first has an effect.
CUresult submit(CUstream handle, std::span<const CUstreamBatchMemOpParams> ops) {
    return inContext([&] {
        return call([&](Runtime& runtime) -> Outcome<void> {
            Stream* const stream = runtime.streams().find(as<cudaStream_t>(handle));
            if (stream == nullptr) return fails(cudaErrorInvalidResourceHandle);
            if (stream->capture != nullptr) return api::lacking("a memory operation of a stream in a graph");
            std::vector<Task> tasks;
            for (const CUstreamBatchMemOpParams& op : ops) {
                Outcome<Task> task = taskOf(runtime, op);
                if (!task) return std::unexpected(task.error());
                tasks.push_back(std::move(*task));
            }
            for (const Task& task : tasks)
                if (const Outcome<void> done = runtime.perform(*stream, task); !done) return done;
            return {};
        });
    });
}

CUresult submit(CUstream stream, const CUstreamBatchMemOpParams& op) {
    return submit(stream, {&op, 1});
}

CUstreamBatchMemOpParams wait(CUstreamBatchMemOpType operation, CUdeviceptr address, std::uint64_t value,
                              unsigned flags) {
    CUstreamBatchMemOpParams op = {};
    op.waitValue = {operation, address, {}, flags, 0};
    op.waitValue.value64 = value;
    return op;
}

CUstreamBatchMemOpParams write(CUstreamBatchMemOpType operation, CUdeviceptr address, std::uint64_t value,
                               unsigned flags) {
    CUstreamBatchMemOpParams op = {};
    op.writeValue = {operation, address, {}, flags, 0};
    op.writeValue.value64 = value;
    return op;
}

} // namespace
} // namespace dormer::emulator::runtime::driver

using namespace dormer::emulator::runtime::driver;

extern "C" {

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
    return submit(stream, wait(CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags));
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
    return submit(stream, wait(CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags));
}
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
    return submit(stream, write(CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags));
}
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
    return submit(stream, write(CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags));
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* ops, unsigned flags) {
    constexpr unsigned kMost = 256; // as the driver's documentation has it
    if (ops == nullptr || count > kMost || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return submit(stream, {ops, count});
}

} // extern "C"

DORMER_PER_THREAD(cuStreamWaitValue32_v2, ptsz);
DORMER_PER_THREAD(cuStreamWaitValue64_v2, ptsz);
DORMER_PER_THREAD(cuStreamWriteValue32_v2, ptsz);
DORMER_PER_THREAD(cuStreamWriteValue64_v2, ptsz);
DORMER_PER_THREAD(cuStreamBatchMemOp_v2, ptsz);
