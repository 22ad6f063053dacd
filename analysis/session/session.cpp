// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"

#include "analysis/session/dropped_notes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::session {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

template <typename T>
void keepUnlessEmpty(T& current, const T& previous) {
    if (current == T{}) current = previous;
}

/// One physical device may be seen by many processes. Its UUID tells, else its name and ordinal.
bool sameDevice(const Device& a, const Device& b) {
    if (a.uuid.empty() && b.uuid.empty()) return a.name == b.name && a.id == b.id;
    return a.uuid == b.uuid;
}

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};

} // namespace

bool isCounterName(std::string_view name) {
    return !name.empty() && name.size() <= 256 && name != "launch" &&
           std::ranges::all_of(name, [](char c) { return c > ' ' && c < '\x7f' && c != '"'; });
}

std::size_t CounterTable::intern(std::string_view name) {
    const auto [it, isNew] = m_columns.try_emplace(std::string(name), m_names.size());
    if (isNew) {
        m_names.emplace_back(name);
        m_values.emplace_back();
    }
    return it->second;
}

std::optional<std::size_t> CounterTable::find(std::string_view name) const {
    const auto it = m_columns.find(std::string(name));
    if (it == m_columns.end()) return std::nullopt;
    return it->second;
}

void CounterTable::set(LaunchIndex launch, std::size_t column, double value) {
    if (!std::isfinite(value)) return;
    std::vector<double>& values = m_values[column];
    if (values.size() == raw(launch)) return values.push_back(value); // as sessions come, and by far faster
    if (values.size() < raw(launch)) values.resize(std::size_t{raw(launch)} + 1, kAbsent);
    values[raw(launch)] = value;
}

std::optional<double> CounterTable::get(LaunchIndex launch, std::size_t column) const {
    const std::vector<double>& values = m_values[column];
    if (raw(launch) >= values.size() || std::isnan(values[raw(launch)])) return std::nullopt;
    return values[raw(launch)];
}

std::optional<double> CounterTable::get(LaunchIndex launch, std::string_view name) const {
    const auto column = find(name);
    if (!column) return std::nullopt;
    return get(launch, *column);
}

namespace {
/// Several processes may declare the same; the last word counts.
template <typename T>
void declare(std::vector<T>& all, const T& one, std::string T::*name) {
    const auto known = std::ranges::find(all, one.*name, name);
    if (known == all.end())
        all.push_back(one);
    else
        *known = one;
}
} // namespace

std::optional<LaunchIndex> Session::apply(const Record& record, std::uint32_t process) {
    Process& owner = ensureProcess(process);
    std::optional<LaunchIndex> changed;
    std::visit(Overloaded{
                   [&](const ProcessStart& start) {
                       const auto exitCode = owner.exitCode;
                       const auto signal = owner.signal;
                       owner = start.process;
                       if (!owner.exitCode) owner.exitCode = exitCode;
                       if (!owner.signal) owner.signal = signal;
                   },
                   [&](const ProcessEnd& end) {
                       owner.exitCode = end.exitCode;
                       owner.signal = end.signal;
                   },
                   [&](const Device& device) { fold(device, process); },
                   [&](const Kernel& kernel) { fold(kernel, process); },
                   [&](const Launch& launch) { changed = fold(launch, process); },
                   [&](const LaunchCounters& counters) { changed = fold(counters, process); },
                   [&](const LaunchLines& lines) { changed = fold(lines, process); },
                   [&](const NvtxRange& range) { m_ranges.emplace_back(range).process = process; },
                   [&](const Note& note) { m_notes.emplace_back(note).process = process; },
                   [&](const Expectation& expectation) { m_expectations.push_back(expectation); },
                   [&](const Check& check) { m_checks.push_back(check); },
                   [&](const Progress&) {},
                   [&](const MeasuredCeiling& ceiling) { fold(ceiling, process); },
                   [&](const Workload& workload) { declare(m_workloads, workload, &Workload::workload); },
                   [&](const Sweep& sweep) { declare(m_sweeps, sweep, &Sweep::name); },
                   [&](const Transfer& transfer) { m_transfers.emplace_back(transfer).process = process; },
                   [&](const MemoryCall& call) { m_memoryCalls.emplace_back(call).process = process; },
                   [&](const SourceFile& source) { fold(source); },
                   [&](const KernelCode& code) { fold(code, process); },
                   [&](const SignatureCounter& counter) { changed = fold(counter, process); },
                   [&](const WarpSamples& samples) { fold(samples, process); },
                   [&](const DeviceActivity& activity) { fold(activity, process); },
                   [&](const Unknown& unknown) { m_unknown.push_back(unknown.json); },
               },
               record);
    return changed;
}

