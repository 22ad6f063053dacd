// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/dormer.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

/// Kernels that people asked about in public, written anew: docs/cases.md has the questions. Every case
/// checks its result on the host; a launch's workload is its case's name.
namespace cases {

inline void succeed(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
}

/// Memory of the device with the host's values in it.
template <typename Value>
class OnDevice {
public:
    explicit OnDevice(const std::vector<Value>& host) : m_count(host.size()) {
        succeed(cudaMalloc(&m_data, m_count * sizeof(Value)), "cudaMalloc");
        succeed(cudaMemcpy(m_data, host.data(), m_count * sizeof(Value), cudaMemcpyHostToDevice),
                "cudaMemcpy");
    }
    explicit OnDevice(std::size_t count) : OnDevice(std::vector<Value>(count)) {}
    ~OnDevice() { cudaFree(m_data); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    [[nodiscard]] Value* data() const { return m_data; }
    [[nodiscard]] std::vector<Value> host() const {
        std::vector<Value> values(m_count);
        succeed(cudaMemcpy(values.data(), m_data, m_count * sizeof(Value), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
        return values;
    }

private:
    Value* m_data = nullptr;
    std::size_t m_count;
};

/// i, i + 1, … as values that every type used here holds exactly.
template <typename Value>
std::vector<Value> counting(std::size_t count, std::size_t period = 1 << 20) {
    std::vector<Value> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<Value>(i % period);
    return values;
}

/// Launches once undisturbed, and as often as the collector counts.
template <typename Launch>
void run(const char* name, const Launch& launch) {
    dormer::instrument::Session session;
    while (session.nextPass()) {
        const dormer::instrument::Range range{name};
        launch();
        succeed(cudaGetLastError(), name);
    }
    succeed(cudaDeviceSynchronize(), name);
}

/// Cases whose results were wrong.
inline int wrong = 0;

inline void check(bool right, const char* name) {
    if (right) return;
    std::fprintf(stderr, "%s: the result is wrong\n", name);
    ++wrong;
}

void doubleTranspose();
void paddedTiles();
void columnConflict();
void wideSharedLoads();
void matrixRows();
void sixteenBytes();
void redundantThreads();
void transposedGrid();
void localArrays();
void branches();
void floatInDouble();
void matrixUnit();
void matricesAndScale();
void inlinedHelpers();
void structuresOfDoubles();
void gathers();
void packedRows();
void fewRows();
void threadPerRow();
void gridSteps();
void constants();
void shortLaunches();
void partFullWarp();
void alignedItems();
void treeInShared();
void matrixAndTranspose();
void networkLayer();
void managedTurns();

} // namespace cases
