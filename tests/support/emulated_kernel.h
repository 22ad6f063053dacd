// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/engine/engine.h"

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace dormer::tests {

/// Runs kernels given as PTX text, for tests.
class EmulatedKernel {
public:
    explicit EmulatedKernel(std::string_view ptx, unsigned threads = 2, std::string_view chip = "H100")
        : m_memory(std::uint64_t{8} << 30), m_engine(*device::findChip(chip), m_memory, threads) {
        Result<emulator::engine::Module*> module = m_engine.load(ptx, {});
        if (!module) throw std::runtime_error(module.error().message);
        m_module = *module;
    }

    /// A module that needs no more than its head: version, target and address size are added.
    static std::string module(std::string_view body) {
        return ".version 8.0\n.target sm_90\n.address_size 64\n" + std::string(body);
    }

    template <typename T>
    T* allocate(std::size_t elements) {
        const auto address =
            m_memory.allocate(elements * sizeof(T), emulator::memory::Allocation::Kind::Device);
        if (!address) throw std::runtime_error("out of memory");
        return reinterpret_cast<T*>(*address);
    }
    template <typename T>
    T* upload(const std::vector<T>& values) {
        T* data = allocate<T>(values.size());
        std::memcpy(data, values.data(), values.size() * sizeof(T));
        return data;
    }

    /// The kernel as the engine has it; throws what decoding says is wrong.
    const emulator::program::Kernel& kernel(std::string_view name) {
        const Result<const emulator::program::Kernel*> found = m_engine.kernel(*m_module, name);
        if (!found) throw std::runtime_error(found.error().message);
        if (*found == nullptr) throw std::runtime_error("no such kernel");
        return **found;
    }

    template <typename... Arguments>
    std::expected<emulator::engine::LaunchOutcome, emulator::memory::Fault>
    launch(std::string_view name, session::Dim3 grid, session::Dim3 block, Arguments... arguments) {
        const emulator::program::Kernel& found = kernel(name);
        std::vector<std::byte> bytes(found.facts().parameterBytes);
        std::size_t next = 0;
        [[maybe_unused]] const auto put = [&](const auto& value) {
            std::memcpy(bytes.data() + found.facts().parameters.at(next++).offset, &value, sizeof value);
        };
        (put(arguments), ...);
        emulator::engine::LaunchRequest request;
        request.grid = grid;
        request.block = block;
        request.dynamicSharedBytes = dynamicSharedBytes;
        request.parameters = bytes;
        request.count = count;
        request.sampleLanes = sampleLanes;
        request.watchStalls = watchStalls;
        request.cluster = cluster;
        request.explicitCluster = cluster.count() > 1;
        request.dropFaults = dropFaults;
        request.checkEveryBlock = checkEveryBlock;
        request.timeLimit = timeLimit;
        request.beginNs = beginNs;
        return m_engine.launch(found, request, waitLimit);
    }

    std::uint64_t dynamicSharedBytes = 0;
    bool count = true;
    bool sampleLanes = false;
    bool watchStalls = false;
    session::Dim3 cluster;
    bool dropFaults = false;
    bool checkEveryBlock = false;
    double beginNs = 0;
    std::optional<std::chrono::nanoseconds> timeLimit;
    std::chrono::nanoseconds waitLimit = emulator::engine::kWaitLimit;
    emulator::memory::DeviceMemory& memory() { return m_memory; }
    emulator::engine::Engine& engine() { return m_engine; }

private:
    emulator::memory::DeviceMemory m_memory;
    emulator::engine::Engine m_engine;
    emulator::engine::Module* m_module = nullptr;
};

} // namespace dormer::tests