Process& Session::ensureProcess(std::uint32_t process) {
    if (process >= m_processes.size()) m_processes.resize(std::size_t{process} + 1);
    return m_processes[process];
}

/// One note a kind and process is enough: a target gone wild must not flood the session with them.
void Session::noteOnce(Note note) {
    if (m_noted.emplace(note.process, note.code).second) m_notes.push_back(std::move(note));
}

void Session::fold(const Device& device, std::uint32_t process) {
    const auto known = m_deviceIndex.find({process, device.id});
    if (known != m_deviceIndex.end()) {
        // The entry keeps the ordinal it first appeared with: measured ceilings refer to it.
        const std::int32_t id = m_devices[known->second].id;
        m_devices[known->second] = device;
        m_devices[known->second].id = id;
        return;
    }
    // Without UUIDs only processes of one host can mean the same device, or the same model of one.
    const auto comparable = [&](std::size_t other) {
        if (!device.uuid.empty() || m_processes[process].origin == Origin::Emulated) return true;
        return std::ranges::any_of(m_deviceIndex, [&](const auto& each) {
            return each.second == other && m_processes[each.first.first].host == m_processes[process].host;
        });
    };
    std::size_t at = 0;
    while (at < m_devices.size() && !(sameDevice(m_devices[at], device) && comparable(at)))
        ++at;
    m_deviceIndex[{process, device.id}] = at;
    if (at < m_devices.size()) return;
    Device& added = m_devices.emplace_back(device);
    // Each host, and each process that sees some of its GPUs, counts from 0.
    const auto taken = [&](const Device& each) { return &each != &added && each.id == added.id; };
    while (std::ranges::any_of(m_devices, taken))
        ++added.id;
}

void Session::fold(const Kernel& kernel, std::uint32_t process) {
    const auto [it, isNew] = m_kernelIndex.try_emplace({process, kernel.id}, m_kernels.size());
    if (isNew) {
        m_kernels.push_back(kernel);
        m_kernelProcess.push_back(process);
    } else {
        m_kernels[it->second] = kernel;
    }
}

void Session::fold(MeasuredCeiling ceiling, std::uint32_t process) {
    const auto device = m_deviceIndex.find({process, ceiling.device});
    if (device != m_deviceIndex.end()) ceiling.device = m_devices[device->second].id;
    m_ceilings.push_back(std::move(ceiling));
}

