// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/store/session_file.h"
#include "analysis/view/kernel_rows.h"

#include "tests/support/browser.h"
#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/page_probe.h"
#include "tests/support/sample_session.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <regex>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::view;
using dormer::tests::Browser;
using dormer::tests::probe;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string samplePage() {
    const Session session = dormer::tests::sampleSession();
    return htmlReport(Diagnosis(session), "suite");
}

} // namespace

TEST_CASE("the report shows its rows, points and the first kernel's evidence", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, samplePage(), R"(
        out.rows = all('.kernels tbody tr').filter(shown).length;
        out.points = all('.chart svg .pt').filter(shown).length;
        out.charts = all('.chart').filter(shown).length;
        out.cards = all('.card').filter(shown).map(c => c.querySelector('h3').textContent);
        out.selected = one('.kernels tr.on .name').textContent;
        out.overflow = document.documentElement.scrollWidth - innerWidth;
        out.tableCut = one('.scroll').scrollWidth - one('.scroll').clientWidth;)");
    const Session session = dormer::tests::sampleSession();
    const std::size_t kernels = kernelRows(Diagnosis(session), 100).groups;
    CHECK(out["rows"] == kernels);
    CHECK(out["points"] == kernels);
    CHECK(out["charts"] == 1);
    CHECK(out["cards"] == json{"vector_sum/uncoalesced"});
    CHECK(out["selected"] == "vector_sum/uncoalesced");
    CHECK(out["overflow"] <= 0);
    CHECK(out["tableCut"] <= 0);
}

TEST_CASE("nothing runs out of its panel in the recorded suite's report", "[browser]") {
    REQUIRE_BROWSER(browser);
    const auto session = loadSession(DORMER_SOURCE_DIR "/samples/h100-basics.dormer");
    REQUIRE(session.has_value());
    const std::string page = htmlReport(Diagnosis(*session), "suite");
    for (const int width : {1100, 1280, 1440, 1920}) {
        INFO(width);
        const json out = probe(*browser, page, R"(
            out.overflow = document.documentElement.scrollWidth - innerWidth;
            out.panels = all('.panel').filter(shown).filter(p => p.scrollWidth > p.clientWidth)
                                      .map(p => p.getAttribute('aria-label'));
            out.tableCut = one('.scroll').scrollWidth - one('.scroll').clientWidth;)",
                               false, width);
        CHECK(out["overflow"] <= 0);
        CHECK(out["panels"] == json::array());
        if (width >= 1280) CHECK(out["tableCut"] <= 0);
    }
}

TEST_CASE("a click on a point, a row or a finding selects the same kernel everywhere", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, samplePage(), R"(
        const state = () => [one('.kernels tr.on .name').textContent, one('.card.on h3').textContent,
                             one('.chart.on .pt.on').getAttribute('aria-label').split(/[\n:]/)[0]];
        const click = e => e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
        click(named('roofline/fma_chain'));
        out.byPoint = state();
        click(all('.kernels tbody tr').find(r => r.textContent.includes('transpose/tiled_padded')));
        out.byRow = state();
        click(all('.todo a').find(a => a.textContent === 'transpose/tiled'));
        out.byFinding = state();
        named('roofline/scale').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
        out.byKey = state();
        location.hash = '#k0';
        dispatchEvent(new Event('hashchange'));
        out.byLink = state();)");
    CHECK(out["byPoint"] == json::array({"roofline/fma_chain", "roofline/fma_chain", "roofline/fma_chain"}));
    CHECK(out["byRow"] ==
          json::array({"transpose/tiled_padded", "transpose/tiled_padded", "transpose/tiled_padded"}));
    CHECK(out["byFinding"] == json::array({"transpose/tiled", "transpose/tiled", "transpose/tiled"}));
    CHECK(out["byKey"][1] == "roofline/scale");
    CHECK(out["byLink"][1] == "vector_sum/uncoalesced");
}

