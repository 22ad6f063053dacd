// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/source_files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <sys/stat.h>

#include <fstream>

using namespace dormer;
using namespace dormer::instrument::collect;
namespace fs = std::filesystem;

namespace {

class Folder : public tests::TemporaryFolder {
public:
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
        const fs::path at = path() / name;
        fs::create_directories(at.parent_path());
        std::ofstream(at, std::ios::binary) << text;
        return at;
    }
};

std::optional<fs::file_time_type> unknownTime() {
    return std::nullopt;
}

session::LineCounts lineOf(const std::string& file, session::CallChain inlinedAt = {}) {
    session::LineCounts line;
    line.file = file;
    line.line = 12;
    line.inlinedAt = std::move(inlinedAt);
    return line;
}

std::vector<session::SourceFile> filesOf(const std::vector<session::Record>& records) {
    std::vector<session::SourceFile> files;
    for (const session::Record& record : records)
        if (const auto* file = std::get_if<session::SourceFile>(&record)) files.push_back(*file);
    return files;
}

std::vector<session::SourceFile> named(SourceFiles& sources, const std::vector<session::LineCounts>& lines) {
    return filesOf(sources.named(lines));
}

} // namespace

TEST_CASE("Each file that lines name is read once, with those that inlined it") {
    const Folder folder;
    const std::string kernel = folder.file("app.cu", "__global__ void k() {\n\tload();\n}\n");
    const std::string helper = folder.file("load.cuh", "caf\xC3\xA9 \xFF\n");
    SourceFiles sources(unknownTime);
    const auto files = named(sources, {lineOf(helper, {{kernel, 2}}), lineOf(kernel), lineOf(kernel)});
    REQUIRE(files.size() == 2);
    CHECK((files[0].path == helper && files[0].text == "caf\xC3\xA9 \xEF\xBF\xBD\n"));
    CHECK((files[1].path == kernel && files[1].text == "__global__ void k() {\n\tload();\n}\n"));
    CHECK(named(sources, {lineOf(kernel), lineOf(helper)}).empty());
    CHECK(named(sources, {lineOf("")}).empty());
}

TEST_CASE("Files of libraries are read only where there is no other") {
    const Folder folder;
    const std::string user = folder.file("app.cu", "user\n");
    const std::string inner = folder.file("include/cub/block.cuh", "inner\n");
    const std::string outer = folder.file("include/cub/device.cuh", "outer\n");
    SourceFiles sources(unknownTime);
    auto files = named(sources, {lineOf(inner, {{outer, 7}, {user, 3}})});
    REQUIRE(files.size() == 1);
    CHECK(files[0].text == "user\n");
    files = named(sources, {lineOf(inner, {{outer, 7}})});
    REQUIRE(files.size() == 1);
    CHECK(files[0].text == "inner\n");
}

TEST_CASE("What is no text of a sensible size is left out") {
    const Folder folder;
    SourceFiles sources(unknownTime);
    const std::string pipe = folder.path() / "pipe.cu";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& path :
         {folder.path().string(), pipe, (folder.path() / "absent.cu").string(), std::string("/dev/zero"),
          folder.file("empty.cu", ""), folder.file("binary.cu", std::string("a\0b", 3)),
          folder.file("large.cu", std::string(SourceFiles::kMaxFileBytes + 1, 'x'))}) {
        INFO(path);
        CHECK(named(sources, {lineOf(path)}).empty());
    }
    CHECK(named(sources, {lineOf(folder.file("most.cu", std::string(SourceFiles::kMaxFileBytes, 'x')))})
              .size() == 1);
}

TEST_CASE("All files together have a limit") {
    const Folder folder;
    SourceFiles sources(unknownTime);
    std::size_t bytes = 0;
    for (int i = 0; i < 20; ++i)
        for (const auto& file :
             named(sources, {lineOf(folder.file(std::to_string(i) + ".cu",
                                                std::string(SourceFiles::kMaxFileBytes - 100, 'x')))}))
            bytes += file.text.size();
    CHECK(bytes == 16 * (SourceFiles::kMaxFileBytes - 100));
    // A small one still fits.
    CHECK(named(sources, {lineOf(folder.file("small.cu", "small\n"))}).size() == 1);
}

TEST_CASE("A relative path is one from the current directory") {
    const Folder folder;
    (void)folder.file("src/app.cu", "relative\n");
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    SourceFiles sources(unknownTime);
    const auto files = named(sources, {lineOf("src/app.cu")});
    fs::current_path(before);
    REQUIRE(files.size() == 1);
    CHECK((files[0].path == "src/app.cu" && files[0].text == "relative\n"));
}

TEST_CASE("A file that changed after the program was built is said once") {
    const Folder folder;
    const auto built = fs::file_time_type::clock::now();
    const auto fileAt = [&](const std::string& name, std::chrono::seconds after) {
        const std::string path = folder.file(name, "text\n");
        fs::last_write_time(path, built + after);
        return path;
    };
    SourceFiles sources([built] { return std::optional(built); });
    CHECK(sources.named(std::vector{lineOf(fileAt("old.cu", std::chrono::seconds(-5)))}).size() == 1);
    const std::string edited = fileAt("edited.cu", std::chrono::seconds(5));
    const auto records =
        sources.named(std::vector{lineOf(edited), lineOf(fileAt("edited_too.cu", std::chrono::seconds(9)))});
    REQUIRE(records.size() == 3);
    const auto* note = std::get_if<session::Note>(&records[1]);
    REQUIRE(note != nullptr);
    CHECK(note->code == "source-newer");
    CHECK(note->text.starts_with(edited + " changed after the program was built"));
}

TEST_CASE("The program's build time is that of its executable or of a library it loaded") {
    const auto built = programBuildTime();
    REQUIRE(built);
    CHECK(*built >= fs::last_write_time("/proc/self/exe"));
    CHECK(*built <= fs::file_time_type::clock::now());
}