std::optional<LaunchIndex> Session::fold(Launch launch, std::uint32_t process) {
    const auto kernel = m_kernelIndex.find({process, launch.kernel});
    if (kernel == m_kernelIndex.end()) {
        noteOnce(launchOfUnknownKernel(process, launch));
        return std::nullopt;
    }
    launch.process = process;
    launch.kernel = kernel->second;

    const auto next = static_cast<std::uint32_t>(m_launches.size());
    const auto at = m_launchIndex.emplace_hint(m_launchIndex.end(), std::pair{process, launch.id}, next);
    if (at->second == next) {
        if (launch.counted) launch.notCounted.clear();
        m_launches.push_back(std::move(launch));
        if (m_processes[process].bySignature) giveSlot(LaunchIndex{next});
        return LaunchIndex{next};
    }
    // Said again: what the new record leaves open stays as it was.
    Launch& previous = m_launches[at->second];
    keepUnlessEmpty(launch.workload, previous.workload);
    keepUnlessEmpty(launch.nvtx, previous.nvtx);
    keepUnlessEmpty(launch.startNs, previous.startNs);
    keepUnlessEmpty(launch.durationNs, previous.durationNs);
    keepUnlessEmpty(launch.callNs, previous.callNs);
    keepUnlessEmpty(launch.blocksPerSm, previous.blocksPerSm);
    keepUnlessEmpty(launch.graphNode, previous.graphNode);
    keepUnlessEmpty(launch.counted, previous.counted);
    keepUnlessEmpty(launch.notCounted, previous.notCounted);
    if (launch.counted) launch.notCounted.clear();
    previous = std::move(launch);
    return LaunchIndex{static_cast<std::uint32_t>(at->second)};
}

std::optional<LaunchIndex> Session::fold(const LaunchCounters& counters, std::uint32_t process) {
    const auto at = m_launchIndex.find({process, counters.launch});
    if (at == m_launchIndex.end()) {
        noteOnce(countersOfUnknownLaunch(process, counters.launch));
        return std::nullopt;
    }
    const LaunchIndex index{static_cast<std::uint32_t>(at->second)};
    for (const auto& [name, value] : counters.values) {
        if (!std::isfinite(value)) continue;
        std::optional<std::size_t> column = m_counters.find(name);
        if (!column && isCounterName(name) && m_counters.names().size() < kMaxCounters) {
            column = m_counters.intern(name);
        }
        if (column) {
            m_counters.set(index, *column, value);
        } else {
            noteOnce(countersDropped(process));
        }
    }
    Launch& launch = m_launches[at->second];
    if (counters.complete) {
        launch.counted = true;
        launch.notCounted.clear();
    }
    return index;
}

std::optional<LaunchIndex> Session::fold(const LaunchLines& lines, std::uint32_t process) {
    const auto at = m_launchIndex.find({process, lines.launch});
    if (at == m_launchIndex.end()) {
        noteOnce(linesOfUnknownLaunch(process, lines.launch));
        return std::nullopt;
    }
    if (lines.lines.empty()) return std::nullopt;
    const LaunchIndex index{static_cast<std::uint32_t>(at->second)};
    setLines(index, lines.lines);
    return index;
}

void Session::giveSlot(LaunchIndex launch) {
    const std::uint32_t slot = m_signatureCounters.slot(signatureOf(m_launches[raw(launch)]));
    m_slots.resize(std::size_t{raw(launch)} + 1, SignatureCounters::kNoSlot);
    m_slots[raw(launch)] = slot;
    if (m_firstOfSlot.size() <= slot) m_firstOfSlot.resize(std::size_t{slot} + 1);
    if (!m_firstOfSlot[slot]) m_firstOfSlot[slot] = launch;
}

std::optional<LaunchIndex> Session::fold(SignatureCounter counter, std::uint32_t process) {
    const auto kernel = m_kernelIndex.find({process, counter.kernel});
    if (kernel == m_kernelIndex.end()) {
        noteOnce(countersOfUnknownKernel(process, counter.kernel));
        return std::nullopt;
    }
    if (!std::isfinite(counter.value)) return std::nullopt;
    std::optional<std::size_t> column = m_counters.find(counter.counter);
    if (!column && isCounterName(counter.counter) && m_counters.names().size() < kMaxCounters)
        column = m_counters.intern(counter.counter);
    if (!column) {
        noteOnce(countersDropped(process));
        return std::nullopt;
    }
    counter.process = process;
    counter.kernel = kernel->second;
    const std::uint32_t slot = m_signatureCounters.slot(signatureOf(counter));
    m_signatureCounters.set(slot, *column, counter);
    return slot < m_firstOfSlot.size() ? m_firstOfSlot[slot] : std::nullopt;
}

