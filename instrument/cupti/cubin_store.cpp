// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/cubin_store.h"

#include "instrument/collect/launch_filter.h"
#include "instrument/cupti/sass/sass_code.h"

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>

namespace dormer::instrument::cupti {

CubinStore& CubinStore::instance() {
    static auto* const store = new CubinStore; // CUPTI calls back until the process ends
    return *store;
}

void CubinStore::add(const void* image, std::size_t bytes) {
    auto copy = std::make_shared<Image>(bytes);
    std::memcpy(copy->data(), image, bytes);
    const std::lock_guard lock(m_mutex);
    m_all.push_back(copy);
    m_unnamed.push_back(std::move(copy));
}

std::vector<std::shared_ptr<const CubinStore::Image>> CubinStore::addedSince(std::size_t seen) {
    const std::lock_guard lock(m_mutex);
    return {m_all.begin() + static_cast<std::ptrdiff_t>(std::min(seen, m_all.size())), m_all.end()};
}

std::shared_ptr<const CubinStore::Image> CubinStore::find(std::uint32_t crc) {
    const std::lock_guard lock(m_mutex);
    for (; !m_unnamed.empty() && !m_byCrc.contains(crc); m_unnamed.pop_back()) {
        CUpti_GetCubinCrcParams params = {};
        params.size = CUpti_GetCubinCrcParamsSize;
        params.cubinSize = m_unnamed.back()->size();
        params.cubin = m_unnamed.back()->data();
        if (cuptiGetCubinCrc(&params) == CUPTI_SUCCESS)
            m_byCrc.emplace(static_cast<std::uint32_t>(params.cubinCrc), m_unnamed.back());
    }
    const auto at = m_byCrc.find(crc);
    return at != m_byCrc.end() ? at->second : nullptr;
}

namespace {

/// Larger modules are listed kernel by kernel.
constexpr std::size_t kWholeBytes = std::size_t{1} << 20;
/// Modules that are listed ahead, and of these such of which is not known whether they are needed.
constexpr std::size_t kMostAhead = 16, kMostUnasked = 4;

/// Where the CUPTI that is loaded lies.
std::filesystem::path cuptiLibrary() {
    Dl_info library{};
    if (dladdr(reinterpret_cast<const void*>(&cuptiGetVersion), &library) == 0 ||
        library.dli_fname == nullptr)
        return {};
    std::error_code error;
    return std::filesystem::canonical(library.dli_fname, error);
}

} // namespace

SourcePlaces::SourcePlaces() : m_disassembler(sass::findDisassembler(cuptiLibrary())) {}

SourcePlaces::Kernel& SourcePlaces::find(std::uint32_t cubinCrc, const std::string& function) {
    const std::pair key{cubinCrc, function};
    auto kernel = m_kernels.find(key);
    if (kernel == m_kernels.end()) {
        auto image = CubinStore::instance().find(cubinCrc);
        const sass::Bytes bytes = image ? sass::Bytes(*image) : sass::Bytes();
        kernel = m_kernels
                     .emplace(key, Kernel{image, sass::kernelCode(bytes, function),
                                          sass::LineTable(bytes, function)})
                     .first;
    }
    return kernel->second;
}

void SourcePlaces::describe(session::LineCounts& line, std::uint32_t cubinCrc, const std::string& function) {
    const Kernel& kernel = find(cubinCrc, function);
    sass::SourcePlace place = kernel.lines.at(line.pc);
    line.file = std::move(place.file);
    line.line = place.line;
    line.inlinedAt = std::move(place.inlinedAt);
    if (!place.function.empty()) line.function = base::demangled(place.function);
    line.instruction = sass::mnemonicAt(kernel.code, line.pc);
}

Result<std::vector<sass::SassLine>> SourcePlaces::disassembled(const Kernel& kernel, std::uint32_t cubinCrc,
                                                               const std::string& function) {
    if (kernel.image->size() > kWholeBytes) return sass::disassemble(m_disassembler, *kernel.image, function);
    auto at = m_listings.find(cubinCrc);
    if (at == m_listings.end()) {
        const auto ahead = m_ahead.find(kernel.image.get());
        auto listing = ahead != m_ahead.end() && ahead->second.valid()
                           ? ahead->second.get()
                           : sass::listing(m_disassembler, *kernel.image);
        if (!listing) return std::unexpected(listing.error());
        at = m_listings.emplace(cubinCrc, std::move(*listing)).first;
    }
    std::vector<sass::SassLine> lines = sass::parseListing(at->second, function);
    if (lines.empty())
        return failure(ErrorKind::Target, m_disassembler.string() + " lists no function " + function);
    return lines;
}

std::optional<session::KernelCode> SourcePlaces::code(std::uint32_t cubinCrc, const std::string& function) {
    const Kernel& kernel = find(cubinCrc, function);
    if (!kernel.image) return std::nullopt;
    if (!m_disassembler.empty()) {
        const auto began = std::chrono::steady_clock::now();
        const auto lines = disassembled(kernel, cubinCrc, function);
        if (lines) return sass::sassCode(*lines, kernel.lines);
        // One that hangs would hold up the program at each of its kernels.
        if (std::chrono::steady_clock::now() - began >= sass::kDisassemblyLimit) m_disassembler.clear();
        if (m_limitation.empty())
            m_limitation = "machine code of some kernels is listed in part: " + lines.error().message;
    } else if (m_limitation.empty()) {
        m_limitation = "of the machine code only memory accesses and branches are listed: nvdisasm was not "
                       "found; install the CUDA Toolkit's, or set CUDA_HOME";
    }
    return sass::sassCode(sass::namedInstructions(kernel.code), kernel.lines);
}

void SourcePlaces::begin(const std::shared_ptr<const CubinStore::Image>& image) {
    if (image->size() > kWholeBytes) return;
    m_ahead.try_emplace(image.get(), std::async(std::launch::async, [image, program = m_disassembler] {
                            return sass::listing(program, *image);
                        }));
}

void SourcePlaces::listAhead() {
    if (m_disassembler.empty()) return;
    for (const auto& image : CubinStore::instance().addedSince(m_modulesSeen)) {
        ++m_modulesSeen;
        if (m_ahead.size() < kMostUnasked) begin(image);
    }
}

void SourcePlaces::listAhead(std::uint32_t cubinCrc, const std::string& function) {
    const Kernel& kernel = find(cubinCrc, function);
    if (kernel.image && !m_disassembler.empty() && m_ahead.size() < kMostAhead &&
        !m_listings.contains(cubinCrc) && !m_ahead.contains(kernel.image.get()))
        begin(kernel.image);
}

void SourcePlaces::awaitListings() {
    for (const auto& [image, listing] : m_ahead)
        if (listing.valid()) listing.wait();
}

std::optional<session::KernelCode> SourcePlaces::listed(std::uint32_t cubinCrc, const std::string& function,
                                                        const std::set<std::uint64_t>& also) {
    const Kernel& kernel = find(cubinCrc, function);
    if (m_listings.contains(cubinCrc) || m_ahead.contains(kernel.image.get()))
        return code(cubinCrc, function);
    if (!kernel.image) return std::nullopt;
    std::vector<sass::SassLine> lines = sass::namedInstructions(kernel.code);
    for (const std::uint64_t pc : also)
        if (std::ranges::find(lines, pc, &sass::SassLine::pc) == lines.end()) lines.push_back({pc, ""});
    std::ranges::sort(lines, {}, &sass::SassLine::pc);
    return sass::sassCode(lines, kernel.lines);
}

} // namespace dormer::instrument::cupti
