// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/details_panel.h"

#include "analysis/findings/finding.h"
#include "analysis/store/session_file.h"
#include "analysis/view/details/details_facts.h"
#include "analysis/view/details/utilization.h"
#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/sample_session.h"
#include "tests/support/suite_session.h"
#include "ui/details/details_parts.h"
#include "ui/sessions/session_hub.h"
#include "ui/shell/top_bar.h"
#include "ui/todo/todo_feed.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

#include <algorithm>

using namespace dormer;
using dormer::tests::launchOf;
using session::LaunchIndex;

namespace {

QString allText(const QWidget& widget) {
    QStringList words;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        words << label->text();
    return words.join(QLatin1Char('\n'));
}

} // namespace

TEST_CASE("missing counters are named, not drawn as zero", "[details]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    const LaunchIndex fill{static_cast<std::uint32_t>(hub.session().launches().size() - 1)};
    CHECK(view::details::utilization(hub.session(), fill, hub.verdict(fill)).bars.empty());
    ui::todo::ToDoFeed feed(hub);
    ui::details::DetailsPanel panel(hub, feed);
    hub.select(fill);
    QTest::qWait(50);
    CHECK(panel.findChild<QWidget*>("utilization") == nullptr);
    CHECK(allText(panel).contains("excluded by --kernels"));
}

TEST_CASE("figures of bars stand beside them, however long", "[details]") {
    ui::details::UtilizationBars bars(
        {{.name = "L2", .share = 0.39, .text = "39 % (74 % in practice)"}, {.name = "DRAM", .text = "9 %"}});
    bars.resize(320, bars.sizeHint().height());
    const int text = bars.fontMetrics().horizontalAdvance("39 % (74 % in practice)");
    CHECK(bars.trackOf(0).right() + text < 320);
    CHECK(bars.trackOf(0).right() == bars.trackOf(1).right());
    CHECK(bars.trackOf(1).left() > bars.fontMetrics().horizontalAdvance("DRAM"));
}

TEST_CASE("a kernel whose warps were sampled shows their states and its stalled lines", "[details]") {
    auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h200-stalls.dormer");
    REQUIRE(recorded.has_value());
    ui::sessions::SessionHub hub;
    hub.setSession(std::move(*recorded));
    ui::todo::ToDoFeed feed(hub);
    ui::details::DetailsPanel panel(hub, feed);
    panel.resize(400, 900);
    panel.show();
    hub.select(launchOf(hub.session(), "stalls/barrier_uneven"));
    QTest::qWait(50);
    auto* states = panel.findChild<ui::details::UtilizationBars*>("warpStates");
    REQUIRE(states != nullptr);
    CHECK(states->bars().front().name == "barrier");
    std::optional<ui::sessions::SourcePlace> asked;
    QObject::connect(&hub, &ui::sessions::SessionHub::placeAsked,
                     [&](const ui::sessions::SourcePlace& place) { asked = place; });
    for (QPushButton* link : panel.findChildren<QPushButton*>())
        if (link->property("stall") == "barrier.cu:40") QTest::mouseClick(link, Qt::LeftButton);
    REQUIRE(asked);
    CHECK(asked->line == 40);
}

TEST_CASE("the article says the verdict, why, and what to do", "[details]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::todo::ToDoFeed feed(hub);
    ui::details::DetailsPanel panel(hub, feed);
    panel.resize(400, 900);
    panel.show();
    const LaunchIndex launch = launchOf(hub.session(), "transpose/tiled");
    hub.select(launch);
    QTest::qWait(50);
    const QString words = allText(panel);
    CHECK(words.contains(QString::fromStdString(headline(hub.verdict(launch)))));
    CHECK(words.contains("launch 17 of 28") == (session::raw(launch) == 16));
    const auto found = hub.diagnosis().findings(launch);
    REQUIRE_FALSE(found.empty());
    CHECK(words.contains(QString::fromStdString(found.front().title)));
    CHECK(words.contains(QString::fromStdString(found.front().advice)));

    // Raw counters come last and folded; an unfolded one stays so for the next launch.
    QPushButton* fold = panel.findChildren<QPushButton*>().back();
    CHECK(fold->text().contains("Raw counters"));
    CHECK_FALSE(fold->isChecked());
    QTest::mouseClick(fold, Qt::LeftButton);
    hub.select(LaunchIndex{0});
    QTest::qWait(50);
    CHECK(panel.findChildren<QPushButton*>().back()->isChecked());
    const auto* counters = panel.findChildren<QTableWidget*>().back();
    REQUIRE(counters != nullptr);
    CHECK(counters->rowCount() ==
          static_cast<int>(view::details::detailsFacts(hub.metrics(), LaunchIndex{0}).counters.size()));
    CHECK(counters->findItems("dram__bytes_read.sum", Qt::MatchExactly).size() == 1);
    // However long its words are, the article fits its panel.
    CHECK(counters->mapTo(&panel, QPoint(counters->width(), 0)).x() <= panel.width());
}

