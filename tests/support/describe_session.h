// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record_fields.h"
#include "analysis/session/session.h"
#include "tests/support/parsed.h"
#include "tests/support/records.h"

#include <sstream>

namespace dormer::tests {

/// Visitor that writes every field as text, so that values can be compared and differences read.
class FieldText {
public:
    explicit FieldText(std::ostream& out) : m_out(out) { m_out.precision(17); }
    void required(const char* name, const auto& value) { field(name, value); }
    void known(const char* name, const auto& value) { field(name, value); }
    void field(const char* name, const session::Dim3& value) {
        m_out << ' ' << name << '=' << value.x << ',' << value.y << ',' << value.z;
    }
    void field(const char* name, session::Origin value) { m_out << ' ' << name << '=' << toString(value); }
    void field(const char* name, const session::AsText auto& value) {
        m_out << ' ' << name << '=' << toString(value);
    }
    template <session::AsText T>
    void field(const char* name, const std::vector<T>& values) {
        field(name, session::textsOf(values));
    }
    void field(const char* name, const std::vector<std::string>& values) {
        m_out << ' ' << name << '=';
        for (const std::string& value : values)
            m_out << '[' << value << ']';
    }
    template <typename T>
    void field(const char* name, const std::optional<T>& value) {
        m_out << ' ' << name << '=';
        if (value) {
            m_out << *value;
        } else {
            m_out << "absent";
        }
    }
    template <typename T>
    void field(const char* name, const T& value) {
        m_out << ' ' << name << '=' << value;
    }

private:
    std::ostream& m_out;
};

/// All a session says, one thing a line. Counters are in order of their names: their columns have no meaning.
inline std::string describe(const session::Session& session) {
    std::ostringstream out;
    FieldText text(out);
    const auto all = [&](const char* what, const auto& values) {
        for (const auto& value : values) {
            out << what;
            if constexpr (requires { value.process; }) out << " process=" << value.process;
            visitFields(text, value);
            if constexpr (requires { value.exitCode; }) visitEnd(text, value);
            out << '\n';
        }
    };
    all("process", session.processes());
    all("device", session.devices());
    for (const auto& [key, device] : session.deviceIndex()) {
        out << "device " << key.second << " of process " << key.first << " is " << device << '\n';
    }
    all("kernel", session.kernels());
    for (std::size_t i = 0; i < session.kernels().size(); ++i)
        out << session.processOfKernel(i) << '\n';
    all("launch", session.launches());
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        out << "lines of " << i << '\n';
        all("line", session.lines(session::LaunchIndex{i}));
    }
    all("range", session.ranges());
    all("note", session.notes());
    all("expectation", session.expectations());
    all("check", session.checks());
    all("ceiling", session.measuredCeilings());
    all("workload", session.workloads());
    all("sweep", session.sweeps());
    all("transfer", session.transfers());
    all("memory call", session.memoryCalls());
    all("activity", session.deviceActivity());
    all("source", session.sources());
    all("code", session.kernelCode());
    all("signature counter", session.signatureCounters());
    for (std::size_t i = 0; i < session.kernels().size(); ++i)
        for (const auto& [pc, states] : session.warpSamples(i))
            all("warp samples", std::vector{session::WarpSamples{i, pc, states}});
    for (const std::string& json : session.unknownRecords())
        out << json << '\n';
    std::map<std::string, std::size_t> columns;
    for (const std::string& name : session.counters().names())
        columns[name] = *session.counters().find(name);
    for (const auto& [name, column] : columns) {
        for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
            const auto value = session.counters().get(session::LaunchIndex{i}, column);
            if (value) out << name << '[' << i << "]=" << *value << '\n';
        }
    }
    return out.str();
}

