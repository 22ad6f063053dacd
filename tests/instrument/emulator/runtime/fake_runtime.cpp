// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"

#include <cstring>

namespace dormer::tests {

using namespace dormer::emulator::runtime;

namespace {

/// A fat binary with one PTX entry for compute capability 7.0, uncompressed, as nvcc lays it out; the fake
/// engine does not read the text.
struct FatImage {
    struct Header {
        std::uint32_t magic = 0xBA55ED50;
        std::uint16_t version = 1, headerBytes = 16;
        std::uint64_t bytes = 0;
    } header;
    struct Entry {
        std::uint16_t kind = 1, version = 0x101;
        std::uint32_t headerBytes = 64;
        std::uint64_t payloadBytes = 16;
        std::uint32_t compressedBytes = 0, optionsOffset = 0;
        std::uint16_t minor = 0, major = 8;
        std::uint32_t target = 70;
        std::uint32_t nameOffset = 0, nameBytes = 0;
        std::uint64_t flags = 0x11, reserved = 0, unpackedBytes = 0;
    } entry;
    char text[16] = ".version 8.0\n";
};
static_assert(sizeof(FatImage::Entry) == 64);

struct Wrapper {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* unused = nullptr;
};

} // namespace

void* fatBinaryFor(std::uint32_t target) {
    struct Binary {
        FatImage image;
        Wrapper wrapper;
    };
    auto* binary = new Binary; // as long as the process, like a program's own
    binary->image.header.bytes = sizeof binary->image.entry + sizeof binary->image.text;
    binary->image.entry.target = target;
    binary->wrapper.data = &binary->image;
    return &binary->wrapper;
}

class FakeProgram::Fakes final : public Executor {
public:
    Fakes(FakeProgram& program, DeviceMemory& memory) : m_program(program), m_memory(memory) {}
    Result<Module*> load(std::string_view, std::vector<CubinKernel>) override {
        ++m_program.loads;
        return reinterpret_cast<Module*>(this); // never looked into
    }
    Result<const emulator::program::Kernel*> kernel(Module&, std::string_view name) override {
        return name == m_program.kernel.kernelFacts.name ? &m_program.kernel : nullptr;
    }
    std::optional<Engine::VariablePlace> variable(Module&, std::string_view name) override {
        if (name != "table") return std::nullopt;
        if (m_table == 0) m_table = m_memory.allocate(64, Allocation::Kind::Variable, "table").value();
        return Engine::VariablePlace{m_table, 64};
    }
    std::unique_ptr<Running> begin(const emulator::program::Kernel& launched,
                                   const LaunchRequest& request) override {
        struct Ran final : Running {
            std::expected<LaunchOutcome, Fault> what;
            int waits = 0; ///< times it can't go on
            State advance(std::chrono::nanoseconds) override {
                return waits-- > 0 ? State::Waits : State::Ended;
            }
            std::expected<LaunchOutcome, Fault> outcome() override { return what; }
            Fault waiting(std::string why) const override {
                Fault fault;
                fault.kind = Fault::Kind::TimeLimit;
                fault.kernel = "add";
                fault.detail = std::move(why);
                return fault;
            }
        };
        auto ran = std::make_unique<Ran>();
        ran->waits = std::exchange(m_program.waits, 0);
        if (request.watchStalls) ran->what->stalls = m_program.stalls;
        if (m_program.fault)
            if (auto fault = m_program.fault()) {
                ran->what = std::unexpected(*fault);
                return ran;
            }
        m_program.launches.push_back({launched.facts().name,
                                      request.grid,
                                      request.block,
                                      request.dynamicSharedBytes,
                                      {request.parameters.begin(), request.parameters.end()},
                                      request.count,
                                      request.beginNs});
        return ran;
    }
    LaunchReport report(const emulator::program::Kernel&, const LaunchRequest&, const LaunchOutcome&,
                        std::string_view set) const override {
        if (set == "none") return {m_program.durationNs, {}};
        return {m_program.durationNs, {{"dram__bytes_read.sum", 4096}}};
    }
    std::vector<std::string> countersOf(std::string_view) const override { return {"dram__bytes_read.sum"}; }

private:
    FakeProgram& m_program;
    DeviceMemory& m_memory;
    std::uint64_t m_table = 0;
};

FakeProgram::FakeProgram(const char* chip, instrument::stream::CollectOptions options, bool recorded) {
    kernel.kernelFacts.name = "_Z3addPfi";
    kernel.kernelFacts.registersPerThread = 32;
    kernel.kernelFacts.parameters = {{0, 8}, {8, 4}};
    kernel.kernelFacts.parameterBytes = 12;
    kernel.kernelFacts.ptxTarget = 70;
    if (recorded)
        m_recorder =
            std::make_unique<Recorder>([this](const session::Record& record) { records.push_back(record); },
                                       std::move(options), std::vector<session::Note>{});
    m_runtime = std::make_unique<Runtime>(
        *device::findChip(chip),
        [this](const device::Chip&, DeviceMemory& memory, unsigned) -> std::unique_ptr<Executor> {
            return std::make_unique<Fakes>(*this, memory);
        },
        m_recorder.get());
    m_before = Runtime::exchange(m_runtime.get());
    Runtime::lastError() = cudaSuccess;
    m_binary = __cudaRegisterFatBinary(fatBinaryFor(70));
    __cudaRegisterFunction(m_binary, &m_hostFunction, nullptr, "_Z3addPfi", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __cudaRegisterVar(m_binary, &m_hostVariable, nullptr, "table", 0, 64, 0, 0);
}

FakeProgram::~FakeProgram() {
    Runtime::exchange(m_before);
}

cudaError_t FakeProgram::launch(void* to, int count, unsigned blocks, cudaStream_t stream) {
    void* arguments[] = {&to, &count};
    return cudaLaunchKernel(add(), dim3(blocks), dim3(128), arguments, 0, stream);
}

} // namespace dormer::tests
