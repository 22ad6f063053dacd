// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A real NVTX client in this process: NVTX takes a statically linked injection through this pointer.

#include "instrument/collect/nvtx_injection.h"

#include "tests/support/catch.h"

using dormer::instrument::collect::NvtxRanges;

namespace {
std::vector<std::string>& ended() {
    static std::vector<std::string> paths;
    return paths;
}
NvtxRanges& ranges() {
    static NvtxRanges instance([](const std::string& path, std::int64_t startNs, std::int64_t endNs) {
        if (startNs > 0 && endNs >= startNs) ended().push_back(path);
    });
    return instance;
}
int inject(NvtxGetExportTableFunc_t getExportTable) {
    return dormer::instrument::collect::injectNvtx(ranges(), getExportTable) ? 1 : 0;
}

nvtxEventAttributes_t attributesWith(nvtxMessageType_t type, nvtxMessageValue_t message) {
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = type;
    attributes.message = message;
    return attributes;
}

// NVTX calls this at its first use when no library is named in the environment.
const bool injected = [] {
    InitializeInjectionNvtx2_fnptr = inject;
    return true;
}();

} // namespace

TEST_CASE("Ranges of a program reach us, in every spelling") {
    REQUIRE(injected);
    CHECK(nvtxRangePushA("plain") == 0);
    CHECK(ranges().path() == "plain");
    CHECK(nvtxRangePushW(L"wide") == 1);
    nvtxMessageValue_t message = {};
    message.ascii = "with attributes";
    const nvtxEventAttributes_t ascii = attributesWith(NVTX_MESSAGE_TYPE_ASCII, message);
    CHECK(nvtxRangePushEx(&ascii) == 2);
    CHECK(ranges().path() == "plain > wide > with attributes");
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangePop();
    CHECK(ranges().path().empty());
    CHECK(ended() == std::vector<std::string>{"plain > wide > with attributes", "plain > wide", "plain"});
}

TEST_CASE("Names are UTF-8 whatever the program wrote") {
    const auto pathOf = [](const auto& push) {
        push();
        std::string path = ranges().path();
        nvtxRangePop();
        return path;
    };
    CHECK(pathOf([] { nvtxRangePushW(L"wide Gr\u00f6\u00dfe \u8ee2\U0001F680"); }) ==
          "wide Gr\xc3\xb6\xc3\x9f"
          "e \xe8\xbb\xa2\xf0\x9f\x9a\x80");
    constexpr wchar_t kNoText[] = {L'a', 0xD800, 0x110000, static_cast<wchar_t>(-1), L'b', L'\0'};
    CHECK(pathOf([&] { nvtxRangePushW(kNoText); }) == "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                                      "b");
    CHECK(pathOf([] { nvtxRangePushA("bad \xff\xfe bytes"); }) == "bad \xef\xbf\xbd\xef\xbf\xbd bytes");
    nvtxMessageValue_t message = {};
    message.unicode = L"\u00fc";
    const nvtxEventAttributes_t attributes = attributesWith(NVTX_MESSAGE_TYPE_UNICODE, message);
    CHECK(pathOf([&] { nvtxRangePushEx(&attributes); }) == "\xc3\xbc");
}

TEST_CASE("Domains with registered strings, as CUB uses them") {
    const nvtxDomainHandle_t cccl = nvtxDomainCreateA("CCCL");
    const nvtxStringHandle_t name = nvtxDomainRegisterStringA(cccl, "cub::DeviceReduce::Sum");
    nvtxMessageValue_t message = {};
    message.registered = name;
    const nvtxEventAttributes_t attributes = attributesWith(NVTX_MESSAGE_TYPE_REGISTERED, message);
    nvtxRangePushA("device_wide/reduce");
    CHECK(nvtxDomainRangePushEx(cccl, &attributes) == 0);
    CHECK(ranges().path() == "device_wide/reduce > cub::DeviceReduce::Sum");
    nvtxDomainRangePop(cccl);
    nvtxRangePop();
    CHECK(ranges().path().empty());
}

TEST_CASE("Start/end ranges are ended by their id") {
    const nvtxRangeId_t first = nvtxRangeStartA("first");
    const nvtxRangeId_t second = nvtxRangeStartA("second");
    CHECK(first != second);
    nvtxRangeEnd(first);
    CHECK(ranges().path() == "second");
    nvtxRangeEnd(second);
    CHECK(ranges().path().empty());
}

TEST_CASE("A program without a name or attributes does not hurt us") {
    nvtxRangePushA(nullptr);
    nvtxRangePushEx(nullptr);
    CHECK(ranges().path() == "(unnamed range) > (unnamed range)");
    nvtxRangePop();
    nvtxRangePop();
    CHECK(nvtxRangePop() == -1);
}
