// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/runtime.h"

#include "instrument/emulator/libraries/foreign_libraries.h"
#include "instrument/emulator/memory/unwritten.h"

#include <fmt/format.h>

#include <cuda_runtime_api.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace dormer::emulator::runtime {

namespace {

std::atomic<Runtime*> theRuntime{nullptr};

/// CUDA's initial values; the stack and heap of the emulator don't depend on them.
std::map<cudaLimit, std::size_t> initialLimits() {
    return {{cudaLimitStackSize, 1024},
            {cudaLimitPrintfFifoSize, 1 << 20},
            {cudaLimitMallocHeapSize, 8 << 20},
            {cudaLimitMaxL2FetchGranularity, 64},
            {cudaLimitPersistingL2CacheSize, 0}};
}

unsigned threadsFromEnvironment() {
    const char* text = std::getenv("DORMER_EMULATOR_THREADS");
    if (text == nullptr) return 0;
    unsigned threads = 0;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), threads);
    if (error == std::errc() && *end == '\0') return threads;
    fmt::print(stderr, "dormer: DORMER_EMULATOR_THREADS={} is no number: using all threads\n", text);
    return 0;
}

const device::Chip& chipFromEnvironment(const Recorder* recorder) {
    std::string key = recorder != nullptr ? recorder->options().chip : std::string();
    if (const char* text = std::getenv("DORMER_EMULATOR_CHIP"); key.empty() && text != nullptr) key = text;
    if (key.empty()) key = device::kDefaultChip;
    if (const device::Chip* chip = device::findChip(key)) return *chip;
    std::vector<std::string_view> keys;
    for (const device::Chip& chip : device::chips())
        keys.push_back(chip.key);
    fmt::print(stderr, "dormer: there is no chip '{}' to emulate; there are {}\n", key,
               fmt::join(keys, ", "));
    std::exit(2); // nothing sensible can follow, and the launcher checks the name before it starts us
}

Runtime* fromEnvironment() {
    Recorder* recorder = Recorder::instance();
    if (recorder != nullptr)
        std::atexit([] {
            Runtime::instance().lookAtLibraries(); // some may have come later
            Runtime::instance().programEnds();
            Recorder::instance()->programEnds();
        });
    auto* runtime =
        new Runtime(chipFromEnvironment(recorder), makeExecutor, recorder, threadsFromEnvironment());
    runtime->lookAtLibraries();
    return runtime;
}

} // namespace

Runtime::Runtime(const device::Chip& chip, MakeExecutor makeExecutor, Recorder* recorder, unsigned threads)
    : m_chip(chip)
    , m_makeExecutor(std::move(makeExecutor))
    , m_recorder(recorder)
    , m_threads(threads)
    , m_memory(chip.device.memoryBytes)
    , m_modules([this]() -> Executor& { return executor(); }, chip.device.name,
                static_cast<std::uint32_t>(chip.device.computeCapabilityMajor * 10 +
                                           chip.device.computeCapabilityMinor))
    , m_arrays(m_memory)
    , m_limits(initialLimits()) {
    if (m_recorder == nullptr) return;
    session::Device device = chip.device;
    device.id = 0;
    device.cudaDriverVersion = CUDART_VERSION;
    m_recorder->describe(std::move(device),
                         [this] { return executor().countersOf(m_recorder->options().counterSet); });
}

Runtime& Runtime::instance() {
    Runtime* runtime = theRuntime.load(std::memory_order_acquire);
    if (runtime != nullptr) return *runtime;
    static Runtime* const made = fromEnvironment();
    Runtime* none = nullptr;
    theRuntime.compare_exchange_strong(none, made);
    return *theRuntime.load(std::memory_order_acquire);
}

Runtime* Runtime::exchange(Runtime* other) {
    return theRuntime.exchange(other);
}

Executor& Runtime::executor() {
    if (m_executor == nullptr) m_executor = m_makeExecutor(m_chip, m_memory, m_threads);
    return *m_executor;
}

Outcome<std::uint64_t> Runtime::allocate(std::size_t bytes, memory::Allocation::Kind kind) {
    if (const auto address = m_memory.allocate(bytes, kind)) {
        const bool watched =
            m_recorder != nullptr && instrument::stream::checksFor(m_recorder->options().check, "init");
        if (watched && kind == memory::Allocation::Kind::Device) memory::fillUnwritten(*address, bytes);
        return *address;
    }
    const std::uint64_t free = m_memory.capacity() - std::min(m_memory.used(), m_memory.capacity());
    const std::string why = bytes > free ? fmt::format("has {} bytes free of {}", free, m_memory.capacity())
                                         : std::string("this machine has not the memory for it");
    return fails(cudaErrorMemoryAllocation, "emulator-memory",
                 fmt::format("out of memory: {} bytes requested, {} {}", bytes, m_chip.device.name, why));
}

void Runtime::say(const std::string& note, const std::string& text) {
    if (!m_said.insert(text).second) return;
    fmt::print(stderr, "dormer: {}\n", text);
    if (m_recorder != nullptr) m_recorder->note(note, text);
}

void Runtime::lookAtLibraries() {
    std::map<libraries::Foreign::Kind, std::vector<libraries::Foreign>> found;
    for (libraries::Foreign& each : libraries::foreignLibraries())
        if (m_foreign.insert(each.path).second) found[each.kind].push_back(std::move(each));
    for (const auto& [kind, those] : found) {
        m_otherDriver |= kind == libraries::Foreign::Kind::Driver;
        say("emulator-library", libraries::describe(those));
    }
}

cudaError_t& Runtime::lastError() {
    thread_local cudaError_t error = cudaSuccess;
    return error;
}

cudaError_t Runtime::report(const Failure& failure) {
    if (!failure.text.empty()) say(failure.note.empty() ? "emulator" : failure.note, failure.text);
    lastError() = failure.code;
    return failure.code;
}

void Runtime::programEnds() {
    const std::lock_guard lock(m_mutex);
    if (m_sticky != cudaSuccess) return;
    if (const Outcome<void> ended = finish(); !ended) report(ended.error());
}

void Runtime::reset() {
    m_underWay.clear();
    m_deferred.clear();
    m_sticky = cudaSuccess;
    lastError() = cudaSuccess;
    m_limits = initialLimits();
    m_deviceFlags = 0;
}

} // namespace dormer::emulator::runtime