TEST_CASE("the selected kernel shows where it stands at the other memory levels", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, samplePage(), R"(
        named('roofline/vector_add').dispatchEvent(new MouseEvent('click', {bubbles: true}));
        out.shown = all('.chart.on svg .levels').filter(shown).length;
        out.marks = all('.chart.on svg .pt.on .level-mark').filter(shown).length;
        out.roofs = all('.chart.on svg .level-roofs text').filter(shown).map(t => t.textContent);)");
    CHECK(out["shown"] == 1);
    CHECK(out["marks"] == 2); // L2 and L1: it uses no shared memory
    CHECK(out["roofs"] == json{"shared memory / L1 33.5 TB/s"});
}

TEST_CASE("hovering tells, sorting sorts, filtering filters, the work switch switches", "[browser]") {
    REQUIRE_BROWSER(browser);
    const json out = probe(*browser, samplePage(), R"(
        const point = named('roofline/vector_add');
        point.dispatchEvent(new MouseEvent('mousemove', {clientX: 300, clientY: 300, bubbles: true}));
        out.tip = one('#tip').hidden ? null : one('#tip').textContent;
        point.dispatchEvent(new MouseEvent('mouseleave'));
        out.tipGone = one('#tip').hidden;
        const names = () => all('.kernels tbody tr').filter(shown).map(r => r.cells[1].textContent);
        const head = title => all('.kernels th button').find(b => b.textContent.startsWith(title));
        head('est. savings').click();
        out.byGain = names();
        head('time').click();
        head('time').click();
        out.byTimeUp = names();
        const filter = one('.filter');
        filter.value = 'TRANSPOSE';
        filter.dispatchEvent(new Event('input'));
        out.filtered = names().sort();
        all('.chips button').find(b => b.textContent === 'FP64').click();
        out.work = one('.chart.on').dataset.work;
        out.pressed = all('.chips button[aria-pressed="true"]').map(b => b.textContent);
        out.chartsShown = all('.chart').filter(shown).length;
        location.hash = '#m-l2_hit_rate';
        dispatchEvent(new Event('hashchange'));
        out.definition = shown(one('#m-l2_hit_rate'));
        dispatchEvent(new Event('beforeprint'));
        out.allOpen = all('.print-open').every(d => d.open);)");
    CHECK(out["tip"].get<std::string>().find("roofline/vector_add\nMemory-bound") == 0);
    CHECK(out["tip"].get<std::string>().find("0.0833 FLOP/B") != std::string::npos);
    CHECK(out["tipGone"] == true);

    // Expected orders from the rows themselves.
    const Session session = dormer::tests::sampleSession();
    KernelRows rows = kernelRows(Diagnosis(session), 100);
    CHECK(out["byTimeUp"].front() == rows.rows.back().label);
    CHECK(out["byTimeUp"].back() == rows.rows.front().label);
    std::ranges::stable_sort(rows.rows, std::greater{},
                             [](const KernelRow& row) { return row.gainNs.value_or(0); });
    CHECK(out["byGain"].front() == rows.rows.front().label);
    CHECK(out["filtered"] == json::array({"transpose/tiled", "transpose/tiled_padded"}));
    CHECK(out["work"] == "fp64");
    CHECK(out["pressed"] == json::array({"DRAM", "FP64"}));
    CHECK(out["chartsShown"] == 1);
    CHECK(out["definition"] == true);
    CHECK(out["allOpen"] == true);
}

TEST_CASE("kernels and charts that a long page carries packed are there when they are asked for",
          "[browser]") {
    REQUIRE_BROWSER(browser);
    const auto session = loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
    REQUIRE(session.has_value());
    const std::string page = htmlReport(Diagnosis(*session), "suite");
    REQUIRE(page.find("<script type=\"application/x-deflate\"") != std::string::npos);
    const json out = probe(*browser, page, R"(
        const packed = all('.kernels tbody tr').at(-1), id = 'k' + packed.dataset.row;
        out.missing = !document.getElementById(id);
        packed.click(); // before anything is unpacked
        await settled();
        out.card = all('.card').filter(shown).map(c => c.id).join() === id;
        out.name = one('.card.on h3').textContent;
        out.row = packed.querySelector('.name a').textContent;
        const facts = one('.card.on [data-facts="metrics"]');
        facts.open = true;
        all('.chips button').find(b => b.dataset.key === 'level' && b.getAttribute('aria-pressed') !== 'true').click();
        await settled();
        out.facts = facts.querySelectorAll('tr').length;
        out.points = all('.chart svg .pt').filter(shown).length;)");
    CHECK(out["missing"] == true);
    CHECK(out["card"] == true);
    CHECK(out["name"] == out["row"]);
    CHECK(out["facts"] > 30);
    CHECK(out["points"] > 20);
}

