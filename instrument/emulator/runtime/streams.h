// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/graph.h"

namespace dormer::emulator::runtime {

/// A capture in progress, shared by the streams that joined it.
struct Capture {
    std::shared_ptr<Graph> graph;
    const void* origin = nullptr; ///< the Stream it began on
    std::uint64_t id = 0;
    bool broken = false;      ///< invalidated
    bool intoOwnGraph = true; ///< false: into one the program gave
};

struct Stream {
    std::uint64_t id = 0;
    unsigned flags = cudaStreamDefault;
    int priority = 0;
    double clockNs = 0; ///< when its last kernel ends, on the emulated clock
    LaunchAttributes attributes;
    std::shared_ptr<Capture> capture;
    std::vector<cudaGraphNode_t> tail; ///< captured nodes the next one depends on
};

struct Event {
    unsigned flags = cudaEventDefault;
    std::optional<double> timeNs; ///< absent until recorded
    std::uint64_t streamId = 0;   ///< where it was recorded last
    std::shared_ptr<Capture> capture;
    std::vector<cudaGraphNode_t> tail;
};

/// Streams and events. Task is done at the call, so order holds by itself; what is left is time. The emulated
/// clock starts at 0 and is moved only by kernels, each by its predicted duration: streams run side by side,
/// the default stream waits for the blocking ones and they for it, and what the host issues after waiting for
/// a stream starts after that. Copies, fills and host code take no time on it. cudaEventElapsedTime is a
/// difference on this clock.
class StreamTable {
public:
    StreamTable();
    [[nodiscard]] Stream* create(unsigned flags, int priority);
    bool destroy(cudaStream_t handle);
    /// 0, cudaStreamLegacy and cudaStreamPerThread are the default stream. Null for an unknown handle.
    [[nodiscard]] Stream* find(cudaStream_t handle);
    [[nodiscard]] const Stream* byId(std::uint64_t id) const; ///< null when it is gone
    [[nodiscard]] const Stream* defaultStream() const { return &m_default; }

    [[nodiscard]] Event* createEvent(unsigned flags);
    bool destroyEvent(cudaEvent_t handle);
    [[nodiscard]] Event* findEvent(cudaEvent_t handle);

    /// Earliest time the next kernel of the stream can start.
    [[nodiscard]] double startNs(const Stream& stream) const;
    void kernelRan(Stream& stream, double durationNs);
    void record(Event& event, const Stream& stream);
    void wait(Stream& stream, const Event& event);
    void hostWaitsFor(const Stream& stream);
    void hostWaitsFor(const Event& event);
    void hostWaitsForAll();
    /// The program reads the emulated clock by other means than events.
    void readsClock() { m_timed = true; }
    /// True once the program timed something: launches are then predicted even where nobody else asks.
    [[nodiscard]] bool timed() const { return m_timed; }
    /// True when every node of the capture leads to what the stream has last.
    [[nodiscard]] bool allJoined(const Capture& capture, const Stream& origin) const;
    /// Takes all streams and events out of it.
    void leaveCapture(const Capture& capture);
    [[nodiscard]] std::uint64_t nextCaptureId() { return ++m_lastCapture; }

private:
    [[nodiscard]] bool blocking(const Stream& stream) const { return stream.flags != cudaStreamNonBlocking; }

    Stream m_default;
    std::map<const void*, std::unique_ptr<Stream>> m_streams;
    std::map<const void*, std::unique_ptr<Event>> m_events;
    double m_hostNs = 0;
    bool m_timed = false;
    std::uint64_t m_lastId = 2; ///< 1 and 2 are the default streams' in CUDA
    std::uint64_t m_lastCapture = 0;
};

} // namespace dormer::emulator::runtime
