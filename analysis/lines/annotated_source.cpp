// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/annotated_source.h"

#include "analysis/access/excess.h"
#include "analysis/lines/line_summary.h"
#include "analysis/session/kernel_code.h"
#include "analysis/session/user_line.h"
#include "analysis/stalls/kernel_stalls.h"
#include "analysis/stalls/state_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace dormer::lines {

namespace {

/// Bytes of one sector, and of one wavefront: 32 banks of 4 bytes.
constexpr double kSector = 32, kWavefront = 128;

std::uint64_t count(const std::optional<std::uint64_t>& value) {
    return value.value_or(0);
}

double trafficBytes(const session::LineCounts& counts) {
    return static_cast<double>(count(counts.sectors)) * kSector +
           static_cast<double>(count(counts.wavefronts)) * kWavefront;
}

/// What is moved beyond the ideal. Without an ideal nothing is known to be wasted.
double wastedBytes(const session::LineCounts& counts) {
    const auto excess = [](const auto& actual, const auto& ideal) {
        return access::isExcess(actual, ideal) ? static_cast<double>(*actual - *ideal) : 0;
    };
    return excess(counts.sectors, counts.sectorsIdeal) * kSector +
           excess(counts.wavefronts, counts.wavefrontsIdeal) * kWavefront;
}

/// Adds an access to what a row costs; traffic and waste stay in bytes until shares() divides them.
void addCost(std::optional<LineCost>& cost, const session::LineCounts& access) {
    if (!cost) cost.emplace();
    cost->executions += count(access.executions);
    cost->sectors += count(access.sectors);
    cost->sectorsIdeal += count(access.sectorsIdeal);
    cost->wavefronts += count(access.wavefronts);
    cost->wavefrontsIdeal += count(access.wavefrontsIdeal);
    cost->traffic += trafficBytes(access);
    cost->waste += wastedBytes(access);
}

std::string withoutFolders(const std::string& path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

/// Lines of a text, without their line breaks; a last one without text is none.
std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

class Builder {
public:
    Builder(const session::Session& session, std::span<const session::LaunchIndex> launches)
        : m_session(session), m_launches(launches) {}

    KernelSource build() {
        m_source.accesses = sumByInstruction(m_session, m_launches);
        if (!m_launches.empty())
            m_stalls = stalls::kernelStalls(m_session, m_session.launch(m_launches.front()).kernel);
        m_source.samples = m_stalls.states.samples();
        addCode();
        for (std::size_t i = 0; i < m_source.accesses.size(); ++i)
            addAccess(i);
        for (std::size_t i = 0; i < m_source.code.size(); ++i)
            if (CodeRow& row = m_source.code[i]; !row.file.empty())
                rowFor({row.file, row.line}).code.push_back(i);
        addStalls();
        finishFiles();
        finishShares();
        sortFiles();
        m_source.hint = hint();
        return std::move(m_source);
    }

private:
    /// Rows of a file while they are found: lines of a hostile file may be any number.
    struct File {
        bool embedded = false;
        std::map<std::uint32_t, SourceRow> rows;
    };

    File& fileFor(const std::string& path) {
        const auto [at, isNew] = m_files.try_emplace(path);
        if (isNew) at->second.embedded = m_session.sourceText(path) != nullptr;
        return at->second;
    }
    SourceRow& rowFor(const session::SourceFrame& frame) {
        SourceRow& row = fileFor(frame.file).rows[frame.line];
        row.number = frame.line;
        return row;
    }

    void addCode() {
        const session::KernelCode* code = listing();
        if (code != nullptr)
            for (const session::CodeLine& line : code->lines)
                addRow(line.pc, line.text, std::string(fileOf(*code, line)), line.line);
        const bool emulated =
            !m_launches.empty() && m_session.originOf(m_launches.front()) == session::Origin::Emulated;
        m_source.language = code != nullptr ? code->language
                            : emulated      ? session::CodeLanguage::Ptx
                                            : session::CodeLanguage::Sass;
        std::set<std::uint64_t> listed;
        for (const CodeRow& row : m_source.code)
            listed.insert(row.pc);
        for (const session::LineCounts& access : m_source.accesses)
            if (listed.insert(access.pc).second)
                addRow(access.pc, access.instruction, access.file, access.line);
        for (const stalls::InstructionStalls& each : m_stalls.instructions)
            if (samplesAreOfCode() && listed.insert(each.pc).second)
                addRow(each.pc, each.text, each.place.file, each.place.line);
        std::ranges::stable_sort(m_source.code, {}, &CodeRow::pc);
    }

    [[nodiscard]] const session::KernelCode* listing() const {
        if (m_launches.empty()) return nullptr;
        const std::size_t kernel = m_session.launch(m_launches.front()).kernel;
        const session::KernelCode* code = m_session.codeOf(kernel);
        return code != nullptr ? code : m_session.codeOf(stalls::sampledAs(m_session, kernel));
    }
    void addRow(std::uint64_t pc, const std::string& text, const std::string& file, std::uint32_t line) {
        CodeRow& row = m_source.code.emplace_back();
        row.pc = pc;
        row.text = text;
        row.file = file;
        row.line = line;
    }
    /// A run of the emulator may lie beside one that sampled: its positions are lines of PTX.
    [[nodiscard]] bool samplesAreOfCode() const { return m_source.language != session::CodeLanguage::Ptx; }

    [[nodiscard]] std::optional<std::size_t> codeAt(std::uint64_t pc) const {
        if (!samplesAreOfCode()) return std::nullopt;
        // A label may stand before the instruction it names, at the same position.
        const auto after = std::ranges::upper_bound(m_source.code, pc, {}, &CodeRow::pc);
        if (after == m_source.code.begin() || std::prev(after)->pc != pc) return std::nullopt;
        return static_cast<std::size_t>(std::prev(after) - m_source.code.begin());
    }
    [[nodiscard]] std::optional<std::size_t> producerOf(const stalls::InstructionStalls& of) const {
        return of.producer ? codeAt(of.producer->pc) : std::nullopt;
    }

    [[nodiscard]] StallCost stallCost(const session::WarpStates& states, std::string_view mainStall) const {
        const auto share = [](std::uint64_t part, std::uint64_t whole) {
            return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
        };
        const std::uint64_t all = m_source.samples;
        return {.stalled = share(stalls::stalledSamples(states), all),
                .byReason = share(stalls::samplesOf(states, mainStall), all),
                .reason = std::string(stalls::stateName(mainStall)),
                .issued = share(stalls::issuedSamples(states), stalls::issuedSamples(m_stalls.states))};
    }

    void addStalls() {
        for (const stalls::InstructionStalls& each : m_stalls.instructions)
            if (const auto at = codeAt(each.pc)) {
                m_source.code[*at].stalls = stallCost(each.states, each.mainStall);
                m_source.code[*at].waitsFor = producerOf(each);
            }
        for (const stalls::LineStalls& each : m_stalls.lines) {
            if (each.place.line == 0) continue;
            SourceRow& row = rowFor({each.place.file, each.place.line});
            row.stalls = stallCost(each.states, each.mainStall);
            row.waitsFor = producerOf(m_stalls.instructions[each.instructions.front()]);
        }
        if (m_source.samples == 0) return;
        // What is counted and was never sampled had no time to wait.
        for (CodeRow& row : m_source.code)
            if (row.cost && !row.stalls && samplesAreOfCode()) row.stalls.emplace();
        for (auto& [path, file] : m_files)
            for (auto& [number, row] : file.rows)
                if (row.cost && !row.stalls) row.stalls.emplace();
    }

    void addAccess(std::size_t index) {
        const session::LineCounts& access = m_source.accesses[index];
        m_traffic += trafficBytes(access);
        m_waste += wastedBytes(access);
        m_executions += count(access.executions);
        const session::SourceFrame place = session::userFrame(access);
        // A label may stand before the instruction it names, at the same position.
        const auto after = std::ranges::upper_bound(m_source.code, access.pc, {}, &CodeRow::pc);
        CodeRow& code = *std::prev(after); // addCode() has made one
        code.access = index;
        addCost(code.cost, access);
        if (place.file.empty()) return;
        code.file = place.file;
        code.line = place.line;
        SourceRow& row = rowFor(place);
        addCost(row.cost, access);
        row.accesses.push_back(index);
        for (const session::SourceFrame& frame : session::framesOf(access))
            fileFor(frame.file);
    }

    /// Moves rows into views; an embedded file has all its lines.
    void finishFiles() {
        for (auto& [path, file] : m_files) {
            SourceFileView view{path, withoutFolders(path), file.embedded, {}};
            if (file.embedded) {
                std::uint32_t number = 0;
                for (const std::string_view text : linesOf(*m_session.sourceText(path))) {
                    ++number;
                    const auto found = file.rows.extract(number);
                    SourceRow& row = view.rows.emplace_back(found ? std::move(found.mapped()) : SourceRow{});
                    row.number = number;
                    row.text = text;
                }
            }
            // Of a file that is not there, or was changed since: what has a cost must still be seen.
            for (auto& [number, row] : file.rows)
                if (row.cost || row.stalls) view.rows.push_back(std::move(row));
            if (!view.rows.empty()) m_source.files.push_back(std::move(view));
        }
    }

    void finishShares() {
        const auto divide = [&](std::optional<LineCost>& cost) {
            if (!cost) return;
            cost->traffic = m_traffic > 0 ? cost->traffic / m_traffic : 0;
            cost->waste = m_waste > 0 ? cost->waste / m_waste : 0;
            cost->executed = m_executions > 0
                                 ? static_cast<double>(cost->executions) / static_cast<double>(m_executions)
                                 : 0;
        };
        for (CodeRow& row : m_source.code)
            divide(row.cost);
        for (SourceFileView& file : m_source.files)
            for (SourceRow& row : file.rows) {
                if (row.stalls) file.stalled += row.stalls->stalled;
                if (!row.cost) continue;
                divide(row.cost);
                file.waste += row.cost->waste;
                file.traffic += row.cost->traffic;
                std::vector<const session::LineCounts*> accesses;
                for (const std::size_t index : row.accesses)
                    accesses.push_back(&m_source.accesses[index]);
                row.what = lineSummary(accesses);
            }
    }

    void sortFiles() {
        std::ranges::stable_sort(m_source.files, [](const SourceFileView& a, const SourceFileView& b) {
            const bool aIsLibrary = session::isLibraryFile(a.path),
                       bIsLibrary = session::isLibraryFile(b.path);
            if (aIsLibrary != bIsLibrary) return bIsLibrary;
            return std::tuple(a.waste, a.stalled, a.traffic) > std::tuple(b.waste, b.stalled, b.traffic);
        });
    }

    [[nodiscard]] std::string hint() const {
        if (m_source.empty()) {
            const bool imported =
                !m_launches.empty() && m_session.originOf(m_launches.front()) == session::Origin::Imported;
            return imported ? "imported without counts per line"
                            : "collected without counts per line: add --lines";
        }
        if (m_source.files.empty()) return "compiled without line information: add -lineinfo (or -G)";
        std::string missing;
        for (const SourceFileView& file : m_source.files)
            if (!file.embedded && !session::isLibraryFile(file.path))
                missing += (missing.empty() ? "" : ", ") + file.name;
        if (missing.empty()) return {};
        return fmt::format("the text of {} is not in the session: it is kept when the file can be read where "
                           "the program runs",
                           missing);
    }

    const session::Session& m_session;
    std::span<const session::LaunchIndex> m_launches;
    KernelSource m_source;
    std::map<std::string, File> m_files; ///< by path
    stalls::KernelStalls m_stalls;
    double m_traffic = 0, m_waste = 0; ///< bytes of all accesses
    std::uint64_t m_executions = 0;    ///< likewise
};

} // namespace

KernelSource kernelSource(const session::Session& session, std::span<const session::LaunchIndex> launches) {
    return Builder(session, launches).build();
}

} // namespace dormer::lines
