// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/kernel_aliases.h"

#include "analysis/session/session.h"
#include "tests/support/catch.h"

using dormer::session::KernelAliases;

TEST_CASE("The first alias whose pattern is found names the kernel") {
    const auto aliases = KernelAliases::parse("# ours\n\n"
                                              "^nvjet_\\w*_(T|N)NT$ => projection \\1NT\r\n"
                                              "  nvjet_  =>  other GEMM  \n"
                                              "a => b => c => d\n",
                                              "names.txt");
    REQUIRE(aliases);
    CHECK(aliases->find("nvjet_tst_64x8_64x16_4x1_v_bz_TNT") == "projection TNT");
    CHECK(aliases->find("nvjet_tst_64x8_64x16_4x1_v_bz_TNN") == "other GEMM");
    CHECK(aliases->find("xa => b => cx") == "d"); // the last arrow parts
    CHECK_FALSE(aliases->find("saxpy"));
    CHECK_FALSE(KernelAliases().find("saxpy"));
}

TEST_CASE("Lines of an aliases file that can't be read are named") {
    const auto error = [](const std::string& text) {
        const auto aliases = KernelAliases::parse(text, "names.txt");
        REQUIRE_FALSE(aliases);
        CHECK(aliases.error().kind == dormer::ErrorKind::Usage);
        return aliases.error().message;
    };
    CHECK(error("# fine\nsaxpy axpy\n") == "names.txt:2: expected 'PATTERN => NAME'");
    CHECK(error("saxpy =>\n") == "names.txt:1: expected 'PATTERN => NAME'");
    CHECK(error("=> axpy") == "names.txt:1: expected 'PATTERN => NAME'");
    CHECK(error("a( => b") == "names.txt:1: invalid regular expression: missing ): a(");
    CHECK(error("a(b) => c\\2").starts_with("names.txt:1: "));
    const auto missing = KernelAliases::load("/nonexistent/names.txt");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message == "cannot read the aliases file /nonexistent/names.txt");
    CHECK_FALSE(KernelAliases::load("/tmp"));
}

TEST_CASE("Aliases in use come before every rule") {
    const auto aliases =
        KernelAliases::parse("vectorized_elementwise.*CUDAFunctor_add => add\n", "names.txt");
    REQUIRE(aliases);
    KernelAliases::use(*aliases);
    CHECK(
        dormer::session::shortKernelName(
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)") ==
        "add");
    KernelAliases::use({});
    CHECK(dormer::session::shortKernelName("add_kernel") == "add_kernel");
}
