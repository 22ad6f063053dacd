// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/launch_signature.h"
#include "analysis/session/record.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace dormer::instrument::launch {

/// Launches that count with one that was kept.
struct FoldedLaunches {
    session::Launch kept; ///< as a record that changes nothing of it
    std::uint32_t process = 0;
    std::size_t launches = 0;
    double ns = 0; ///< sum of their durations
};

/// Numbers, kept as the ranges that they make: launches are numbered in order, so there are few.
class NumberSet {
public:
    void insert(std::uint64_t number);
    [[nodiscard]] bool contains(std::uint64_t number) const;

private:
    std::map<std::uint64_t, std::uint64_t> m_ranges; ///< first -> one behind the last
};

/// Keeps what is shown of a program that runs for long within bounds. Of the first kMostLaunches launches
/// every record is let through; of later ones those of a kernel, configuration, NVTX range and stream that
/// are new, and those that took more than twice as long as any like them; all others are counted and their
/// times added up. Whoever shows the session adds these to the launch that was kept. Files keep all.
class LiveFold {
public:
    static constexpr std::size_t kMostLaunches = 200'000;
    static constexpr std::size_t kMostSignatures = 20'000; ///< then NVTX range and stream don't matter
    static constexpr std::size_t kMostRanges = 200'000;    ///< NVTX ranges that are let through
    static constexpr std::string_view kNote = "launches-folded";

    explicit LiveFold(std::size_t mostLaunches = kMostLaunches) : m_most(mostLaunches) {}

    /// True when the record is accounted for here and must not be applied to the session.
    [[nodiscard]] bool absorbs(const session::Record& record, std::uint32_t process);
    /// What was folded since the last call.
    [[nodiscard]] std::vector<FoldedLaunches> take();
    /// Launches folded so far.
    [[nodiscard]] std::size_t folded() const { return m_folded; }
    /// Says from when on launches are folded; once, when it begins.
    [[nodiscard]] std::optional<session::Note> note();

private:
    struct Key {
        session::LaunchSignature signature; ///< with the process's own number of the kernel
        std::uint32_t process = 0;
        std::uint64_t stream = 0;
        std::string nvtx;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        [[nodiscard]] std::size_t operator()(const Key& key) const;
    };
    struct Alike {
        session::Launch kept;
        std::uint32_t process = 0;
        double longestNs = 0;
        std::size_t launches = 0; ///< folded since take()
        double ns = 0;
        bool waiting = false; ///< for take()
    };
    /// One that was folded before its time was known.
    struct Untimed {
        std::uint32_t process = 0;
        std::uint64_t id = 0;
        auto operator<=>(const Untimed&) const = default;
    };

    [[nodiscard]] bool absorbsLaunch(const session::Launch& launch, std::uint32_t process);
    [[nodiscard]] bool isFolded(std::uint64_t launch, std::uint32_t process) const;
    [[nodiscard]] Alike* findAlike(const session::Launch& launch, std::uint32_t process, bool& isNew);
    void add(Alike& alike, std::size_t launches, double ns);
    void keep(Alike& alike, const session::Launch& launch, std::uint32_t process);

    std::size_t m_most;
    std::size_t m_kept = 0, m_folded = 0, m_ranges = 0;
    bool m_noted = false;
    std::unordered_map<Key, Alike, KeyHash> m_alike;
    std::vector<Alike*> m_waiting;
    std::map<std::uint32_t, NumberSet> m_keptIds, m_foldedIds; ///< by process
    std::map<Untimed, Alike*> m_untimed;
    std::deque<Untimed> m_untimedOrder; ///< the oldest first; some have their time by now
};

} // namespace dormer::instrument::launch
