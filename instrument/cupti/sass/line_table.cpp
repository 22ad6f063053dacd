// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/line_table.h"

#include "analysis/session/model.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace dormer::instrument::cupti::sass {

namespace {

/// Longest chain of calls that is told; a table that refers to itself must end, too.
constexpr int kMostCalls = 64;

/// Reads numbers one after the other; behind the end everything is 0 and `ended`.
class Cursor {
public:
    explicit Cursor(Bytes bytes, std::uint64_t at = 0) : m_bytes(bytes), m_at(at) {}

    template <typename T>
    T fixed() {
        const auto value = readAt<T>(m_bytes, m_at);
        if (!value) m_ended = true;
        m_at += sizeof(T);
        return value.value_or(T{});
    }
    std::uint64_t unsignedLeb() { return leb(false); }
    std::int64_t signedLeb() { return static_cast<std::int64_t>(leb(true)); }
    std::string_view text() {
        const std::string_view found = textAt(m_bytes, m_at);
        m_at += found.size() + 1;
        if (m_at > m_bytes.size()) m_ended = true;
        return found;
    }
    [[nodiscard]] std::uint64_t at() const { return m_at; }
    void moveTo(std::uint64_t at) { m_at = at; }
    [[nodiscard]] bool ended() const { return m_ended || m_at >= m_bytes.size(); }

private:
    /// LEB128 (DWARF 2, section 7.6).
    std::uint64_t leb(bool isSigned) {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = fixed<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
            if ((byte & 0x80) != 0 && !m_ended) continue;
            if (isSigned && (byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
            return value;
        }
    }

    Bytes m_bytes;
    std::uint64_t m_at;
    bool m_ended = false;
};

/// Places in .debug_line that hold the address of this kernel: the table of an unlinked cubin starts each
/// kernel with address 0 and a relocation against its symbol.
std::set<std::uint64_t> addressesOf(Bytes cubin, std::string_view mangledName) {
    std::set<std::uint64_t> places;
    const Bytes relocations = elfSection(cubin, ".rela.debug_line");
    const Bytes symbols = elfSection(cubin, ".symtab");
    const Bytes names = elfSection(cubin, ".strtab");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= relocations.size(); at += sizeof(Elf64_Rela)) {
        const auto relocation = readAt<Elf64_Rela>(relocations, at);
        const auto symbol =
            readAt<Elf64_Sym>(symbols, ELF64_R_SYM(relocation->r_info) * std::uint64_t{sizeof(Elf64_Sym)});
        if (symbol && textAt(names, symbol->st_name) == mangledName) places.insert(relocation->r_offset);
    }
    return places;
}

} // namespace

/// Runs the line number program of DWARF 2, section 6.2, and keeps the rows of one kernel.
class LineTable::Program {
public:
    Program(Bytes section, std::set<std::uint64_t> addresses, LineTable& table)
        : m_section(section), m_addresses(std::move(addresses)), m_table(table) {}

    void run() {
        Cursor cursor(m_section);
        while (!cursor.ended() && m_table.m_rows.empty()) {
            const std::uint64_t start = cursor.at();
            const std::uint64_t end = start + sizeof(std::uint32_t) + cursor.fixed<std::uint32_t>();
            if (cursor.fixed<std::uint16_t>() != 2 || end > m_section.size()) return;
            readHeader(cursor);
            while (cursor.at() < end && !cursor.ended())
                step(cursor);
            cursor.moveTo(end);
        }
    }

private:
    void readHeader(Cursor& cursor) {
        const auto headerBytes = cursor.fixed<std::uint32_t>();
        const std::uint64_t program = cursor.at() + headerBytes;
        m_instructionBytes = cursor.fixed<std::uint8_t>();
        cursor.fixed<std::uint8_t>(); // whether rows are statements by default
        m_lineBase = cursor.fixed<std::int8_t>();
        m_lineRange = std::max<std::uint8_t>(cursor.fixed<std::uint8_t>(), 1);
        m_opcodeBase = cursor.fixed<std::uint8_t>();
        m_operands.assign(1, 0);
        for (unsigned i = 1; i < m_opcodeBase; ++i)
            m_operands.push_back(cursor.fixed<std::uint8_t>());
        std::vector<std::string> folders;
        for (std::string_view folder = cursor.text(); !folder.empty(); folder = cursor.text())
            folders.emplace_back(folder);
        m_table.m_files.clear();
        for (std::string_view name = cursor.text(); !name.empty(); name = cursor.text()) {
            const std::uint64_t folder = cursor.unsignedLeb(); // counts from 1; 0 = where it was compiled
            cursor.unsignedLeb();                              // time
            cursor.unsignedLeb();                              // size
            const bool known = folder > 0 && folder <= folders.size() && !name.starts_with('/');
            m_table.m_files.push_back(known ? folders[folder - 1] + "/" + std::string(name)
                                            : std::string(name));
        }
        cursor.moveTo(program);
    }