TEST_CASE("the article says what a workload shows and leads to the better one", "[details]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::suiteSession());
    ui::todo::ToDoFeed feed(hub);
    ui::details::DetailsPanel panel(hub, feed);
    panel.resize(400, 900);
    panel.show();
    hub.select(launchOf(hub.session(), "vector_sum/uncoalesced"));
    QTest::qWait(50);
    const QString words = allText(panel);
    CHECK(words.contains("Sum of two vectors"));
    CHECK(words.contains("neighbouring threads are a whole grid apart: 32 sectors per request"));
    CHECK(words.contains(QString::fromUtf8("size=16777216 \u00b7 block=256")));
    QPushButton* link = panel.findChildren<QPushButton*>("link").front();
    CHECK(link->text().contains("vector_sum/coalesced"));
    CHECK(link->mapTo(&panel, QPoint(link->width(), 0)).x() <= panel.width());
    QTest::mouseClick(link, Qt::LeftButton);
    REQUIRE(hub.selected());
    CHECK(hub.session().launch(*hub.selected()).workload == "vector_sum/coalesced");

    // That one names a workload which did not run: no link, but its name.
    QTest::qWait(50);
    CHECK(allText(panel).contains("vector_sum/elsewhere, which did not run here"));
    for (const QPushButton* button : panel.findChildren<QPushButton*>("link"))
        CHECK_FALSE(button->text().contains("elsewhere"));
}

TEST_CASE("what is wrong by design is labelled so, with what was found", "[details]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::suiteSession());
    ui::todo::ToDoFeed feed(hub);
    ui::details::DetailsPanel panel(hub, feed);
    panel.show();
    hub.select(launchOf(hub.session(), "histogram/racy"));
    QTest::qWait(50);
    CHECK(panel.findChild<QLabel*>("wrongByDesign") != nullptr);
    CHECK(allText(panel).contains("counts 1023 of 4194304 cells"));
    hub.select(launchOf(hub.session(), "vector_sum/uncoalesced"));
    QTest::qWait(50);
    CHECK(panel.findChild<QLabel*>("wrongByDesign") == nullptr);
}

TEST_CASE("launches by a graph say so", "[details]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::suiteSession());
    const auto configuration = [&](std::string_view workload) {
        return inOneLine(
            view::details::detailsFacts(hub.metrics(), launchOf(hub.session(), workload)).configuration);
    };
    CHECK(configuration("graphs/replayed").find("node 2 of a CUDA graph") != std::string::npos);
    CHECK(configuration("roofline/scale").find("graph") == std::string::npos);
}

TEST_CASE("progress reads like a sentence", "[details]") {
    session::Progress progress{.phase = "counting", .workload = {}, .pass = 3, .passes = 5};
    progress.launchesDone = 6;
    progress.launchesExpected = 28;
    progress.secondsLeft = 1.2;
    CHECK(ui::shell::progressText(progress) ==
          QString::fromUtf8("live \u00b7 6 of 28 launches \u00b7 pass 3 of 5 \u00b7 1.2 s left"));
    CHECK(ui::shell::progressText({.phase = "timing", .workload = {}}) ==
          QString::fromUtf8("live \u00b7 timing"));
    CHECK(ui::shell::progressText({.phase = "playing", .workload = {}}) == "playing");
}
