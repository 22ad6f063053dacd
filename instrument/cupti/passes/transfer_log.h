// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "instrument/cupti/passes/api_calls.h"
#include "instrument/cupti/passes/backends.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dormer::instrument::cupti::passes {

/// Where in the program something happens.
struct Place {
    std::string workload, nvtx;
    std::uint64_t run = 0; ///< another number for each run of a workload
    bool operator==(const Place&) const = default;
};

/// A call of the program that copies, fills, or is about memory.
struct MemoryApiCall {
    ApiCall function;
    std::uint64_t bytes = 0; ///< of a call about memory; 0: it does not say
    std::uint32_t correlationId = 0;
    std::int64_t startNs = 0, endNs = 0; ///< of the call, on the host
    Place place;
};

/// What the undisturbed pass saw of transfers and of calls about memory; turned into records when the GPU has
/// told what it did.
class TransferLog {
public:
    void clear();
    void called(const MemoryApiCall& call);
    /// The program replays a graph; its transfers carry this call's correlation id.
    void replayed(std::uint32_t correlationId, const Place& place);
    /// A kernel ran, or a workload's range was open on the host, from then to then. What the driver does by
    /// itself belongs to the kernel that ran at that time, else to the range that was open, else to the last
    /// that had begun.
    void kernelRan(const Place& place, std::int64_t startNs, std::int64_t endNs);
    void workloadRan(const Place& place, std::int64_t startNs, std::int64_t endNs);

    /// Of the place of a replay and the node: where the node's transfer belongs.
    using PlaceOfNode = std::function<Place(const Place& replay, std::uint64_t node)>;
    /// Transfers and calls, joined. What the program did not call for, our own copies among it, is left out.
    [[nodiscard]] std::vector<session::Record> records(std::vector<TransferTiming> transfers,
                                                       const PlaceOfNode& placeOfNode);

private:
    struct Call {
        ApiCall::Kind kind = ApiCall::Kind::Copy;
        bool replay = false;
        std::uint32_t function = 0; ///< index into m_functions
        std::uint32_t place = 0;    ///< index into m_places
        std::uint32_t correlationId = 0;
        std::uint64_t bytes = 0;
        std::int64_t startNs = 0, endNs = 0;
    };
    struct Span {
        std::int64_t startNs = 0, endNs = 0;
        Place place;
    };
    std::uint32_t indexOf(const Place& place);
    std::uint32_t indexOf(const ApiCall& function);
    [[nodiscard]] Place placeAt(std::int64_t timeNs) const;

    std::vector<Call> m_calls;
    std::vector<Place> m_places;      ///< neighbours share one
    std::vector<ApiCall> m_functions; ///< of calls about memory
    std::vector<Span> m_kernels, m_workloads;
};

} // namespace dormer::instrument::cupti::passes
