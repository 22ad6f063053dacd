// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help/manual.h"

#include <fmt/format.h>

#include <sstream>

namespace dormer::cli {

namespace {

/// Text as it stands: hyphens that can be copied, and nothing that troff takes for a request.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (out.empty() || out.back() == '\n')
            if (c == '.' || c == '\'') out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string bold(std::string_view text) {
    return "\\fB" + plain(text) + "\\fR";
}

std::string valueOf(const OptionText& option) {
    if (option.value.empty()) return {};
    const std::string value = option.choices.empty()
                                  ? fmt::format("\\fI{}\\fR", plain(option.value))
                                  : plain(fmt::format("{}", fmt::join(option.choices, "|")));
    return value + (option.repeated ? "..." : "");
}

std::string entry(const OptionText& option) {
    std::string head;
    for (const std::string& name : option.names)
        head += (head.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty()) head += (head.empty() ? "" : " ") + valueOf(option);
    std::string text = plain(option.description);
    if (!option.defaultValue.empty()) text += fmt::format(" (default: {})", plain(option.defaultValue));
    return fmt::format(".TP\n{}\n{}\n", head, text);
}

std::string synopsis(const CommandText& command, std::string_view name) {
    std::string out = fmt::format("{} [\\fIoptions\\fR]", bold(name));
    for (const OptionText& positional : command.positionals) {
        const std::string value = valueOf(positional);
        out += positional.required ? " " + value : " [" + value + "]";
    }
    return out + "\n";
}

/// Pages of one chapter, by the heads that manuals have.
std::string head(std::string_view name, std::string_view version, std::string_view summary) {
    std::string title;
    for (const char c : name)
        title += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return fmt::format(".TH {} 1 \"\" \"dormer {}\" \"Dormer\"\n.SH NAME\n{} \\- {}\n", plain(title), version,
                       plain(name), plain(summary));
}

std::string exitStatus(const CommandText& root) {
    std::string text = root.footer;
    if (text.starts_with("Exit codes: ")) text = text.substr(12);
    return ".SH EXIT STATUS\n" + plain(text) + "\n";
}

std::string optionsOf(const CommandText& command) {
    std::string out = ".SH OPTIONS\n";
    for (const OptionText& positional : command.positionals)
        out += entry(positional);
    for (const OptionText& option : command.options)
        out += entry(option);
    return out;
}

} // namespace

std::string manualPage(const CommandText& root, std::string_view version) {
    std::string out = head(root.name, version, "profile CUDA kernels");
    out += fmt::format(".SH SYNOPSIS\n{} \\fIcommand\\fR [\\fIoptions\\fR]\n", bold(root.name));
    out += ".SH DESCRIPTION\n" + plain(root.description) + "\n.SH COMMANDS\n";
    for (const CommandText& command : root.commands)
        out +=
            fmt::format(".TP\n{}(1)\n{}\n", bold(root.name + "-" + command.name), plain(command.description));
    out += optionsOf(root) + exitStatus(root) + ".SH SEE ALSO\n";
    for (const CommandText& command : root.commands)
        out += bold(root.name + "-" + command.name) + "(1),\n";
    return out + bold(root.name + "-gui") + "(1)\n";
}

std::string manualPage(const CommandText& root, const CommandText& command, std::string_view version) {
    const std::string name = root.name + "-" + command.name;
    return head(name, version, command.description) + ".SH SYNOPSIS\n" +
           synopsis(command, root.name + " " + command.name) + ".SH DESCRIPTION\n" +
           plain(command.description) + ".\n" + optionsOf(command) + exitStatus(root) + ".SH SEE ALSO\n" +
           bold(root.name) + "(1)\n";
}

} // namespace dormer::cli
