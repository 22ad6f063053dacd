// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/sass_listing.h"

#include "analysis/session/kernel_code.h"
#include "instrument/cupti/sass/sass_code.h"
#include "tests/instrument/cupti/sass/cubin_file.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::instrument::cupti::sass;
using dormer::tests::cubinFile;
using dormer::tests::sassFile;

TEST_CASE("A listing of nvdisasm (CUDA 13.0) gives instructions and labels, without padding") {
    const auto lines = parseListing(sassFile("strided.nvdisasm"), "_Z7stridedPKfPfi");
    REQUIRE(lines.size() == 58); // 0x000 to 0x380, and a label
    CHECK((lines[0].pc == 0 && lines[0].text == "LDC R1, c[0x0][0x28]"));
    CHECK((lines[0x18].pc == 0x180 && lines[0x18].text == "@!P0 IADD3 R6, R6, -R7, RZ"));
    CHECK((lines[0x1f].pc == 0x1f0 && lines[0x1f].text == "LDG.E R6, desc[UR6][R4.64]"));
    CHECK((lines[0x37].pc == 0x370 && lines[0x37].text == "EXIT"));
    CHECK((lines[0x38].pc == 0x380 && lines[0x38].text == ".L_x_0:"));
    CHECK((lines[0x39].pc == 0x380 && lines[0x39].text == "BRA `(.L_x_0)"));
    CHECK(std::ranges::is_sorted(lines, {}, &SassLine::pc));
}

TEST_CASE("Of several functions only the one requested is listed") {
    const std::string listing = "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
                                "        /*0000*/ .byte 0x04 ;\n"
                                "\t.section\t.text.one,\"ax\",@progbits\n"
                                "one:\n.text.one:\n"
                                "        /*0000*/                   MOV R1, R2 ; /* 0x0000000200017202 */\n"
                                "                                                /* 0x000fc00000000f00 */\n"
                                "\t//## File \"/home/x/a.cu\", line 2\n"
                                "        /*0010*/                   EXIT ;\n"
                                "\t.section\t.text.two,\"ax\",@progbits\n"
                                ".text.two:\n"
                                "        /*0000*/              @P0  BRA `(.L_x_2) ;\n"
                                "$two$helper:\n.L_x_2:\n"
                                "        /*0010*/                   RET.REL.NODEC R2 `(two) ;\n"
                                "\t.section\t.debug_line,\"\",@progbits\n"
                                "        /*0020*/ .byte 0x04 ;\n";
    const auto one = parseListing(listing, "one");
    REQUIRE(one.size() == 2);
    CHECK((one[0].pc == 0 && one[0].text == "MOV R1, R2"));
    CHECK((one[1].pc == 0x10 && one[1].text == "EXIT"));
    const auto two = parseListing(listing, "two");
    REQUIRE(two.size() == 4);
    CHECK(two[0].text == "@P0  BRA `(.L_x_2)");
    CHECK((two[1].text == "$two$helper:" && two[2].text == ".L_x_2:"));
    CHECK((two[1].pc == 0x10 && two[2].pc == 0x10 && two[3].pc == 0x10));
    CHECK(parseListing(listing, "three").empty());
    CHECK(parseListing("", "one").empty());
}

TEST_CASE("Any text gives no more than a listing") {
    CHECK(parseListing("\t.section\t.text.k\n/*zz*/ X ;\n/*10 X ;\n/**/\n/*0010*/\n/*0020*/ ;\n:\nEXIT ;\n",
                       "k")
              .empty());
    std::string listing = "\t.section\t.text.k,\"ax\"\n";
    for (int i = 0; i < 60'000; ++i)
        listing += "/*0010*/ MOV R1, R2 ;\n";
    CHECK(parseListing(listing, "k").size() == 50'000);
}

TEST_CASE("Without a disassembler the accesses and branches are listed, where they are") {
    const std::vector<std::byte> cubin = cubinFile("accesses_90.cubin");
    const auto named = namedInstructions(kernelCode(cubin, "accesses"));
    // cuobjdump -sass of the same file
    const auto all = parseListing("Function : accesses\n" + sassFile("accesses_90.sass"), "accesses");
    CHECK(all.size() > named.size());
    REQUIRE(named.size() > 30);
    for (const SassLine& each : named) {
        const auto at = std::ranges::find(all, each.pc, &SassLine::pc);
        REQUIRE(at != all.end());
        INFO(at->text << " named " << each.text);
        CHECK(at->text.find(each.text.substr(0, 2)) != std::string::npos);
    }
}

TEST_CASE("Instructions of a kernel's code have their source lines") {
    const std::vector<std::byte> cubin = cubinFile("inlined.cubin");
    const LineTable places(cubin, "inlined");
    auto lines = namedInstructions(kernelCode(cubin, "inlined"));
    REQUIRE(lines.size() >= 2);
    lines.insert(lines.begin() + 1, {lines[1].pc, ".L_x_0:"});
    const session::KernelCode code = sassCode(lines, places);
    CHECK(code.language == session::CodeLanguage::Sass);
    const std::vector<session::CodeLine>& read = code.lines;
    REQUIRE(read.size() == lines.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        INFO(read[i].text);
        CHECK((read[i].pc == lines[i].pc && read[i].text == lines[i].text));
        const session::SourceFrame place = i == 1 ? session::SourceFrame{} : places.userFrameAt(read[i].pc);
        CHECK((fileOf(code, read[i]) == place.file && read[i].line == place.line));
    }
    CHECK(fileOf(code, read[0]).ends_with("inlined.cu"));
}