TEST_CASE("without scripts everything is there", "[browser]") {
    REQUIRE_BROWSER(browser);
    std::string html = samplePage();
    html = html.substr(0, html.rfind("<script>")) + "</body></html>";
    html.erase(html.find("<script>document"), html.find("</script>") + 9 - html.find("<script>document"));
    const json out = probe(*browser, html, R"(
        out.cards = all('.card').filter(shown).length;
        out.rows = all('.kernels tbody tr').filter(shown).length;
        out.charts = all('.chart').length - all('.chart').filter(shown).length;
        out.buttons = all('.chips button, .filter').filter(shown).length;)");
    CHECK(out["cards"] == out["rows"]);
    CHECK(out["cards"] > 5);
    CHECK(out["charts"] == 0);  // none hidden
    CHECK(out["buttons"] == 0); // nothing that wouldn't work
}

TEST_CASE("a kernel named like a script is shown, not run", "[browser]") {
    REQUIRE_BROWSER(browser);
    const Session session = dormer::tests::hostileSession();
    const json out = probe(*browser, htmlReport(Diagnosis(session), dormer::tests::kHostileName), R"(
        out.name = one('.card h3').textContent;
        one('.chart.on svg .pt').dispatchEvent(new MouseEvent('mousemove', {bubbles: true}));
        out.tip = one('#tip').textContent;
        out.scripts = all('script').length;
        out.images = all('img').length;)");
    CHECK(out["name"].get<std::string>().find("<script>alert(1)</script>\"'&`|,;") == 0);
    CHECK(out["tip"].get<std::string>().find("<script>alert(1)</script>") == 0);
    CHECK(out["scripts"] == 4); // the page's two and the test's two
    CHECK(out["images"] == 0);
}

TEST_CASE("the page follows the reader's colour scheme", "[browser]") {
    REQUIRE_BROWSER(browser);
    const std::string script = R"(
        out.ground = getComputedStyle(document.body).backgroundColor;
        out.memory = getComputedStyle(one('.chart.on .pt.memory .mark')).fill;)";
    const std::string html = samplePage();
    const json light = probe(*browser, html, script), dark = probe(*browser, html, script, true);
    CHECK(light["ground"] == "rgb(242, 244, 247)");
    CHECK(light["memory"] == "rgb(0, 114, 178)"); // #0072B2
    CHECK(dark["ground"] == "rgb(23, 26, 30)");
    CHECK(dark["memory"] == "rgb(86, 180, 233)"); // #56B4E9
}

TEST_CASE("screen and paper can be had, and the picture opens by itself", "[browser]") {
    REQUIRE_BROWSER(browser);
    const fs::path page = browser->folder() / "report.html", picture = browser->folder() / "roofline.svg";
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    REQUIRE(writeReport(diagnosis, page));
    REQUIRE(writeReport(diagnosis, picture));
    CHECK(browser->screenshot(page, browser->folder() / "report.png", 1440, 1000));
    CHECK(fs::file_size(browser->folder() / "report.png") > 50'000); // an empty page takes 10 kB
    REQUIRE(browser->printToPdf(page, browser->folder() / "report.pdf"));
    std::ifstream pdf(browser->folder() / "report.pdf", std::ios::binary);
    std::string head(5, '\0');
    pdf.read(head.data(), 5);
    CHECK(head == "%PDF-");
    const Browser::Page drawn = browser->open(picture);
    CHECK(drawn.dom.find("parsererror") == std::string::npos); // Chromium's word for broken XML
    CHECK(drawn.dom.find("roofline/fma_chain") != std::string::npos);
    CHECK(drawn.console == "");
}
