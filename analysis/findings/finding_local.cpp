// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/session/kernel_code.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <set>

namespace dormer::findings {

namespace {

/// What a kernel's code says of its stack.
struct Stack {
    std::uint64_t arrayBytes = 0; ///< PTX: of declared local arrays
    bool known = false, calls = false;
    /// SASS: accesses at an address in a register, and at fixed offsets that are both stored and loaded; by
    /// position in the code.
    std::set<std::uint64_t> indexed, spills;
};

/// The number before `end` in a text that goes on behind it.
std::uint64_t numberBefore(std::string_view text, std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        --begin;
    std::uint64_t number = 0;
    std::from_chars(text.data() + begin, text.data() + end, number);
    return number;
}

/// ".local .align 16 .b8 __local_depot0[128];": nvcc declares the arrays of a function as one of bytes.
void readPtx(std::string_view line, Stack& stack) {
    if (line.starts_with(".local") && line.ends_with("];"))
        stack.arrayBytes += numberBefore(line, line.size() - 2);
    stack.calls = stack.calls || line.starts_with("call");
}

bool isCall(std::string_view sass) {
    return sass.starts_with("CALL") || sass.find(" CALL") != std::string_view::npos;
}

/// "[R1+0x10]", "[R1]": the offset into the stack, which R1 points to.
std::optional<std::string_view> fixedOffset(std::string_view sass) {
    const std::size_t open = sass.find('[');
    const std::size_t close = open == std::string_view::npos ? open : sass.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view address = sass.substr(open + 1, close - open - 1);
    if (address == "R1") return std::string_view{};
    return address.starts_with("R1+") ? std::optional(address.substr(3)) : std::nullopt;
}

Stack stackOf(const FindingContext& c) {
    Stack stack;
    const session::Session& session = c.metrics.session();
    const session::KernelCode* code = session.codeOf(session.launch(c.launch).kernel);
    if (code == nullptr) return stack;
    stack.known = true;
    /// Stores and loads by offset. Arguments of printf are stored only.
    std::map<std::string_view, std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>> fixed;
    for (const session::CodeLine& line : code->lines) {
        if (code->language == session::CodeLanguage::Ptx) {
            readPtx(line.text, stack);
            continue;
        }
        stack.calls = stack.calls || isCall(line.text);
        const bool loads = line.text.find("LDL") != std::string_view::npos;
        if ((!loads && line.text.find("STL") == std::string_view::npos) ||
            line.text.find('[') == std::string_view::npos)
            continue;
        if (const auto offset = fixedOffset(line.text))
            (loads ? fixed[*offset].second : fixed[*offset].first).push_back(line.pc);
        else
            stack.indexed.insert(line.pc);
    }
    for (const auto& [offset, accesses] : fixed) {
        if (accesses.first.empty() || accesses.second.empty()) continue;
        stack.spills.insert(accesses.first.begin(), accesses.first.end());
        stack.spills.insert(accesses.second.begin(), accesses.second.end());
    }
    return stack;
}

/// PTX has no spills: its local memory is dynamically indexed arrays. In SASS, spilled registers are at fixed
/// offsets into the stack; an index that varies needs another register for its address. A kernel can have
/// both, and an array's elements may be at fixed offsets, too: what moves most decides.
FindingKind kindFor(const FindingContext& c, const Stack& stack) {
    if (c.metrics.session().originOf(c.launch) == session::Origin::Emulated) return FindingKind::LocalArrays;
    double indexed = 0, spilled = 0;
    for (const session::LineCounts& line : c.lines) {
        if (line.space != session::MemorySpace::Local) continue;
        const double sectors = static_cast<double>(line.sectors.value_or(0));
        if (stack.indexed.contains(line.pc)) indexed += sectors;
        if (stack.spills.contains(line.pc)) spilled += sectors;
    }
    if (indexed + spilled > 0)
        return indexed >= spilled ? FindingKind::LocalArrays : FindingKind::LocalSpills;
    if (!stack.indexed.empty()) return FindingKind::LocalArrays;
    return stack.spills.empty() ? FindingKind::LocalMemory : FindingKind::LocalSpills;
}

std::string localText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {} local memory sectors", operationText(sum, instructions),
                       metrics::forPeople(static_cast<double>(*sum.sectors), metrics::Unit::Count));
}

std::string bytesText(std::uint64_t bytes) {
    return metrics::forPeople(static_cast<double>(bytes), metrics::Unit::Bytes);
}

/// The assembler's stack frame is larger than the arrays that PTX declares: the rest holds registers. Without
/// the code, a frame that PTX never accesses holds nothing else.
void checkFrame(const FindingContext& c, const Stack& stack, std::uint64_t frame) {
    const bool unused = c.value("local_sectors") == 0.0;
    if (stack.known ? frame <= stack.arrayBytes : !unused) return;
    const std::string arrays =
        stack.arrayBytes > 0 ? fmt::format(", {} of them arrays", bytesText(stack.arrayBytes)) : "";
    c.add(FindingKind::LocalSpills,
          fmt::format("a stack frame of {} per thread{}: registers are {}; this traffic is not emulated",
                      bytesText(frame), arrays, stack.calls ? "spilled, or saved around calls" : "spilled"),
          std::nullopt);
}

} // namespace

void checkLocalMemory(const FindingContext& c) {
    const bool emulated = c.metrics.session().originOf(c.launch) == session::Origin::Emulated;
    const std::uint64_t frame = c.metrics.session().kernelOf(c.launch).localBytesPerThread;
    const auto sectors = c.value("local_sectors");
    const auto l1 = c.value("l1_bytes");
    const Stack stack = stackOf(c);
    if (emulated) {
        // Without machine code the frame is what PTX declares: none means that the assembler keeps all of it
        // in registers.
        if (frame == 0) return;
        checkFrame(c, stack, frame);
    }
    if (!sectors && !emulated && frame > 0)
        c.add(kindFor(c, stack),
              fmt::format("a stack frame of {} per thread; its traffic was not counted", bytesText(frame)),
              std::nullopt);
    if (!sectors || !l1 || !(*sectors * 32 > kNegligible * *l1)) return;
    if (stack.calls && c.value("local_load_sectors") == 0.0) return; // arguments, as those of printf
    const double share = *sectors * 32 / *l1;
    std::vector<WastefulAccess> accesses;
    for (const session::LineCounts& line : c.lines)
        if (line.space == session::MemorySpace::Local && line.sectors && *line.sectors > 0)
            accesses.push_back({&line, static_cast<double>(*line.sectors)});
    std::vector<FindingPlace> places = placesOf(accesses, {localText, {}});
    const FindingKind kind = kindFor(c, stack);
    std::string evidence = fmt::format("{} local memory sectors, {} of the L1 traffic",
                                       metrics::forPeople(sectors, metrics::Unit::Count),
                                       metrics::forPeople(share, metrics::Unit::Ratio));
    if (frame > 0) evidence += fmt::format("; a stack frame of {} per thread", bytesText(frame));
    if (kind == FindingKind::LocalArrays) evidence += "; dynamically indexed arrays";
    if (kind == FindingKind::LocalArrays && !stack.spills.empty())
        evidence += fmt::format(", and {} instructions at fixed offsets, as register spills are",
                                stack.spills.size());
    if (kind == FindingKind::LocalSpills)
        evidence += stack.indexed.empty() ? "; all at fixed stack offsets, as register spills are"
                                          : "; most at fixed stack offsets, as register spills are";
    c.add(kind, std::move(evidence), c.gain().withoutLocalMemory(), std::move(places));
}

} // namespace dormer::findings
