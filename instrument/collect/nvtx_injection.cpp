// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/nvtx_injection.h"

#include "analysis/base/utf8.h"

#include <chrono>
#include <string>

namespace dormer::instrument::collect {

namespace {

/// NVTX's functions carry no user data. Set once, before any of them can be called.
NvtxRanges* theRanges = nullptr;

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

constexpr const char* kUnnamed = "(unnamed range)";

/// wchar_t has 32 bits here and holds Unicode, whatever the locale.
std::string nameOf(const wchar_t* text) {
    if (text == nullptr) return kUnnamed;
    std::string result;
    for (; *text != L'\0'; ++text) {
        const auto character = static_cast<char32_t>(*text);
        const bool isScalar = character < 0xD800 || (character > 0xDFFF && character <= 0x10FFFF);
        base::appendCharacter(result, isScalar ? character : base::kReplacement);
    }
    return result;
}

std::string nameOf(const char* text) {
    return text != nullptr ? base::withValidUtf8(text) : kUnnamed;
}

/// Registered strings are ours: the handle is the string, kept for the life of the process as NVTX demands.
nvtxStringHandle_t registered(std::string text) {
    return reinterpret_cast<nvtxStringHandle_t>(new std::string(std::move(text)));
}

std::string nameOf(const nvtxEventAttributes_t* attributes) {
    if (attributes == nullptr) return kUnnamed;
    switch (attributes->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
        return nameOf(attributes->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
        return nameOf(attributes->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
        return attributes->message.registered != nullptr
                   ? *reinterpret_cast<const std::string*>(attributes->message.registered)
                   : std::string(kUnnamed);
    default:
        return kUnnamed;
    }
}

int NVTX_API pushA(const char* name) {
    return theRanges->push(nameOf(name), nowNs());
}
int NVTX_API pushW(const wchar_t* name) {
    return theRanges->push(nameOf(name), nowNs());
}
int NVTX_API pushEx(const nvtxEventAttributes_t* attributes) {
    return theRanges->push(nameOf(attributes), nowNs());
}
int NVTX_API pop() {
    return theRanges->pop(nowNs());
}
nvtxRangeId_t NVTX_API startA(const char* name) {
    return theRanges->start(nameOf(name), nowNs());
}
nvtxRangeId_t NVTX_API startW(const wchar_t* name) {
    return theRanges->start(nameOf(name), nowNs());
}
nvtxRangeId_t NVTX_API startEx(const nvtxEventAttributes_t* attributes) {
    return theRanges->start(nameOf(attributes), nowNs());
}
void NVTX_API end(nvtxRangeId_t id) {
    theRanges->end(id, nowNs());
}

int NVTX_API domainPushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
    return theRanges->push(nameOf(attributes), nowNs(), domain);
}
int NVTX_API domainPop(nvtxDomainHandle_t domain) {
    return theRanges->pop(nowNs(), domain);
}
nvtxRangeId_t NVTX_API domainStartEx(nvtxDomainHandle_t /*domain*/, const nvtxEventAttributes_t* attributes) {
    return theRanges->start(nameOf(attributes), nowNs());
}
void NVTX_API domainEnd(nvtxDomainHandle_t /*domain*/, nvtxRangeId_t id) {
    theRanges->end(id, nowNs());
}
nvtxStringHandle_t NVTX_API registerA(nvtxDomainHandle_t /*domain*/, const char* text) {
    return registered(nameOf(text));
}
nvtxStringHandle_t NVTX_API registerW(nvtxDomainHandle_t /*domain*/, const wchar_t* text) {
    return registered(nameOf(text));
}
/// A domain only has to be told from others; it lives as long as the process.
nvtxDomainHandle_t NVTX_API domainCreateA(const char* name) {
    return reinterpret_cast<nvtxDomainHandle_t>(new std::string(nameOf(name)));
}
nvtxDomainHandle_t NVTX_API domainCreateW(const wchar_t* name) {
    return reinterpret_cast<nvtxDomainHandle_t>(new std::string(nameOf(name)));
}

/// One of NVTX's tables of functions; slots beyond its size belong to newer versions than the program's.
class Table {
public:
    Table(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) {
        if (callbacks.GetModuleFunctionTable(module, &m_slots, &m_size) == 0) m_slots = nullptr;
    }
    [[nodiscard]] bool exists() const { return m_slots != nullptr; }
    template <typename Function>
    void set(unsigned id, Function* function) const {
        if (id < m_size && m_slots[id] != nullptr)
            *m_slots[id] = reinterpret_cast<NvtxFunctionPointer>(function);
    }

private:
    NvtxFunctionTable m_slots = nullptr;
    unsigned m_size = 0;
};

} // namespace

bool injectNvtx(NvtxRanges& ranges, NvtxGetExportTableFunc_t getExportTable) {
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(getExportTable(NVTX_ETID_CALLBACKS));
    if (callbacks == nullptr) return false;
    theRanges = &ranges;
    const Table core(*callbacks, NVTX_CB_MODULE_CORE);
    if (!core.exists()) return false;
    core.set(NVTX_CBID_CORE_RangePushA, pushA);
    core.set(NVTX_CBID_CORE_RangePushW, pushW);
    core.set(NVTX_CBID_CORE_RangePushEx, pushEx);
    core.set(NVTX_CBID_CORE_RangePop, pop);
    core.set(NVTX_CBID_CORE_RangeStartA, startA);
    core.set(NVTX_CBID_CORE_RangeStartW, startW);
    core.set(NVTX_CBID_CORE_RangeStartEx, startEx);
    core.set(NVTX_CBID_CORE_RangeEnd, end);
    const Table domains(*callbacks, NVTX_CB_MODULE_CORE2);
    if (!domains.exists()) return true; // NVTX 1 has no domains
    domains.set(NVTX_CBID_CORE2_DomainRangePushEx, domainPushEx);
    domains.set(NVTX_CBID_CORE2_DomainRangePop, domainPop);
    domains.set(NVTX_CBID_CORE2_DomainRangeStartEx, domainStartEx);
    domains.set(NVTX_CBID_CORE2_DomainRangeEnd, domainEnd);
    domains.set(NVTX_CBID_CORE2_DomainRegisterStringA, registerA);
    domains.set(NVTX_CBID_CORE2_DomainRegisterStringW, registerW);
    domains.set(NVTX_CBID_CORE2_DomainCreateA, domainCreateA);
    domains.set(NVTX_CBID_CORE2_DomainCreateW, domainCreateW);
    return true;
}

} // namespace dormer::instrument::collect
