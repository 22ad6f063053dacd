// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help/completion_verb.h"

#include "app/cli/console.h"
#include "app/cli/help/completion.h"
#include "app/cli/help/manual.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::cli {

namespace {

int completion(const CLI::App& root, const std::string& shell) {
    const CommandText texts = commandTexts(root);
    if (shell == "zsh") return printResult(zshCompletion(texts));
    if (shell == "fish") return printResult(fishCompletion(texts));
    return printResult(bashCompletion(texts));
}

int manual(const CLI::App& root, const std::string& command) {
    const CommandText texts = commandTexts(root);
    if (command.empty()) return printResult(manualPage(texts, DORMER_VERSION));
    const auto found = std::ranges::find(texts.commands, command, &CommandText::name);
    if (found == texts.commands.end())
        return fail({ErrorKind::Usage, fmt::format("unknown command '{}' (dormer --help)", command)});
    return printResult(manualPage(texts, *found, DORMER_VERSION));
}

} // namespace

void addCompletionVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand(
        "completion", "Writes the completion script of a shell: eval \"$(dormer completion bash)\"");
    auto shell = std::make_shared<std::string>();
    verb->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    verb->callback([shell, &root, &action] { action = [shell, &root] { return completion(root, *shell); }; });
    // For the build, which installs the pages: people have man.
    CLI::App* pages =
        root.add_subcommand("manual", "Writes the manual page of a command, else the first one");
    pages->group("");
    auto command = std::make_shared<std::string>();
    pages->add_option("COMMAND", *command, "a command");
    pages->callback(
        [command, &root, &action] { action = [command, &root] { return manual(root, *command); }; });
}

} // namespace dormer::cli
