// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/page_probe.h"

#include "tests/support/catch.h"

#include <fstream>

namespace dormer::tests {

using nlohmann::json;

namespace {

/// Runs before the page's own scripts.
constexpr const char* kWatch = R"(<script>
window.broken = [];
addEventListener('error', event => broken.push(String(event.message)));
addEventListener('securitypolicyviolation', event => broken.push('policy: ' + event.blockedURI));
window.alert = text => broken.push('alert ' + text);
</script>)";

/// Runs after them; `probe` fills `out`.
std::string probed(std::string html, const std::string& probe) {
    html.insert(html.find("<title>"), kWatch);
    html.insert(html.rfind("</body>"), R"(<script>
const out = {}, all = s => [...document.querySelectorAll(s)], one = s => document.querySelector(s);
const shown = e => e.getClientRects().length > 0;
const named = name => one('.chart.on svg .pt[aria-label^="' + name + '"]');
const settled = () => new Promise(done => setTimeout(done, 500)); // what is packed is unpacked then
(async () => {
try {)" + probe + R"(} catch (error) { broken.push(String(error)); }
out.broken = broken;
out.requests = performance.getEntriesByType('resource').map(r => r.name);
const pre = document.createElement('pre');
pre.id = 'probe';
pre.textContent = encodeURIComponent(JSON.stringify(out));
document.body.append(pre);
})();
</script>)");
    return html;
}

std::string decoded(const std::string& text) { // of encodeURIComponent
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
    }
    return out;
}

} // namespace

json probe(const Browser& browser, const std::string& html, const std::string& script, bool dark, int width) {
    const std::filesystem::path file = browser.folder() / "page.html";
    std::ofstream(file) << probed(html, script);
    const Browser::Page page = browser.open(file, dark, width);
    CHECK(page.console == "");
    const std::string start = "<pre id=\"probe\">";
    const std::size_t at = page.dom.find(start);
    REQUIRE(at != std::string::npos);
    const std::size_t from = at + start.size();
    json out = json::parse(decoded(page.dom.substr(from, page.dom.find('<', from) - from)));
    CHECK(out["broken"] == json::array());
    CHECK(out["requests"] == json::array());
    return out;
}

} // namespace dormer::tests
