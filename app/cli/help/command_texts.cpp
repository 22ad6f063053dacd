// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help/command_texts.h"

#include <algorithm>
#include <sstream>

namespace dormer::cli {

namespace {

/// CLI11 writes the values of a list into the type: "TEXT:{table,json}".
void splitType(const std::string& type, OptionText& text) {
    text.value = type.substr(0, type.find(':'));
    const std::size_t open = type.find(":{"), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return;
    std::istringstream values{type.substr(open + 2, close - open - 2)};
    for (std::string value; std::getline(values, value, ',');)
        text.choices.push_back(value);
}

OptionText textOf(const CLI::Option& option) {
    OptionText text;
    for (const std::string& name : option.get_snames())
        text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        text.names.push_back("--" + name);
    text.description = option.get_description();
    text.required = option.get_required();
    text.repeated = option.get_items_expected_max() > 1;
    if (option.get_items_expected_max() > 0) {
        splitType(option.get_type_name(), text);
        text.defaultValue = option.get_default_str();
    }
    if (option.get_positional()) text.value = option.get_name(true);
    return text;
}

} // namespace

CommandText commandTexts(const CLI::App& app) {
    CommandText text;
    text.name = app.get_name();
    text.description = app.get_description();
    text.footer = app.get_footer();
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        (option->get_positional() ? text.positionals : text.options).push_back(textOf(*option));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) text.commands.push_back(commandTexts(*command));
    return text;
}

} // namespace dormer::cli
