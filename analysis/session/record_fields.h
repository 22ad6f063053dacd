// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"

#include <concepts>
#include <type_traits>

/// The fields of what is stored and streamed, named once: stream and session file both walk these lists, so
/// that a field has one spelling everywhere.
///
/// A visitor has `required(name, value)` for fields that must be there, `field(name, value)` for those that
/// may be left out when empty, and `known(name, value)` for numbers of which zero means "not known".
namespace dormer::session {

/// T or const T: the same list serves writing and reading.
template <typename Given, typename T>
concept Either = std::same_as<std::remove_const_t<Given>, T>;

/// Fields that are one text in stream and file. fromString() is false for text that is not of their form.
template <typename T>
concept AsText = requires(const T& value, T& read, std::string_view text) {
    { toString(value) } -> std::convertible_to<std::string_view>;
    { fromString(text, read) } -> std::same_as<bool>;
};

/// A list of those is a list of texts.
template <AsText T>
std::vector<std::string> textsOf(const std::vector<T>& values) {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const T& value : values)
        texts.emplace_back(toString(value));
    return texts;
}
/// Texts that are not of the form are left out, as a session file may hold anything.
template <AsText T>
std::vector<T> parsedTexts(const std::vector<std::string>& texts) {
    std::vector<T> values;
    values.reserve(texts.size());
    for (const std::string& text : texts)
        if (!fromString(text, values.emplace_back())) values.pop_back();
    return values;
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Device> auto& d) {
    v.required("id", d.id);
    v.field("name", d.name);
    v.field("chip", d.chip);
    v.field("uuid", d.uuid);
    v.known("compute_capability_major", d.computeCapabilityMajor);
    v.field("compute_capability_minor", d.computeCapabilityMinor);
    v.known("sm_count", d.smCount);
    v.known("sm_clock_max_hz", d.smClockMaxHz);
    v.known("memory_clock_max_hz", d.memoryClockMaxHz);
    v.known("memory_bus_bits", d.memoryBusBits);
    v.known("memory_bytes", d.memoryBytes);
    v.known("l2_bytes", d.l2Bytes);
    v.known("shared_bytes_per_sm", d.sharedBytesPerSm);
    v.known("shared_bytes_per_block_optin", d.sharedBytesPerBlockOptin);
    v.known("reserved_shared_bytes_per_block", d.reservedSharedBytesPerBlock);
    v.known("registers_per_sm", d.registersPerSm);
    v.known("max_threads_per_sm", d.maxThreadsPerSm);
    v.known("max_blocks_per_sm", d.maxBlocksPerSm);
    v.field("warp_size", d.warpSize);
    v.field("driver_version", d.driverVersion);
    v.known("cuda_driver_version", d.cudaDriverVersion);
}

/// How a process ended is a record of its own in the stream: visitEnd.
template <typename Visitor>
void visitFields(Visitor& v, Either<Process> auto& p) {
    v.known("pid", p.pid);
    v.field("host", p.host);
    v.field("program", p.program);
    v.field("arguments", p.arguments);
    v.field("tool_version", p.toolVersion);
    v.known("start_unix_ns", p.startUnixNs);
    v.field("origin", p.origin);
    v.field("counter_set", p.counterSet);
    v.field("counters", p.counters);
    v.field("passes", p.passes);
    v.field("cache_control", p.cacheControl);
    v.known("by_signature", p.bySignature);
    v.known("interval_ns", p.intervalNs);
}

