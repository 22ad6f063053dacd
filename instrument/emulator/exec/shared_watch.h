// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace dormer::emulator::memory {
class GlobalWatch;
} // namespace dormer::emulator::memory

namespace dormer::emulator::exec {

/// What a kernel does with memory whose result CUDA leaves undefined.
struct Hazard {
    enum class Kind : std::uint8_t {
        Race,          ///< two warps of a block at one place of shared memory, with nothing to order them
        Uninitialized, ///< a read of shared memory that the block has not written
        Clash,         ///< one store of a warp takes different values to one address
        GlobalRace,    ///< two warps at one place of global memory, likewise; `otherBlock` is the first's
    };
    struct Side {
        std::uint32_t instruction = 0; ///< Inst::index
        std::uint32_t thread = 0;      ///< number in its block
        bool writes = false;
        bool operator==(const Side&) const = default;
    };
    Kind kind = Kind::Race;
    Side first, second;        ///< as they came here; Uninitialized has only the second
    std::uint64_t address = 0; ///< a byte of shared memory, or an address of global memory
    std::uint64_t blockNumber = 0;
    session::Dim3 block, otherBlock;
    [[nodiscard]] bool isLike(const Hazard& other) const {
        if (kind != other.kind) return false;
        const auto same = [](const Side& a, const Side& b) { return a.instruction == b.instruction; };
        return (same(first, other.first) && same(second, other.second)) ||
               (same(first, other.second) && same(second, other.first));
    }
};

/// Which undefined behaviour a launch is searched for.
struct Checks {
    bool races = false;       ///< and clashes
    bool initialized = false; ///< reads of what was not written
    bool everyBlock = false;  ///< else the first and the last one
    [[nodiscard]] bool any() const { return races || initialized; }
};

/// Watches the shared memory of one block: who accessed each word last, and what orders warps, by vector
/// clocks (Flanagan and Freund, FastTrack, PLDI 2009, with two readers kept for each word). Barriers,
/// mbarrier objects, atomics and accesses with an order (volatile, relaxed and up) do; so what is reported
/// is never ordered by them, while chance may order what is not reported. Lanes of one warp are not compared.
class SharedWatch {
public:
    enum class Access : std::uint8_t { Read, Write, Update };         ///< Update: an atomic
    static constexpr std::uint64_t kGlobalMemory = ~std::uint64_t{0}; ///< all its strong accesses order

    /// Nothing is written yet, and no warp has done anything. `found` gets the hazards. `global`, which may
    /// be null, watches what all blocks do to global memory.
    void begin(Checks checks, std::uint64_t sharedBytes, std::uint64_t blockNumber, session::Dim3 block,
               std::vector<Hazard>& found, memory::GlobalWatch* global);
    struct Request {
        std::uint32_t warp = 0, instruction = 0, mask = 0;
        unsigned width = 4; ///< bytes a lane
        Access how = Access::Read;
        bool strong = false;   ///< races with no other such access
        bool acquires = false; ///< comes after what was released at its address
        bool releases = false;
    };
    /// Lanes access shared memory at `offsets`, which lie within it.
    void access(const Request& request, const std::uint64_t* offsets);
    /// Lanes access global memory at `addresses`.
    void accessGlobal(const Request& request, const std::uint64_t* addresses);
    /// Lanes `one` and `other` of a warp store different values to one address.
    void clash(std::uint32_t warp, std::uint32_t instruction, unsigned one, unsigned other,
               std::uint64_t address);

    /// What the warp did so far comes before what those do that acquire the same key later.
    void releases(std::uint32_t warp, std::uint64_t key);
    void acquires(std::uint32_t warp, std::uint64_t key);
    /// A warp that has exited holds nobody up: barriers order what it did, too.
    void exits(std::uint32_t warp) { releases(warp, kExits); }
    void arrives(std::uint32_t warp, std::uint32_t barrier) { releases(warp, kBarriers - barrier); }
    void leaves(std::uint32_t warp, std::uint32_t barrier);

private:
    static constexpr std::uint64_t kExits = kGlobalMemory - 1, kBarriers = kGlobalMemory - 2;
    static constexpr unsigned kWarps = 32; ///< a block has at most
    using Clocks = std::array<std::uint32_t, kWarps>;
    struct Seen {
        std::uint32_t clock = 0;
        std::uint32_t instruction = 0;
        std::uint16_t thread = 0;
        std::uint8_t bytes = 0; ///< of the word, a bit each
        bool strong = false;
    };
    struct Word {
        Seen write, read, otherRead;
        std::uint32_t begun = 0; ///< m_begun when `written` was last cleared
        std::uint8_t written = 0;
    };
    void touch(const Request& request, std::uint32_t thread, std::uint64_t word, std::uint8_t bytes);
    void compare(const Seen& before, bool wrote, const Request& request, const Seen& now, std::uint64_t word);
    void add(const Hazard& hazard);

    Checks m_checks;
    std::vector<Word> m_words;
    std::array<Clocks, kWarps> m_clocks = {};
    std::unordered_map<std::uint64_t, Clocks> m_orders;
    std::uint32_t m_begun = 0; ///< all clocks at the begin of this block
    std::uint32_t m_latest = 0;
    std::uint64_t m_blockNumber = 0;
    session::Dim3 m_block;
    std::vector<Hazard>* m_found = nullptr;
    memory::GlobalWatch* m_global = nullptr;
};

} // namespace dormer::emulator::exec