const SignatureCounter* Session::signatureCounter(LaunchIndex index, std::size_t column) const {
    return raw(index) < m_slots.size() ? m_signatureCounters.find(m_slots[raw(index)], column) : nullptr;
}

std::optional<double> Session::counter(LaunchIndex index, std::size_t column) const {
    if (const auto own = m_counters.get(index, column); own || raw(index) >= m_slots.size()) return own;
    return m_signatureCounters.value(m_slots[raw(index)], column, launch(index).durationNs);
}

std::optional<double> Session::counter(LaunchIndex index, std::string_view name) const {
    const auto column = m_counters.find(name);
    return column ? counter(index, *column) : std::nullopt;
}

bool Session::hasCounters(LaunchIndex index) const {
    return launch(index).counted ||
           (raw(index) < m_slots.size() && m_signatureCounters.hasAny(m_slots[raw(index)]));
}

void Session::fold(const SourceFile& source) {
    // What was read first is nearest to what was compiled; processes of one program send the same.
    if (sourceText(source.path) == nullptr) m_sources.push_back(source);
}

void Session::fold(KernelCode code, std::uint32_t process) {
    const auto kernel = m_kernelIndex.find({process, code.kernel});
    if (kernel == m_kernelIndex.end()) return noteOnce(codeOfUnknownKernel(process, code.kernel));
    code.kernel = kernel->second;
    for (CodeLine& line : code.lines)
        if (line.file >= code.files.size()) line.line = 0;
    if (codeOf(code.kernel) == nullptr) m_code.push_back(std::move(code));
}

void Session::fold(const WarpSamples& samples, std::uint32_t process) {
    const auto kernel = m_kernelIndex.find({process, samples.kernel});
    if (kernel == m_kernelIndex.end()) return noteOnce(samplesOfUnknownKernel(process, samples.kernel));
    if (!samples.states.states.empty()) m_warpSamples[kernel->second][samples.pc].add(samples.states);
}

void Session::fold(const DeviceActivity& activity, std::uint32_t process) {
    // Steps of no length would lie at one time.
    if (activity.stepNs > 0 && !activity.values.values.empty())
        m_activity.emplace_back(activity).process = process;
}

const std::map<std::uint64_t, WarpStates>& Session::warpSamples(std::size_t kernel) const {
    static const std::map<std::uint64_t, WarpStates> kNone;
    const auto at = m_warpSamples.find(kernel);
    return at == m_warpSamples.end() ? kNone : at->second;
}

const std::string* Session::sourceText(std::string_view path) const {
    const auto at = std::ranges::find(m_sources, path, &SourceFile::path);
    return at == m_sources.end() ? nullptr : &at->text;
}

const KernelCode* Session::codeOf(std::size_t kernel) const {
    const auto at = std::ranges::find(m_code, kernel, &KernelCode::kernel);
    return at == m_code.end() ? nullptr : &*at;
}

void Session::setLines(LaunchIndex launch, std::vector<LineCounts> lines) {
    if (m_lines.size() <= raw(launch)) m_lines.resize(std::size_t{raw(launch)} + 1);
    if (m_lines[raw(launch)].empty()) // they come in order, but for what is said late
        m_withLines.insert(std::ranges::upper_bound(m_withLines, launch), launch);
    m_lines[raw(launch)] = std::move(lines);
}

const Device* Session::deviceOf(LaunchIndex index) const {
    const Launch& of = launch(index);
    const auto at = m_deviceIndex.find({of.process, of.device});
    return at == m_deviceIndex.end() ? nullptr : &m_devices[at->second];
}

Origin Session::originOf(LaunchIndex index) const {
    return m_processes[launch(index).process].origin;
}

} // namespace dormer::session
