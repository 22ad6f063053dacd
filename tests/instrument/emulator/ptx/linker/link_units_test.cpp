// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/linker/link_units.h"
#include "instrument/emulator/ptx/parser/parse.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::emulator::ptx;
using linker::linkUnits;

namespace {

std::string unit(const std::string& body, const std::string& target = "sm_80",
                 const std::string& version = "8.0") {
    return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + body;
}

Module linked(const std::vector<std::string>& units) {
    const auto text = linkUnits(units);
    if (!text) FAIL(text.error().message);
    INFO(*text);
    auto module = parser::parseModule(*text);
    if (!module) FAIL(module.error().message);
    return std::move(*module);
}

std::string problemOf(const std::vector<std::string>& units) {
    const auto text = linkUnits(units);
    return text ? "(none)" : text.error().message;
}

const Function& functionOf(const Module& module, std::string_view name) {
    const auto found = std::ranges::find(module.functions, name, &Function::name);
    REQUIRE(found != module.functions.end());
    return *found;
}

/// Value of the variable's first word.
int valueOf(const Module& module, std::string_view name) {
    const auto found = std::ranges::find(module.variables, name, &Variable::name);
    REQUIRE(found != module.variables.end());
    REQUIRE(found->initial.size() >= 4);
    return static_cast<int>(found->initial[0]);
}

} // namespace

TEST_CASE("A single unit stays as it is", "[linker]") {
    const std::vector<std::string> one{"anything"};
    CHECK(linkUnits(one) == "anything");
}

TEST_CASE("What one unit declares is what the other defines", "[linker]") {
    const Module module =
        linked({unit(".extern .global .align 4 .u32 shared_value;\n"
                     ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
                     ".visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [shared_value]; ret; }\n"),
                unit(".visible .global .align 4 .u32 shared_value = 100;\n"
                     ".visible .func (.param .b32 r) twice(.param .b32 a) { ret; }\n")});
    CHECK(valueOf(module, "shared_value") == 100);
    CHECK(std::ranges::count(module.variables, "shared_value", &Variable::name) == 1);
    CHECK_FALSE(functionOf(module, "twice").isExtern);
    CHECK(functionOf(module, "k").isEntry);
}

TEST_CASE("Names that units keep to themselves stay apart", "[linker]") {
    const auto own = [](const char* value, const char* kernel) {
        return unit(std::string(".global .align 4 .u32 hidden = ") + value +
                    ";\n.func helper() { ret; }\n"
                    ".visible .entry " +
                    kernel +
                    "() { .reg .b32 %r<2>; .reg .b32 hidden_too; // hidden\n"
                    "ld.global.u32 %r1, [hidden]; call helper; ret; }\n");
    };
    const Module module = linked({own("5", "a"), own("7", "b")});
    const auto hidden = [&](std::string_view kernel) {
        const Function& function = functionOf(module, kernel);
        REQUIRE(function.body.size() == 3);
        CHECK_FALSE(functionOf(module, function.body[1].operands.at(0).name).isExtern);
        return valueOf(module, function.body[0].operands.at(1).name);
    };
    CHECK(hidden("a") == 5);
    CHECK(hidden("b") == 7);
}

TEST_CASE("A name that one unit keeps and another shows", "[linker]") {
    const Module module =
        linked({unit(".global .align 4 .u32 x = 1;\n.visible .entry a() { .reg .b32 %r<2>; ld.global.u32 "
                     "%r1, [x]; ret; }"),
                unit(".visible .global .align 4 .u32 x = 2;\n"),
                unit(".extern .global .align 4 .u32 x;\n"
                     ".visible .entry c() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; ret; }")});
    CHECK(valueOf(module, "x") == 2);
    CHECK(valueOf(module, functionOf(module, "a").body[0].operands.at(1).name) == 1);
    CHECK(functionOf(module, "c").body[0].operands.at(1).name == "x");
}

TEST_CASE("Of weak ones one remains, and a strong one goes before them", "[linker]") {
    const Module module = linked({unit(".weak .global .align 4 .u32 w = 1;\n.weak .func f() { ret; }\n"
                                       ".weak .global .align 4 .u32 s = 1;\n"),
                                  unit(".weak .global .align 4 .u32 w = 2;\n.weak .func f() { ret; }\n"
                                       ".visible .global .align 4 .u32 s = 2;\n")});
    CHECK(valueOf(module, "w") == 1);
    CHECK(valueOf(module, "s") == 2);
    CHECK(std::ranges::count(module.functions, "f", &Function::name) == 1);
    CHECK(problemOf({unit(".visible .func f() { ret; }"), unit(".visible .func f() { ret; }")}) ==
          "'f' is defined in two units");
}

TEST_CASE("Source files and debug strings are told apart", "[linker]") {
    const auto written = [](const char* file, const char* inlined, const char* kernel) {
        return unit(std::string(".visible .entry ") + kernel +
                    "() { .loc 1 5 3\n.loc 1 9 1, function_name $L__info_string0, inlined_at 1 5 3\n ret; }\n"
                    ".file 1 \"" +
                    file + "\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 " + inlined + ", 0\n}\n");
    };
    const Module module = linked({written("a.cu", "97", "a"), written("b.cu", "98", "b")});
    const auto placeOf = [&](std::string_view kernel) -> const SourcePosition& {
        return module.positions.at(functionOf(module, kernel).body[0].position);
    };
    const auto fileOf = [&](std::uint32_t number) {
        const auto found =
            std::ranges::find(module.files, number, &std::pair<std::uint32_t, std::string>::first);
        REQUIRE(found != module.files.end());
        return found->second;
    };
    CHECK(fileOf(placeOf("a").file) == "a.cu");
    CHECK(fileOf(placeOf("b").file) == "b.cu");
    CHECK(placeOf("a").function == "a");
    CHECK(placeOf("b").function == "b");
    CHECK(fileOf(module.positions.at(placeOf("b").inlinedAt).file) == "b.cu");
}

TEST_CASE("The newest version and the largest target count", "[linker]") {
    const Module module =
        linked({unit("", "sm_80", "8.0"), unit("", "sm_90a", "9.0"), unit("", "sm_90", "8.4")});
    CHECK(module.versionMajor == 9);
    CHECK(module.target == "sm_90a");
}

TEST_CASE("Damaged units are refused with their line", "[linker]") {
    const std::string good = unit(".visible .entry k() { ret; }\n");
    CHECK(problemOf({good, good.substr(0, good.find("ret"))}).starts_with("PTX line 4: "));
    CHECK(problemOf({good, "\x7f"
                           "ELF"})
              .starts_with("PTX line 1: "));
    CHECK(problemOf({good, unit(".global .align 4 .u32 x = {1, 2")}).starts_with("PTX line 4: "));
    CHECK(problemOf({good, unit(".visible .func (.param .b32 r")}).starts_with("PTX line 4: "));
}
