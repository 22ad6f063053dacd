// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/record.h"
#include "instrument/launch/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// All record streams of a run as one, which can go over a connection (docs/stream.md).
namespace dormer::instrument::launch {

/// Version of the joined stream, in its first line. One of another version is not read.
inline constexpr int kJoinedSchema = 1;
/// What the reader sends to end the run; so does the end of what it sends.
inline constexpr std::string_view kStopWord = "stop";

/// How a run ended, or why there was none.
using JoinedEnd = Result<TargetEnd>;

/// Makes the lines of a joined stream, each with its line end.
class JoinedWriter {
public:
    [[nodiscard]] static std::string begin();
    /// Preceded by "#PROCESS" where the process is another than before.
    [[nodiscard]] std::string record(const session::Record& record, std::uint32_t process);
    [[nodiscard]] static std::string end(const JoinedEnd& end);

private:
    std::optional<std::uint32_t> m_process;
};

/// Reads them. A sender may be broken or hostile: what is no record is counted, never followed.
class JoinedReader {
public:
    struct Begin {
        int schema = 0;
        std::string version; ///< of the dormer there
    };
    struct Line {
        session::Record record;
        std::uint32_t process = 0;
    };
    struct Nothing {}; ///< a line that says nothing by itself, or is none of the stream's
    using Part = std::variant<Nothing, Begin, Line, JoinedEnd>;

    /// Text in front of the first line, as login scripts print it, is Nothing.
    [[nodiscard]] Part take(std::string_view line);
    [[nodiscard]] bool begun() const { return m_begun; }
    [[nodiscard]] std::size_t badLines() const { return m_badLines; }

private:
    [[nodiscard]] Part bad();

    bool m_begun = false;
    std::uint32_t m_process = 0;
    std::uint32_t m_processes = 0; ///< numbers that came so far
    std::size_t m_badLines = 0;
};

} // namespace dormer::instrument::launch
