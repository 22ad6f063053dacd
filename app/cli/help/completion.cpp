// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help/completion.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::cli {

namespace {

/// Within single quotes of any of the shells.
std::string shellQuoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
    return out + "'";
}

std::string namesOf(const std::vector<CommandText>& commands) {
    std::string out;
    for (const CommandText& command : commands)
        out += (out.empty() ? "" : " ") + command.name;
    return out;
}

std::string namesOf(const std::vector<OptionText>& options) {
    std::string out;
    for (const OptionText& option : options)
        out += fmt::format("{}{}", out.empty() ? "" : " ", fmt::join(option.names, " "));
    return out;
}

/// COMMAND of profile is a program with its own arguments.
bool takesProgram(const CommandText& command) {
    return std::ranges::any_of(command.positionals, [](const OptionText& p) { return p.value == "COMMAND"; });
}

} // namespace

std::string bashCompletion(const CommandText& root) {
    std::string values, options, positionals, programs;
    for (const CommandText& command : root.commands) {
        for (const OptionText& option : command.options) {
            if (option.value.empty()) continue;
            std::string cases;
            for (const std::string& name : option.names)
                cases += fmt::format("{}'{} {}'", cases.empty() ? "" : " | ", command.name, name);
            values += fmt::format("    {}) ", cases);
            if (!option.choices.empty())
                values += fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); ",
                                      fmt::join(option.choices, " "));
            values += "return ;;\n";
        }
        options += fmt::format("    {}) words='{}' ;;\n", command.name, namesOf(command.options));
        for (const OptionText& positional : command.positionals)
            if (!positional.choices.empty())
                positionals += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n",
                                           command.name, fmt::join(positional.choices, " "));
        if (takesProgram(command)) programs += (programs.empty() ? "" : "|") + command.name;
    }
    return fmt::format(R"(# Completion for bash, written by 'dormer completion bash'.
_dormer() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} words='' i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='{}'
    case "$cur" in -*) words='{}' ;; esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  # A program and its arguments follow.
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [ "${{COMP_WORDS[i]}}" = -- ]; then
      case "$verb" in
        {}) [ $((i + 1)) -eq "$COMP_CWORD" ] && COMPREPLY=($(compgen -c -- "$cur")) ;;
      esac
      return
    fi
  done
  # --format=json comes as three words.
  if [ "$cur" = = ]; then cur=''; elif [ "$prev" = = ]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case "$verb $prev" in
{}  esac
  case "$cur" in
    -*)
      case "$verb" in
{}      esac
      COMPREPLY=($(compgen -W "$words" -- "$cur"))
      return ;;
  esac
  case "$verb" in
{}    *) ;;
  esac
}}
complete -o bashdefault -o default -F _dormer dormer
)",
                       namesOf(root.commands), namesOf(root.options), programs, values, options, positionals);
}

std::string zshCompletion(const CommandText& root) {
    // What _arguments reads: brackets end a description and colons a part.
    const auto plain = [](std::string_view text) {
        std::string out;
        for (const char c : text) {
            if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
            out += c;
        }
        return out;
    };
    const auto action = [](const OptionText& option) {
        return option.choices.empty() ? std::string{"_files"}
                                      : fmt::format("({})", fmt::join(option.choices, " "));
    };
    std::string commands, cases;
    for (const CommandText& command : root.commands) {
        commands += fmt::format("    {}\n", shellQuoted(plain(command.name) + ":" + command.description));
        cases += fmt::format("    {})\n      _arguments -S", command.name);
        for (const OptionText& option : command.options) {
            const std::string tail = fmt::format(
                "[{}]{}", plain(option.description),
                option.value.empty() ? "" : fmt::format(":{}:{}", plain(option.value), action(option)));
            for (const std::string& name : option.names) {
                // Either name leaves the other out.
                const std::string others =
                    option.repeated ? "*" : fmt::format("({})", fmt::join(option.names, " "));
                cases += " \\\n        " + shellQuoted(others + name + tail);
            }
        }
        for (const OptionText& positional : command.positionals)
            cases += " \\\n        " +
                     (takesProgram(command)
                          ? shellQuoted("*::program:_normal")
                          : shellQuoted(fmt::format("{}:{}:{}", positional.repeated ? "*" : "",
                                                    plain(positional.value), action(positional))));
        cases += " ;;\n";
    }
    return fmt::format(R"(#compdef dormer
# Completion for zsh, written by 'dormer completion zsh'.
_dormer() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
if [ "$funcstack[1]" = _dormer ]; then _dormer "$@"; else compdef _dormer dormer; fi
)",
                       commands, cases);
}

std::string fishCompletion(const CommandText& root) {
    // Within single quotes fish knows two escapes.
    const auto fishQuoted = [](std::string_view text) {
        std::string out = "'";
        for (const char c : text) {
            if (c == '\'' || c == '\\') out += '\\';
            out += c;
        }
        return out + "'";
    };
    std::string out = "# Completion for fish, written by 'dormer completion fish'.\n";
    for (const CommandText& command : root.commands)
        out += fmt::format("complete -c dormer -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                           fishQuoted(command.description));
    for (const CommandText& command : root.commands)
        for (const OptionText& option : command.options) {
            out += fmt::format("complete -c dormer -n '__fish_seen_subcommand_from {}'", command.name);
            for (const std::string& name : option.names)
                out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.value.empty())
                out += option.choices.empty() ? std::string{" -r"}
                                              : fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
            out += " -d " + fishQuoted(option.description) + "\n";
        }
    return out;
}

} // namespace dormer::cli
