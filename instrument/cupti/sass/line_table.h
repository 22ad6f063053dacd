// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/user_line.h"
#include "instrument/cupti/sass/elf_image.h"

#include <string>
#include <vector>

namespace dormer::instrument::cupti::sass {

/// Where an instruction comes from. Empty and 0 without line information.
struct SourcePlace {
    std::string file; ///< as the compiler wrote it
    std::uint32_t line = 0;
    session::CallChain inlinedAt;
    std::string function; ///< inlined function, mangled
};

/// Source lines of one kernel of a cubin built with -lineinfo: section .debug_line, DWARF 2 with NVIDIA's
/// extended opcode 0x90 for inlined code (LLVM calls it DW_LNE_NVIDIA_inlined_call). CUPTI's own correlation
/// gives no call chain, and most atomics of CUDA are inlined from its headers.
class LineTable {
public:
    /// A broken or absent table gives an empty one.
    LineTable(Bytes cubin, std::string_view mangledName);

    [[nodiscard]] SourcePlace at(std::uint64_t pc) const;
    /// The line that a user can change: session::userFrame.
    [[nodiscard]] session::SourceFrame userFrameAt(std::uint64_t pc) const;

private:
    struct Row {
        std::uint64_t address = 0;
        std::uint64_t file = 1; ///< counts from 1
        std::int64_t line = 1;
        std::uint64_t context = 0;  ///< row of the call it is inlined at, counting from 1; 0 = none
        std::uint64_t function = 0; ///< offset in .debug_str; 0 = none
    };
    class Program;

    [[nodiscard]] session::SourceFrame placeOf(const Row& row) const;

    std::vector<std::string> m_files;
    std::vector<Row> m_rows; ///< as written, which is by ascending address; calls refer to them by number
    std::vector<std::byte> m_strings;
};

} // namespace dormer::instrument::cupti::sass