/// A session that uses every kind of record and field: two processes that share a GPU, unusual values,
/// unknown records.
inline session::Session oddSession() {
    using namespace session;
    Session session;
    for (std::uint32_t i = 0; i < 2; ++i) {
        Process process;
        process.pid = 100 + static_cast<std::int32_t>(i);
        process.host = "host-\u00e9\u4e16";
        process.program = "/bin/a \"quoted\" \\ program";
        process.arguments = {"", "--x=1", "tab\there", "line\nend", std::string("nul\0in", 6)};
        process.toolVersion = "0.1.0";
        process.startUnixNs = 1'767'225'600'123'456'789;
        process.origin = i == 0 ? Origin::Emulated : Origin::Imported;
        process.counterSet = "live";
        process.counters = {"a.sum", "b.avg.pct"};
        process.passes = 3;
        process.cacheControl = "keep";
        session.apply(ProcessStart{process}, i);
        Device device;
        device.id = static_cast<std::int32_t>(1 - i); // each process numbers the same GPU its own way
        device.name = "NVIDIA H200";
        device.chip = "GH100";
        device.uuid = "GPU-1234";
        device.computeCapabilityMajor = 9;
        device.smCount = 132;
        device.smClockMaxHz = 1.98e9;
        device.memoryClockMaxHz = 3.201e9;
        device.memoryBusBits = 6144;
        device.memoryBytes = 150'754'820'096;
        device.l2Bytes = 62'914'560;
        device.sharedBytesPerSm = 233'472;
        device.sharedBytesPerBlockOptin = 232'448;
        device.reservedSharedBytesPerBlock = 1024;
        device.registersPerSm = 65'536;
        device.maxThreadsPerSm = 2048;
        device.maxBlocksPerSm = 32;
        device.driverVersion = "580.95.05";
        device.cudaDriverVersion = 13'000;
        session.apply(device, i);
        Kernel kernel;
        kernel.id = 7; // the same number in both processes, not the same kernel
        kernel.mangledName = "_Z1kv";
        kernel.name = "k" + std::to_string(i) + "()";
        kernel.registersPerThread = 255;
        kernel.staticSharedBytes = 48 << 10;
        kernel.localBytesPerThread = 16;
        kernel.maxThreadsPerBlock = 256;
        session.apply(kernel, i);
    }
    Launch launch;
    launch.id = 9'007'199'254'740'993; // 2^53 + 1: no double holds it
    launch.device = 1;
    launch.kernel = 7;
    launch.grid = {4'294'967'295, 65'535, 65'535};
    launch.block = {1024, 1, 1};
    launch.dynamicSharedBytes = 232'448;
    launch.stream = 9'223'372'036'854'775'807;
    launch.workload = "a/b";
    launch.nvtx = "outer > inner";
    launch.startNs = -5;
    launch.durationNs = 0.1;
    launch.blocksPerSm = 0;
    launch.graphNode = 9'223'372'036'854'775'807;
    session.apply(launch, 0);
    session.apply(LaunchCounters{launch.id,
                                 {{"a.sum", 1.0 / 3}, {"b.avg.pct", -99.5}, {"c", 1.7976931348623157e308}},
                                 true},
                  0);
    Launch bare;
    bare.kernel = 7;
    bare.notCounted = "too short";
    session.apply(bare, 1);
    session.apply(LaunchCounters{0, {{"a.sum", 5e-324}}, false}, 1);
    LineCounts full;
    full.file = "/src/a \"b\" \u00e9.cu";
    full.line = 4'294'967'295;
    full.inlinedAt = {{"a.cuh", 12}, {"b.cu", 40}};
    full.function = "inner<int>(float const*)";
    full.pc = 9'223'372'036'854'775'807;
    full.instruction = "LDG.E.128";
    full.space = MemorySpace::Global;
    full.op = MemoryOperation::Load;
    full.widthBytes = 16;
    full.executions = 9'007'199'254'740'993;
    full.threads = 31;
    full.sectors = 5;
    full.sectorsIdeal = 4;
    full.tags = 3;
    full.wavefronts = 9;
    full.wavefrontsIdeal = 8;
    full.serialized = 7;
    full.divergent = 0;
    full.lanes = parsed<LaneSample>("0,4,,8,,,,,,,,,,,,,,,,,,,,,,,,,,,,1024");
    session.apply(LaunchLines{launch.id, {full, LineCounts{}}}, 0);
    session.apply(LaunchLines{0, {full}}, 1);
    session.apply(LaunchLines{0, {LineCounts{}}}, 1); // the last record counts
    session.apply(NvtxRange{0, "outer", 1, 2}, 1);
    session.apply(Note{0, "code", "text"}, 1);
    session.apply(Expectation{"a/b", "k", "dram_bytes", "~", 12.5, 0.02, "", "why", true}, 0);
    session.apply(Expectation{"a/b", "", "verdict", "verdict", 0, 0, "memory", "", false}, 0);
    session.apply(Expectation{"a/b", "", "duration_ns", "<=", 0.5, 0, "", "half the work", true, "a/c"}, 0);
    session.apply(Check{"a/b", false, "differs at 3"}, 0);
    session.apply(Check{"a/c", true, ""}, 0);
    session.apply(MeasuredCeiling{0, "dram", 3.9e12, "copy"}, 1); // process 1's device 0 is the first one's 1
    Workload workload;
    workload.workload = "a/b";
    workload.title = "Of \"a\"";
    workload.shows = "what \u00e9 does";
    workload.parameters = {"size=16", "block=", ""};
    workload.sweep = "a/size";
    workload.better = "a/c";
    workload.good = true;
    workload.wrongByDesign = true;
    session.apply(workload, 1);
    session.apply(workloadNamed("a/c"), 0);
    session.apply(Sweep{"a/size", "Sizes", {"size", "block"}, {"duration_ns", "c"}, "lowest"}, 1);
    session.apply(Sweep{"a/none", "", {}, {}, ""}, 0);
    Transfer transfer;
    transfer.device = 1;
    transfer.kind = TransferKind::Copy;
    transfer.direction = TransferDirection::HostToDevice;
    transfer.source = MemoryKind::Pageable;
    transfer.destination = MemoryKind::Device;
    transfer.count = 9'007'199'254'740'993;
    transfer.bytes = 9'223'372'036'854'775'807;
    transfer.durationNs = 0.5;
    transfer.callNs = 0;
    transfer.startNs = -7;
    transfer.endNs = 1'767'225'600'123'456'789;
    transfer.spans.spans = {{0, 1'200}, {9'000'000'000'000'000, 0}};
    transfer.asynchronous = true;
    transfer.stream = 9'223'372'036'854'775'807;
    transfer.workload = "a/b";
    transfer.nvtx = "outer > inner";
    session.apply(transfer, 1);
    session.apply(transferOf(TransferKind::GpuFault, TransferDirection::None, 1, 0), 0);
    MemoryCall call;
    call.call = "cuMemHostAlloc";
    call.memory = MemoryKind::Pinned;
    call.count = 9'007'199'254'740'993;
    call.bytes = 9'223'372'036'854'775'807;
    call.durationNs = 1.0 / 3;
    call.startNs = -9;
    call.workload = "a/b";
    call.nvtx = "outer";
    session.apply(call, 1);
    session.apply(memoryCallOf("cuMemFree", MemoryKind::None, 1, 0), 0);
    DeviceActivity activity;
    activity.device = 1;
    activity.counter = "dram__bytes_read.sum";
    activity.startNs = 1'767'225'600'123'456'789;
    activity.stepNs = 250;
    activity.values.values = {1.234e12, std::nan(""), 0};
    session.apply(activity, 1);
    session.apply(SourceFile{full.file, "tab\t\n\n\"\u00e9\"\r\n no end"}, 1);
    session.apply(SourceFile{full.file, "read later"}, 0);
    session.apply(SourceFile{"empty.cu", ""}, 0);
    session.apply(
        KernelCode{7, CodeLanguage::Sass, {full.file, "b.cu"}, {{0, 1, 3, "BRA `(.L_x_1)"}, {16, 0, 0, ""}}},
        1);
    session.apply(KernelCode{7, CodeLanguage::Ptx, {}, {}}, 0);
    WarpStates states;
    states.add("long_scoreboard", 120, 80);
    states.add("wait", 12, 0);
    session.apply(WarpSamples{7, 16, states}, 0);
    session.apply(WarpSamples{7, 16, states}, 1);
    session.apply(WarpSamples{7, 32, states}, 1);
    session.apply(KernelCode{7, CodeLanguage::Ptx, {"said again"}, {}}, 0);
    session.apply(Unknown{R"({"record":"later","x":[1,2]})"}, 0);
    session.apply(ProcessEnd{3, std::nullopt}, 0);
    session.apply(ProcessEnd{std::nullopt, 9}, 1);
    return session;
}

} // namespace dormer::tests