    void step(Cursor& cursor) {
        const auto opcode = cursor.fixed<std::uint8_t>();
        if (opcode >= m_opcodeBase) {
            advance((opcode - m_opcodeBase) / m_lineRange);
            m_row.line += m_lineBase + (opcode - m_opcodeBase) % m_lineRange;
            keep();
            return;
        }
        switch (opcode) {
        case 0:
            extended(cursor);
            break;
        case 1:
            keep();
            break;
        case 2:
            advance(cursor.unsignedLeb());
            break;
        case 3:
            m_row.line += cursor.signedLeb();
            break;
        case 4:
            m_row.file = cursor.unsignedLeb();
            break;
        case 8:
            advance((255U - m_opcodeBase) / m_lineRange);
            break;
        case 9:
            m_row.address += cursor.fixed<std::uint16_t>();
            break;
        default: // without meaning for us: its operands are passed over
            for (unsigned i = 0; i < m_operands[opcode]; ++i)
                cursor.unsignedLeb();
        }
    }

    void extended(Cursor& cursor) {
        const std::uint64_t bytes = cursor.unsignedLeb();
        const std::uint64_t end = cursor.at() + bytes;
        switch (cursor.fixed<std::uint8_t>()) {
        case 1: // end of a sequence
            m_row = {};
            m_wanted = false;
            break;
        case 2:
            m_wanted = m_addresses.contains(cursor.at());
            m_row.address = cursor.fixed<std::uint64_t>();
            break;
        case 0x90:
            m_row.context = cursor.unsignedLeb();
            m_row.function = cursor.unsignedLeb();
            break;
        default:
            break;
        }
        cursor.moveTo(std::max(end, cursor.at()));
    }

    void advance(std::uint64_t instructions) { m_row.address += instructions * m_instructionBytes; }
    void keep() {
        if (m_wanted) m_table.m_rows.push_back(m_row);
    }

    Bytes m_section;
    std::set<std::uint64_t> m_addresses;
    LineTable& m_table;
    Row m_row;
    bool m_wanted = false; ///< the sequence at hand is the kernel's
    std::uint8_t m_instructionBytes = 1, m_lineRange = 1, m_opcodeBase = 1;
    std::int8_t m_lineBase = 0;
    std::vector<std::uint8_t> m_operands; ///< of the standard opcodes
};

LineTable::LineTable(Bytes cubin, std::string_view mangledName) {
    const Bytes section = elfSection(cubin, ".debug_line");
    if (section.empty()) return;
    Program(section, addressesOf(cubin, mangledName), *this).run();
    const Bytes strings = elfSection(cubin, ".debug_str");
    m_strings.assign(strings.begin(), strings.end());
}

session::SourceFrame LineTable::placeOf(const Row& row) const {
    const bool known = row.file > 0 && row.file <= m_files.size();
    return {known ? m_files[row.file - 1] : std::string("?"), static_cast<std::uint32_t>(row.line)};
}

SourcePlace LineTable::at(std::uint64_t pc) const {
    // The last row at or before the instruction; of several at one address the last one holds.
    const auto after = std::ranges::upper_bound(m_rows, pc, {}, &Row::address);
    if (after == m_rows.begin()) return {};
    const Row& row = *std::prev(after);
    SourcePlace place;
    if (row.file == 0 || row.file > m_files.size() || row.line <= 0) return place;
    place.file = m_files[row.file - 1];
    place.line = static_cast<std::uint32_t>(row.line);
    if (row.context != 0) place.function = textAt(m_strings, row.function);
    std::uint64_t context = row.context;
    for (int calls = 0; context > 0 && context <= m_rows.size() && calls < kMostCalls; ++calls) {
        const Row& call = m_rows[context - 1];
        place.inlinedAt.push_back(placeOf(call));
        context = call.context;
    }
    return place;
}

session::SourceFrame LineTable::userFrameAt(std::uint64_t pc) const {
    SourcePlace place = at(pc);
    session::LineCounts counts;
    counts.file = std::move(place.file);
    counts.line = place.line;
    counts.inlinedAt = std::move(place.inlinedAt);
    return session::userFrame(counts);
}

} // namespace dormer::instrument::cupti::sass
