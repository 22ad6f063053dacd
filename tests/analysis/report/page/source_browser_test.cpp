// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"
#include "tests/support/page_probe.h"
#include "tests/support/source_session.h"

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;
using dormer::tests::Browser;
using dormer::tests::probe;
using nlohmann::json;

namespace {

std::string sourcePage() {
    const Session session = dormer::tests::sourceSession();
    return htmlReport(Diagnosis(session), "transpose");
}

std::string linesPage() {
    const auto session = loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
    REQUIRE(session.has_value());
    return htmlReport(Diagnosis(*session), "lines");
}

/// Where the selection is in the shown source.
constexpr const char* kSelection = R"(
    const selection = () => ({lines: all('.source.on .l.sel').map(e => e.id),
                              code: all('.source.on .c.sel').map(e => e.querySelector('b').textContent)});
    const key = (element, name) => element.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
)";

/// Contrast of an element's text with what lies under it, after WCAG 2.
constexpr const char* kContrast = R"(
    const parts = colour => colour.match(/[\d.]+/g).map(Number);
    const ground = element => {
      let layers = [];
      for (let e = element; e; e = e.parentElement) {
        const [r, g, b, a = 1] = parts(getComputedStyle(e).backgroundColor);
        if (a > 0) layers.push([r, g, b, a]);
        if (a === 1) break;
      }
      return layers.reverse().reduce((under, [r, g, b, a]) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a)), [255, 255, 255]);
    };
    const luminance = rgb => rgb.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = element => {
      const a = luminance(parts(getComputedStyle(element).color)), b = luminance(ground(element));
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
)";

} // namespace

TEST_CASE("an item of the to-do list leads to its line", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, sourcePage(), std::string(kSelection) + R"(
        out.before = selection();
        const link = one('.todo a.place');
        one('.file').open = false;
        out.inTabOrder = link.tabIndex;
        link.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
        out.after = selection();
        const box = document.getElementById('k0-f0-12').getBoundingClientRect();
        out.seen = box.top >= 0 && box.bottom <= innerHeight;
        out.open = one('.file').open;
        out.focus = document.activeElement.id;
        out.hash = location.hash;)");
    CHECK(out["before"]["lines"] == json::array());
    CHECK(out["inTabOrder"] == 0);
    CHECK(out["after"]["lines"] == json{"k0-f0-12"});
    CHECK(out["after"]["code"] == json::array({"108", "109", "110", "111"}));
    CHECK(out["seen"] == true);
    CHECK(out["open"] == true);
    CHECK(out["focus"] == "k0-f0-12");
    CHECK(out["hash"] == "#k0-f0-12");
}

TEST_CASE("a link to another kernel's line selects that kernel", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, linesPage(), std::string(kSelection) + R"(
        const place = all('.todo a.place').find(a => !a.hash.startsWith('#k0-'));
        place.click();
        await settled();
        out.wanted = place.hash.slice(1);
        out.selected = selection().lines;
        out.card = all('.card').filter(shown).map(c => c.id);
        out.sources = all('.source').filter(shown).length;
        out.overflow = document.documentElement.scrollWidth - innerWidth;
        out.cut = all('.panel').filter(shown).filter(p => p.scrollWidth > p.clientWidth).map(p => p.getAttribute('aria-label'));)");
    const std::string wanted = out["wanted"];
    CHECK(out["selected"] == json{wanted});
    CHECK(out["card"] == json{wanted.substr(0, wanted.find('-'))});
    CHECK(out["sources"] == 1);
    CHECK(out["overflow"] <= 0);
    CHECK(out["cut"] == json::array());
}

TEST_CASE("a line and its instructions are one selection, by mouse and by keys", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, sourcePage(), std::string(kSelection) + R"(
        document.getElementById('k0-f0-9').click();
        out.byLine = selection();
        all('.c').find(e => e.textContent.includes('ld.shared')).click();
        out.byCode = selection();
        const line = document.getElementById('k0-f0-9');
        line.focus();
        key(line, 'Enter');
        out.byEnter = selection().lines;
        out.opened = [all('details.fold[open]').length];
        key(line, 'ArrowDown');
        out.byArrow = selection().lines;
        out.focus = document.activeElement.id;
        out.opened.push(all('details.fold[open]').length);
        all('.c').find(e => e.dataset.s === 'f0-7').click();
        out.inFold = selection().lines;
        location.hash = '#k0-p66';
        dispatchEvent(new Event('hashchange'));
        out.byPosition = selection();)");
    CHECK(out["byLine"]["code"] == json::array({"100", "101", "102", "103", "104"}));
    CHECK(out["byCode"]["lines"] == json{"k0-f0-12"});
    CHECK(out["byEnter"] == json{"k0-f0-9"});
    CHECK(out["byArrow"] == json{"k0-f0-10"}); // it has instructions, if no counts
    CHECK(out["focus"] == "k0-f0-10");
    CHECK(out["opened"] == json::array({0, 1})); // the instructions of line 10 were folded
    CHECK(out["inFold"] == json{"k0-f0-7"});
    CHECK(out["byPosition"]["lines"] == json{"k0-f0-9"});
}

TEST_CASE("text on heat can be read in both themes", "[browser]") {
    REQUIRE_BROWSER(browser);
    for (const bool dark : {false, true}) {
        INFO(dark);
        const json out = probe(*browser, sourcePage(), std::string(kContrast) + R"(
            const hot = one('.source.on i[style]');
            out.contrasts = {};
            const look = (name, element) => { out.contrasts[name] = contrast(element); };
            for (const heat of [0.02, 0.3, 1]) { hot.style.setProperty('--h', heat); look('heat ' + heat, hot); }
            look('waste', one('.source.on .w'));
            look('number', one('.source.on .l b'));
            look('text', one('.source.on .l code'));
            document.getElementById('k0-f0-12').click();
            look('selected number', one('.source.on .l.sel b'));
            look('selected text', one('.source.on .c.sel code'));
            look('selected heat', hot);
            look('gain', one('.todo .muted'));
            look('place', one('.todo .place'));)",
                               dark);
        for (const auto& [name, contrast] : out["contrasts"].items()) {
            INFO(name);
            CHECK(contrast >= 4.5);
        }
    }
}

TEST_CASE("source without scripts is a plain listing, and a narrow page stacks it", "[browser]") {
    REQUIRE_BROWSER(browser);
    std::string html = sourcePage();
    html = html.substr(0, html.rfind("<script>")) + "</body></html>";
    html.erase(html.find("<script>document"), html.find("</script>") + 9 - html.find("<script>document"));
    const json out = probe(*browser, html, R"(
        const open = e => shown(e) && !e.closest('details:not([open])');
        out.lines = all('.l').filter(open).length;
        out.code = all('.c').filter(open).length;
        out.pictures = all('.lanes').length - all('.lanes').filter(shown).length;)");
    CHECK(out["lines"] == 10);   // 6 to 15
    CHECK(out["code"] == 8);     // two accesses with their neighbours, twice
    CHECK(out["pictures"] == 0); // none hidden
    for (const int width : {420, 700, 1440}) {
        INFO(width);
        const json narrow = probe(*browser, sourcePage(), R"(
            out.overflow = document.documentElement.scrollWidth - innerWidth;
            out.beside = one('.code').getBoundingClientRect().top < one('.files').getBoundingClientRect().bottom;)",
                                  false, width);
        CHECK(narrow["overflow"] <= 0);
        CHECK(narrow["beside"] == (width > 760));
    }
}
