// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/cupti/sass/disassembler.h"

#include <cstddef>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dormer::instrument::cupti {

/// Copies of the modules the program loaded, found again by the checksum CUPTI names them by. Thread-safe:
/// modules load on any thread.
class CubinStore {
public:
    using Image = std::vector<std::byte>;

    /// The process' store; lives until its end.
    [[nodiscard]] static CubinStore& instance();

    void add(const void* image, std::size_t bytes);
    /// The modules behind the first `seen` ones, in order.
    [[nodiscard]] std::vector<std::shared_ptr<const Image>> addedSince(std::size_t seen);
    /// Null when no such module was seen. Checksums are made when first requested: most modules of a large
    /// program never are.
    [[nodiscard]] std::shared_ptr<const Image> find(std::uint32_t crc);

private:
    std::mutex m_mutex;
    std::vector<std::shared_ptr<const Image>> m_all, m_unnamed;
    std::map<std::uint32_t, std::shared_ptr<const Image>> m_byCrc;
};

/// Source lines, instruction names and code of the kernels at hand; each kernel's tables are read once.
class SourcePlaces {
public:
    SourcePlaces();

    /// Fills in what the module tells of the instruction at `line.pc`.
    void describe(session::LineCounts& line, std::uint32_t cubinCrc, const std::string& function);

    /// The kernel's machine code; its number is left to the caller. Absent when its module was not seen.
    [[nodiscard]] std::optional<session::KernelCode> code(std::uint32_t cubinCrc,
                                                          const std::string& function);
    /// The same at once: all of it where its module was listed before, else memory accesses, branches, and
    /// the places of `also`.
    [[nodiscard]] std::optional<session::KernelCode>
    listed(std::uint32_t cubinCrc, const std::string& function, const std::set<std::uint64_t>& also);
    /// Lists the first modules that the program loads, each beside what else runs: nvdisasm takes half a
    /// second to start, which the end of a short program would wait for. To be called now and then, by the
    /// thread that calls the others.
    void listAhead();
    /// The same for the module of a kernel that is at hand, up to a number that a machine can do at once.
    void listAhead(std::uint32_t cubinCrc, const std::string& function);
    /// Waits for what listAhead() began.
    void awaitListings();
    /// Why code() tells a part only, in one line; empty when it tells all.
    [[nodiscard]] const std::string& limitation() const { return m_limitation; }

private:
    struct Kernel {
        std::shared_ptr<const CubinStore::Image> image; ///< keeps `code` alive; null when it was not seen
        sass::Bytes code;
        sass::LineTable lines;
    };
    [[nodiscard]] Result<std::vector<sass::SassLine>>
    disassembled(const Kernel& kernel, std::uint32_t cubinCrc, const std::string& function);
    void begin(const std::shared_ptr<const CubinStore::Image>& image);
    [[nodiscard]] Kernel& find(std::uint32_t cubinCrc, const std::string& function);

    std::map<std::pair<std::uint32_t, std::string>, Kernel> m_kernels;
    std::filesystem::path m_disassembler;            ///< empty: there is none
    std::map<std::uint32_t, std::string> m_listings; ///< of small modules, by checksum
    /// Of modules that are being listed. Never destroyed before they are done.
    std::map<const CubinStore::Image*, std::future<Result<std::string>>> m_ahead;
    std::size_t m_modulesSeen = 0;
    std::string m_limitation;
};

} // namespace dormer::instrument::cupti
