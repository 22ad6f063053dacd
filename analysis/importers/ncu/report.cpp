// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/report.h"

#include "analysis/base/utf8.h"
#include "analysis/importers/parts/protobuf.h"

#include <fmt/format.h>

#include <cmath>

namespace dormer::importers {

namespace {

constexpr std::string_view kMagic{"NVR\0", 4};

// Fields of a block's header.
constexpr std::uint32_t kResultCount = 2, kSessionDetails = 3, kStringTable = 4, kPayloadSize = 5,
                        kProcess = 6;
// Fields of a result, the profile of one kernel.
constexpr std::uint32_t kResultPid = 1, kMangledName = 5, kFunctionName = 6, kDemangledName = 7, kGrid = 10,
                        kBlock = 11, kMetric = 13, kNvtx = 21, kStream = 23;

struct Block {
    std::uint64_t results = 0;
    std::string_view payload;
    std::string_view process;
};

struct Layout {
    std::vector<Block> blocks;
    std::vector<std::string_view> names; ///< of metrics; results of all blocks index the same table
    std::string_view host;
    bool cutOff = false;
};

/// Takes a length of 32 bits, then that many bytes.
std::optional<std::string_view> takeSized(std::string_view& rest) {
    if (rest.size() < 4) return std::nullopt;
    std::uint32_t size = 0;
    for (std::size_t i = 4; i-- > 0;)
        size = size << 8U | static_cast<unsigned char>(rest[i]);
    if (size > rest.size() - 4) return std::nullopt;
    const std::string_view taken = rest.substr(4, size);
    rest.remove_prefix(4 + std::size_t{size});
    return taken;
}

/// False when a block's header is no message.
bool takeHeader(std::string_view header, Layout& layout, std::uint64_t& payloadSize) {
    Block block;
    ProtoReader reader(header);
    while (const auto field = reader.next()) {
        if (field->number == kResultCount && field->wire == 0) block.results = field->integer;
        if (field->number == kPayloadSize && field->wire == 0) payloadSize = field->integer;
        if (field->number == kProcess && field->wire == 2) block.process = field->bytes;
        if (field->number == kStringTable && field->wire == 2) {
            ProtoReader strings(field->bytes);
            while (const auto name = strings.next())
                if (name->number == 1 && name->wire == 2) layout.names.push_back(name->bytes);
        }
        // Details of the session: system information, whose fifth field is the host's name.
        if (field->number == kSessionDetails && field->wire == 2 && layout.host.empty())
            if (const auto system = fieldOf(field->bytes, 3); system && system->wire == 2)
                if (const auto host = fieldOf(system->bytes, 5); host && host->wire == 2)
                    layout.host = host->bytes;
    }
    layout.blocks.push_back(block);
    return !reader.broken();
}

Layout layoutOf(std::string_view rest) {
    Layout layout;
    rest.remove_prefix(kMagic.size());
    layout.cutOff = !takeSized(rest); // the file's header: its version
    while (!layout.cutOff && !rest.empty()) {
        const auto header = takeSized(rest);
        std::uint64_t size = 0;
        if (!header || !takeHeader(*header, layout, size)) {
            layout.cutOff = true;
            break;
        }
        layout.cutOff = size > rest.size();
        layout.blocks.back().payload = rest.substr(0, size);
        rest.remove_prefix(std::min<std::uint64_t>(size, rest.size()));
    }
    return layout;
}

std::optional<session::Dim3> dimensions(std::string_view message) {
    session::Dim3 size;
    ProtoReader reader(message);
    while (const auto field = reader.next()) {
        if (field->wire != 0 || field->integer == 0 || field->integer > UINT32_MAX) continue;
        const auto value = static_cast<std::uint32_t>(field->integer);
        if (field->number == 1) size.x = value;
        if (field->number == 2) size.y = value;
        if (field->number == 3) size.z = value;
    }
    return reader.broken() ? std::nullopt : std::optional(size);
}

/// A value is one of: text (1), float (2), double (3), and whole numbers of 32 (4) and 64 bits (5).
void takeMetric(std::string_view message, const Layout& layout, NcuResult& result) {
    std::uint64_t name = 0;
    std::optional<double> value;
    std::string_view text;
    ProtoReader reader(message);
    while (const auto field = reader.next()) {
        if (field->number == 1 && field->wire == 0) name = field->integer;
        if (field->number != 2 || field->wire != 2) continue;
        ProtoReader values(field->bytes);
        while (const auto each = values.next()) {
            if (each->wire == 2) text = each->bytes;
            if (each->wire == 5) value = each->asFloat();
            if (each->wire == 1) value = each->asDouble();
            if (each->wire == 0) value = static_cast<double>(each->integer);
        }
    }
    if (name >= layout.names.size()) return;
    std::string metric(layout.names[name]);
    if (metric == "device__attribute_display_name") result.deviceName = base::withValidUtf8(text);
    if (value && std::isfinite(*value)) result.values.try_emplace(std::move(metric), *value);
}

/// Domains, each with the open ranges of its threads: field 2 holds a thread, whose field 2 holds its ranges
/// (3) with their names (1), the outermost first.
std::string nvtxPath(std::string_view state) {
    std::string path;
    ProtoReader domains(state);
    while (const auto domain = domains.next()) {
        if (domain->number != 2 || domain->wire != 2) continue;
        ProtoReader threads(domain->bytes);
        while (const auto ranges = threads.next()) {
            if (ranges->number != 2 || ranges->wire != 2) continue;
            ProtoReader each(ranges->bytes);
            while (const auto range = each.next()) {
                if (range->number != 3 || range->wire != 2) continue;
                const auto name = fieldOf(range->bytes, 1);
                if (name && name->wire == 2 && !name->bytes.empty())
                    path += (path.empty() ? "" : " > ") + base::withValidUtf8(name->bytes);
            }
        }
    }
    return path;
}

std::string textOf(const std::optional<ProtoField>& field) {
    return field && field->wire == 2 ? base::withValidUtf8(field->bytes) : std::string();
}

/// False where the message is broken.
bool takeResult(std::string_view message, const Layout& layout, const Block& block, NcuResult& result) {
    std::string function;
    ProtoReader reader(message);
    while (const auto field = reader.next()) {
        if (field->wire == 0) {
            if (field->number == kResultPid) result.pid = static_cast<std::int32_t>(field->integer);
            if (field->number == kStream) result.stream = field->integer;
        } else if (field->wire == 2) {
            if (field->number == kMangledName) result.mangledName = base::withValidUtf8(field->bytes);
            if (field->number == kFunctionName) function = base::withValidUtf8(field->bytes);
            if (field->number == kDemangledName) result.kernel = base::withValidUtf8(field->bytes);
            if (field->number == kGrid) result.grid = dimensions(field->bytes);
            if (field->number == kBlock) result.block = dimensions(field->bytes);
            if (field->number == kMetric) takeMetric(field->bytes, layout, result);
            if (field->number == kNvtx) result.nvtx = nvtxPath(field->bytes);
        }
    }
    if (result.kernel.empty()) result.kernel = std::move(function);
    result.host = base::withValidUtf8(layout.host);
    result.program = textOf(fieldOf(block.process, 3));
    const auto device = result.values.find("launch__device_id");
    if (device != result.values.end() && device->second >= 0 && device->second < 1024)
        result.device = static_cast<std::int32_t>(device->second);
    return !reader.broken();
}

} // namespace

bool isNcuReport(std::string_view bytes) {
    return bytes.starts_with(kMagic);
}

Result<void> importNcuReport(std::string_view bytes, SessionBuilder& builder) {
    Layout layout = layoutOf(bytes);
    std::size_t broken = 0;
    std::size_t read = 0;
    for (const Block& block : layout.blocks) {
        std::string_view rest = block.payload;
        for (std::uint64_t i = 0; i < block.results; ++i) {
            const auto message = takeSized(rest);
            NcuResult result;
            if (!message || !takeResult(*message, layout, block, result)) {
                ++broken;
                break;
            }
            addResult(builder, std::move(result));
            ++read;
        }
    }
    if (read == 0)
        return failure(ErrorKind::Input, layout.cutOff || broken > 0
                                             ? "this report of Nsight Compute is cut off or "
                                               "broken: no whole result is in it"
                                             : "no kernel is in this report of Nsight Compute");
    if (layout.cutOff || broken > 0)
        builder.note(0, "import-truncated",
                     "the report is cut off or broken: later results were not imported");
    return {};
}

} // namespace dormer::importers
