// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The suite as a course: predict, run, see, go on.
#include "ui/learn/learn_view.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/learn/progress.h"
#include "ui/look/theme.h"
#include "ui/sessions/session_control.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>

using namespace dormer;
using namespace dormer::ui::learn;
using instrument::launch::WorkloadInfo;

namespace {

WorkloadInfo variant(const char* family, const std::string& name, const char* sweep = "",
                     bool wrong = false) {
    return {.family = family,
            .variant = name,
            .shows = "what it shows",
            .parameters = {},
            .title = "A title",
            .familyShows = "what there is to learn",
            .sweep = sweep,
            .wrongByDesign = wrong};
}

/// A visible widget by a property; what was just made is seen once it is laid out. Null where there is none.
template <typename T>
T* part(const QWidget& window, const char* property, const QVariant& value) {
    T* found = nullptr;
    (void)tests::eventually([&] {
        for (T* each : window.findChildren<T*>())
            if (each->property(property) == value && each->isVisible()) found = each;
        return found != nullptr;
    });
    return found;
}

} // namespace

TEST_CASE("lessons compare variants, or points of a sweep, and nothing that is wrong", "[learn]") {
    std::vector<WorkloadInfo> suite;
    for (int i = 0; i < 8; ++i)
        suite.push_back(variant("many", "v" + std::to_string(i)));
    suite.push_back(variant("histogram", "racy", "", true));
    suite.push_back(variant("histogram", "global"));
    suite.push_back(variant("histogram", "shared"));
    for (int i = 0; i <= 10; ++i)
        suite.push_back(variant("sweep", "point/" + std::to_string(i), "points"));
    suite.push_back(variant("alone", "only"));
    const std::vector<Lesson> lessons = lessonsOf(suite);
    REQUIRE(lessons.size() == 3);
    CHECK(lessons[0].choices.size() == kMostChoices);
    CHECK(lessons[1].workloads() == QStringList{"histogram/global", "histogram/shared"});
    CHECK(lessons[1].title == "A title");
    CHECK(lessons[1].about == "what there is to learn");
    CHECK(lessons[2].workloads() == QStringList{"sweep/point/0", "sweep/point/5", "sweep/point/10"});
}

TEST_CASE("the outcome orders by time of one run, however often each was launched", "[learn]") {
    session::Session session;
    const auto add = [&](std::uint64_t id, const char* workload, double ns) {
        session::Launch launch;
        launch.id = id;
        launch.kernel = 1;
        launch.workload = workload;
        launch.durationNs = ns;
        session.apply(launch);
    };
    session.apply(session::Kernel{.id = 1, .mangledName = "k", .name = "k"});
    add(0, "f/slow", 300);
    for (std::uint64_t id = 1; id <= 9; ++id)
        add(id, "f/fast", 100);
    add(10, "other/kernel", 1);
    const diagnosis::Diagnosis diagnosis{session};
    const Lesson lesson{
        "f", "F", "", {{"f/slow", "slow", ""}, {"f/fast", "fast", ""}, {"f/none", "none", ""}}};
    const std::vector<Outcome> outcomes = outcomesOf(lesson, diagnosis);
    REQUIRE(outcomes.size() == 2);
    CHECK(outcomes[0].choice == 1);
    CHECK(outcomes[0].ns == Approx(100));
    CHECK(outcomes[1].choice == 0);
    CHECK(outcomes[1].ns == Approx(300));
}

TEST_CASE("predict, run, see, look closer and go on; progress is remembered", "[learn]") {
    QSettings().remove("course");
    const QTemporaryDir folder;
    tests::setSlowTarget(0);
    ui::look::applyTheme(*static_cast<QApplication*>(QApplication::instance()), ui::look::Scheme::Light);
    ui::shell::MainWindow window(tests::withFakeSuite(folder));
    window.resize(1440, 900);
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    QTest::mouseClick(part<QPushButton>(window, "choiceName", "welcomeLearn"), Qt::LeftButton);
    auto* view = window.findChild<LearnView*>();
    REQUIRE(tests::eventually([&] { return view->isVisible() && view->lessons().size() == 3; }));
    auto* list = window.findChild<QListWidget*>("lessons");
    CHECK(view->lesson()->family == "roofline");

    // A click on a lesson, and one on a prediction: only then it runs.
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
    REQUIRE(view->lesson()->family == "vector_sum");
    auto* run = part<QPushButton>(*view, "learn", "run");
    REQUIRE(run != nullptr);
    CHECK_FALSE(run->isEnabled());
    CHECK(run->toolTip().contains("Predict first"));
    auto* coalesced = part<QRadioButton>(*view, "choice", "vector_sum/coalesced");
    REQUIRE(coalesced != nullptr);
    QTest::mouseClick(coalesced, Qt::LeftButton, {}, {8, coalesced->height() / 2});
    REQUIRE(tests::eventually([&] { return run->isEnabled(); }));
    QTest::mouseClick(run, Qt::LeftButton);
    CHECK(window.findChild<QLabel*>("lessonSaid")->text() == QStringLiteral("Running\u2026"));
    REQUIRE(tests::eventually(
        [&] { return window.findChild<QLabel*>("lessonSaid")->text().contains("fastest"); }));
    CHECK(window.findChild<QLabel*>("lessonSaid")->text() ==
          QStringLiteral("\u2713 Right: coalesced is the fastest."));
    CHECK(progressIn("vector_sum") == Progress::Right);
    CHECK(list->item(1)->text().startsWith(QStringLiteral("\u2713")));
    QTest::qWait(300);
    REQUIRE(QDir().mkpath(DORMER_SCREENSHOTS));
    CHECK(window.grab().save(DORMER_SCREENSHOTS "/learn.png"));

    auto* outcome = part<QPushButton>(*view, "outcome", "vector_sum/uncoalesced");
    REQUIRE(outcome != nullptr);
    QTest::mouseClick(outcome, Qt::LeftButton);
    CHECK_FALSE(view->isVisible());
    REQUIRE(window.hub().selected());
    CHECK(window.hub().session().launch(*window.hub().selected()).workload == "vector_sum/uncoalesced");

    // Back by the search, on to the next lesson, and a wrong prediction.
    QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), "the course");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    REQUIRE(tests::eventually([&] { return view->isVisible(); }));
    QTest::mouseClick(part<QPushButton>(*view, "learn", "next"), Qt::LeftButton);
    REQUIRE(view->lesson()->family == "transpose");
    CHECK_FALSE(run->isEnabled());
    auto* tiled = part<QRadioButton>(*view, "choice", "transpose/tiled");
    REQUIRE(tiled != nullptr);
    QTest::mouseClick(tiled, Qt::LeftButton, {}, {8, tiled->height() / 2});
    REQUIRE(tests::eventually([&] { return run->isEnabled(); }));
    QTest::mouseClick(run, Qt::LeftButton);
    REQUIRE(tests::eventually(
        [&] { return window.findChild<QLabel*>("lessonSaid")->text().contains("Not quite"); }));
    CHECK(progressIn("transpose") == Progress::Wrong);

    // Another window begins with what is open.
    ui::shell::MainWindow later(tests::withFakeSuite(folder));
    auto* again = later.findChild<LearnView*>();
    REQUIRE(tests::eventually([&] { return again->lessons().size() == 3; }));
    CHECK(again->lesson()->family == "roofline");
    remember("vector_sum", false);
    CHECK(progressIn("vector_sum") == Progress::Right); // and stays
    QSettings().remove("course");
}