/// `end` is a Process or a ProcessEnd.
template <typename Visitor, typename End>
void visitEnd(Visitor& v, End& end) {
    v.field("exit_code", end.exitCode);
    v.field("signal", end.signal);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Kernel> auto& k) {
    v.required("id", k.id);
    v.field("mangled_name", k.mangledName);
    v.field("name", k.name);
    v.known("registers_per_thread", k.registersPerThread);
    v.field("static_shared_bytes", k.staticSharedBytes);
    v.field("local_bytes_per_thread", k.localBytesPerThread);
    v.known("max_threads_per_block", k.maxThreadsPerBlock);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Launch> auto& l) {
    v.required("id", l.id);
    v.field("device", l.device);
    v.required("kernel", l.kernel);
    v.field("grid", l.grid);
    v.field("block", l.block);
    v.field("dynamic_shared_bytes", l.dynamicSharedBytes);
    v.field("stream", l.stream);
    v.field("workload", l.workload);
    v.field("nvtx", l.nvtx);
    v.known("start_ns", l.startNs);
    v.field("duration_ns", l.durationNs);
    v.field("call_ns", l.callNs);
    v.known("called_ns", l.calledNs);
    v.known("waited_until_ns", l.waitedUntilNs);
    v.known("duration_factor", l.durationFactor);
    v.field("blocks_per_sm", l.blocksPerSm);
    v.field("graph_node", l.graphNode);
    v.field("counted", l.counted);
    v.field("not_counted", l.notCounted);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<SignatureCounter> auto& s) {
    v.field("device", s.device);
    v.required("kernel", s.kernel);
    v.field("workload", s.workload);
    v.field("grid", s.grid);
    v.field("block", s.block);
    v.field("dynamic_shared_bytes", s.dynamicSharedBytes);
    v.required("counter", s.counter);
    v.required("method", s.method);
    v.required("value", s.value);
    v.required("covered_ns", s.coveredNs);
    v.field("launches", s.launches);
    v.field("uncertainty", s.uncertainty);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<LineCounts> auto& l) {
    v.field("file", l.file);
    v.known("line", l.line);
    v.field("inlined_at", l.inlinedAt);
    v.field("function", l.function);
    v.required("pc", l.pc);
    v.field("instruction", l.instruction);
    v.field("space", l.space);
    v.field("op", l.op);
    v.field("width_bytes", l.widthBytes);
    v.field("executions", l.executions);
    v.field("threads", l.threads);
    v.field("sectors", l.sectors);
    v.field("sectors_ideal", l.sectorsIdeal);
    v.field("tags", l.tags);
    v.field("wavefronts", l.wavefronts);
    v.field("wavefronts_ideal", l.wavefrontsIdeal);
    v.field("serialized", l.serialized);
    v.field("divergent", l.divergent);
    v.field("lanes", l.lanes);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<SourceFile> auto& s) {
    v.required("path", s.path);
    v.required("text", s.text);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<KernelCode> auto& c) {
    v.required("kernel", c.kernel);
    v.required("language", c.language);
    v.field("files", c.files);
    v.field("lines", c.lines);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<WarpSamples> auto& s) {
    v.required("kernel", s.kernel);
    v.required("pc", s.pc);
    v.required("states", s.states);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<NvtxRange> auto& r) {
    v.required("path", r.path);
    v.required("start_ns", r.startNs);
    v.required("end_ns", r.endNs);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Note> auto& n) {
    v.required("code", n.code);
    v.required("text", n.text);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Expectation> auto& e) {
    v.required("workload", e.workload);
    v.field("kernel", e.kernel);
    v.required("metric", e.metric);
    v.required("relation", e.relation);
    v.field("value", e.value);
    v.field("tolerance", e.tolerance);
    v.field("text", e.text);
    v.field("why", e.why);
    v.field("gpu_only", e.gpuOnly);
    v.field("reference", e.reference);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Check> auto& c) {
    v.required("workload", c.workload);
    v.required("passed", c.passed);
    v.field("detail", c.detail);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Progress> auto& p) {
    v.required("phase", p.phase);
    v.field("workload", p.workload);
    v.field("pass", p.pass);
    v.field("passes", p.passes);
    v.field("launches_done", p.launchesDone);
    v.field("launches_expected", p.launchesExpected);
    v.known("seconds_left", p.secondsLeft);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<MeasuredCeiling> auto& c) {
    v.required("device", c.device);
    v.required("resource", c.resource);
    v.required("per_second", c.perSecond);
    v.field("method", c.method);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Workload> auto& w) {
    v.required("workload", w.workload);
    v.field("title", w.title);
    v.field("shows", w.shows);
    v.field("parameters", w.parameters);
    v.field("sweep", w.sweep);
    v.field("better", w.better);
    v.field("good", w.good);
    v.field("wrong_by_design", w.wrongByDesign);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Sweep> auto& s) {
    v.required("name", s.name);
    v.field("title", s.title);
    v.field("parameters", s.parameters);
    v.field("metrics", s.metrics);
    v.field("best", s.best);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<Transfer> auto& t) {
    v.field("device", t.device);
    v.required("kind", t.kind);
    v.field("direction", t.direction);
    v.field("source", t.source);
    v.field("destination", t.destination);
    v.required("count", t.count);
    v.required("bytes", t.bytes);
    v.field("duration_ns", t.durationNs);
    v.field("call_ns", t.callNs);
    v.known("start_ns", t.startNs);
    v.known("end_ns", t.endNs);
    v.field("spans", t.spans);
    v.field("asynchronous", t.asynchronous);
    v.field("stream", t.stream);
    v.field("workload", t.workload);
    v.field("nvtx", t.nvtx);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<DeviceActivity> auto& a) {
    v.field("device", a.device);
    v.required("counter", a.counter);
    v.required("start_ns", a.startNs);
    v.required("step_ns", a.stepNs);
    v.field("values", a.values);
}

template <typename Visitor>
void visitFields(Visitor& v, Either<MemoryCall> auto& c) {
    v.required("call", c.call);
    v.field("memory", c.memory);
    v.required("count", c.count);
    v.required("bytes", c.bytes);
    v.field("duration_ns", c.durationNs);
    v.known("start_ns", c.startNs);
    v.field("workload", c.workload);
    v.field("nvtx", c.nvtx);
}

} // namespace dormer::session
