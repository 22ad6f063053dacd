// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/cubin.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace dormer::emulator::fatbin {
namespace {

// Neither is documented; both were checked against what ptxas -v prints (tests/instrument/emulator/fatbin).
constexpr std::uint8_t kEntrySymbol = 0x10; ///< in st_other: a kernel, not a device function
constexpr std::uint8_t kFormatSized = 4;    ///< an .nv.info item whose payload follows
constexpr std::uint8_t kFrameSize = 0x11, kMinStackSize = 0x12, kRegisterCount = 0x2F; ///< EIATTR_…
/// From Hopper on, .nv.shared.<kernel> includes the system's own, and a section of this name is there.
constexpr std::string_view kReservedShared = ".nv.shared.reserved.";
constexpr std::uint64_t kReservedSharedBytes = 1024;

std::unexpected<Error> broken(const char* what) {
    return failure(ErrorKind::Input, std::string("cubin: ") + what);
}

struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};

std::string_view stringAt(Elf* elf, std::size_t table, std::size_t offset) {
    const char* text = elf_strptr(elf, table, offset);
    return text != nullptr ? text : "";
}

/// What .nv.info says of a symbol.
struct SymbolInfo {
    std::uint32_t registers = 0, frameBytes = 0, stackBytes = 0;
};
using SymbolInfos = std::unordered_map<std::uint32_t, SymbolInfo>;

/// Items are a byte of format, one of attribute, two of value or payload size, and the payload.
void readInfo(const Elf_Data& data, SymbolInfos& infos) {
    const auto* bytes = static_cast<const unsigned char*>(data.d_buf);
    if (bytes == nullptr) return;
    std::size_t at = 0;
    while (data.d_size - at >= 4) {
        const std::uint8_t format = bytes[at], attribute = bytes[at + 1];
        const std::size_t payload =
            format == kFormatSized ? bytes[at + 2] | static_cast<std::size_t>(bytes[at + 3]) << 8 : 0;
        at += 4;
        if (payload > data.d_size - at) return;
        if (payload == 8) {
            std::uint32_t symbol, value;
            std::memcpy(&symbol, bytes + at, 4);
            std::memcpy(&value, bytes + at + 4, 4);
            if (attribute == kRegisterCount) infos[symbol].registers = value;
            if (attribute == kFrameSize) infos[symbol].frameBytes = value;
            if (attribute == kMinStackSize) infos[symbol].stackBytes = value;
        }
        at += payload;
    }
}

} // namespace

Result<std::vector<program::CubinKernel>> readCubin(std::span<const std::byte> bytes) {
    if (elf_version(EV_CURRENT) == EV_NONE) return broken("this libelf is too old");
    // libelf takes a pointer to what it may write when asked to; it is opened for reading.
    const std::unique_ptr<Elf, EndElf> owner(
        elf_memory(reinterpret_cast<char*>(const_cast<std::byte*>(bytes.data())), bytes.size()));
    Elf* elf = owner.get();
    std::size_t names = 0;
    if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
        return broken("not an ELF file");

    std::unordered_map<std::string_view, std::uint64_t> sharedBytes;
    std::unordered_map<std::size_t, std::uint32_t> infoOfSection;
    SymbolInfos infos;
    Elf_Scn* symbols = nullptr;
    std::uint64_t reservedBytes = 0;
    constexpr std::string_view kShared = ".nv.shared.";
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) return broken("a section header is damaged");
        const std::string_view name = stringAt(elf, names, header.sh_name);
        infoOfSection[elf_ndxscn(section)] = header.sh_info;
        if (header.sh_type == SHT_SYMTAB) symbols = section;
        if (name.starts_with(kReservedShared))
            reservedBytes = kReservedSharedBytes;
        else if (name.starts_with(kShared))
            sharedBytes[name.substr(kShared.size())] = header.sh_size;
        if (name == ".nv.info") {
            if (const Elf_Data* data = elf_rawdata(section, nullptr)) readInfo(*data, infos);
        }
    }
    if (symbols == nullptr) return broken("no symbol table");

    GElf_Shdr symbolHeader;
    Elf_Data* symbolData = elf_getdata(symbols, nullptr);
    if (gelf_getshdr(symbols, &symbolHeader) == nullptr || symbolData == nullptr)
        return broken("the symbol table is damaged");
    std::vector<program::CubinKernel> out;
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(symbolData, i, &symbol) != nullptr; ++i) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & kEntrySymbol) == 0) continue;
        program::CubinKernel kernel;
        kernel.name = stringAt(elf, symbolHeader.sh_link, symbol.st_name);
        const SymbolInfo& info = infos[static_cast<std::uint32_t>(i)];
        // Until Hopper the section header of the code holds the registers, too.
        kernel.registersPerThread =
            info.registers != 0 ? info.registers : infoOfSection[symbol.st_shndx] >> 24;
        kernel.localBytesPerThread = std::max(info.frameBytes, info.stackBytes);
        if (const auto found = sharedBytes.find(kernel.name); found != sharedBytes.end())
            kernel.staticSharedBytes = found->second - std::min(found->second, reservedBytes);
        out.push_back(std::move(kernel));
    }
    return out;
}

} // namespace dormer::emulator::fatbin
