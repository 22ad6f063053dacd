// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/workloads/workload_tree.h"

#include "tests/support/catch.h"
#include "ui/workloads/workload_delegate.h"
#include "ui/workloads/workload_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace dormer;
using instrument::launch::WorkloadInfo;

namespace {

/// Two families; the first has two plain workloads around a sweep of five points.
std::vector<WorkloadInfo> small() {
    std::vector<WorkloadInfo> suite;
    const auto add = [&](const char* family, const char* title, const std::string& variant, const char* shows,
                         const char* sweep, bool wrong = false) {
        suite.push_back({.family = family,
                         .variant = variant,
                         .shows = shows,
                         .parameters = {"size=1024"},
                         .title = title,
                         .familyShows = "what the family is about",
                         .sweep = sweep,
                         .wrongByDesign = wrong});
    };
    add("access", "One warp, one pattern", "aligned", "four sectors", "");
    for (int k = 0; k < 5; ++k)
        add("access", "One warp, one pattern", "offset/" + std::to_string(k), "begins K off", "offset");
    add("access", "One warp, one pattern", "scattered", "32 sectors", "");
    add("histogram", "Counting into bins", "racy", "loses counts", "", true);
    add("histogram", "Counting into bins", "shared", "privatised", "");
    return suite;
}

/// 20 families of 18 workloads.
std::vector<WorkloadInfo> large() {
    std::vector<WorkloadInfo> suite;
    for (int family = 0; family < 20; ++family)
        for (int variant = 0; variant < 18; ++variant)
            suite.push_back({.family = "family" + std::to_string(family),
                             .variant = "variant" + std::to_string(variant),
                             .shows = "something",
                             .parameters = {}});
    return suite;
}

struct Shown {
    ui::workloads::WorkloadPanel panel;
    ui::workloads::WorkloadTree& tree = panel.tree();
    QLineEdit& filter = *panel.findChild<QLineEdit*>("workloadFilter");

    explicit Shown(const std::vector<WorkloadInfo>& suite = small()) {
        panel.resize(320, 700);
        panel.show();
        panel.activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(&panel));
        panel.setWorkloads(suite);
    }
    /// Clicks the box before an item.
    void clickBox(QTreeWidgetItem* item) {
        const QRect row = tree.visualItemRect(item);
        REQUIRE(row.isValid());
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(10, 10));
    }
    QStringList labels() const {
        QStringList words;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            words << label->text();
        return words;
    }
};

} // namespace

TEST_CASE("families hold workloads, and a sweep's points lie under one node", "[workload_tree]") {
    Shown shown;
    REQUIRE(shown.tree.topLevelItemCount() == 2);
    QTreeWidgetItem* access = shown.tree.topLevelItem(0);
    CHECK(access->text(0) == "access");
    CHECK(access->data(0, ui::workloads::kShowsRole).toString() == "One warp, one pattern");
    CHECK(access->toolTip(0).contains("what the family is about"));
    REQUIRE(access->childCount() == 3);
    CHECK(access->child(0)->text(0) == "aligned");
    CHECK(access->child(1)->text(0) == "offset (5)");
    CHECK(access->child(1)->childCount() == 5);
    CHECK(access->child(1)->child(4)->text(0) == "offset/4");
    CHECK(access->child(2)->text(0) == "scattered");
    CHECK(access->isExpanded());
    CHECK_FALSE(access->child(1)->isExpanded());
    CHECK(shown.tree.chosen().size() == 9);
    CHECK(shown.tree.chosen().at(1) == "access/offset/0");
    CHECK(shown.labels().contains("9 of 9 chosen"));
    // What is wrong on purpose says so before anybody runs it.
    QTreeWidgetItem* racy = shown.tree.topLevelItem(1)->child(0);
    CHECK(racy->data(0, ui::workloads::kShowsRole).toString() == "wrong by design: loses counts");
    CHECK(racy->toolTip(0).contains("wrong, by design"));
}

TEST_CASE("boxes of branches follow and set those below them", "[workload_tree]") {
    Shown shown;
    QTreeWidgetItem* access = shown.tree.topLevelItem(0);
    QTreeWidgetItem* sweep = access->child(1);
    shown.clickBox(access->child(0));
    CHECK(access->child(0)->checkState(0) == Qt::Unchecked);
    CHECK(access->checkState(0) == Qt::PartiallyChecked);
    CHECK(access->data(0, ui::workloads::kCountRole).toString() == "6 of 7");
    CHECK(shown.labels().contains("8 of 9 chosen"));

    shown.clickBox(sweep);
    CHECK(sweep->checkState(0) == Qt::Unchecked);
    CHECK(sweep->child(3)->checkState(0) == Qt::Unchecked);
    CHECK(shown.tree.chosen() == QStringList{"access/scattered", "histogram/racy", "histogram/shared"});

    shown.clickBox(access); // partly on: a click means all
    CHECK(access->checkState(0) == Qt::Checked);
    CHECK(sweep->checkState(0) == Qt::Checked);
    CHECK(shown.tree.chosen().size() == 9);
    shown.clickBox(access);
    CHECK(shown.tree.chosen() == QStringList{"histogram/racy", "histogram/shared"});
}

TEST_CASE("the filter hides what does not match and leaves its boxes alone", "[workload_tree]") {
    Shown shown;
    QTreeWidgetItem* access = shown.tree.topLevelItem(0);
    QTreeWidgetItem* sweep = access->child(1);
    QTest::keyClicks(&shown.filter, "OFFSET/3 pattern");
    CHECK(shown.tree.shown() == 1);
    CHECK_FALSE(access->isHidden()); // its title holds the second word
    CHECK(sweep->isExpanded());
    CHECK(access->child(0)->isHidden());
    CHECK(shown.tree.topLevelItem(1)->isHidden());
    CHECK(shown.labels().contains(QStringLiteral("9 of 9 chosen\n1 shown")));

    shown.clickBox(access); // all that is shown
    CHECK(shown.tree.chosen().size() == 8);
    CHECK_FALSE(shown.tree.chosen().contains("access/offset/3"));
    shown.clickBox(access);
    CHECK(shown.tree.chosen().size() == 9);

    shown.filter.clear();
    CHECK(shown.tree.shown() == 9);
    CHECK(access->isExpanded());
    CHECK_FALSE(sweep->isExpanded()); // as before filtering
}

TEST_CASE("while others are off and hidden, a branch's box still turns what is shown off",
          "[workload_tree]") {
    Shown shown;
    shown.tree.choose("access");
    QTreeWidgetItem* access = shown.tree.topLevelItem(0);
    shown.clickBox(access->child(0)); // "aligned" off
    QTest::keyClicks(&shown.filter, "offset");
    CHECK(access->checkState(0) == Qt::PartiallyChecked);
    shown.clickBox(access);
    CHECK(shown.tree.chosen() == QStringList{"access/scattered"});
    shown.clickBox(access);
    CHECK(shown.tree.chosen().size() == 6);
}

TEST_CASE("Enter in the filter chooses just what it shows", "[workload_tree]") {
    Shown shown;
    QTest::keyClicks(&shown.filter, "s"); // all of them
    QTest::keyClicks(&shown.filter, "hared");
    QTest::keyClick(&shown.filter, Qt::Key_Return);
    CHECK(shown.tree.chosen() == QStringList{"histogram/shared"});
    shown.filter.clear();
    QTest::keyClicks(&shown.filter, "no such thing");
    CHECK(shown.tree.shown() == 0);
    QTest::keyClick(&shown.filter, Qt::Key_Return); // nothing is shown: nothing changes
    CHECK(shown.tree.chosen() == QStringList{"histogram/shared"});
}

TEST_CASE("the keyboard goes from the filter into the tree and turns boxes", "[workload_tree]") {
    Shown shown;
    shown.filter.setFocus();
    QTest::keyClicks(&shown.filter, "racy");
    QTest::keyClick(&shown.filter, Qt::Key_Down);
    REQUIRE(shown.tree.hasFocus());
    CHECK(shown.tree.currentItem() == shown.tree.topLevelItem(1));
    QTest::keyClick(&shown.tree, Qt::Key_Down);
    QSignalSpy changed(&shown.tree, &ui::workloads::WorkloadTree::chosenChanged);
    QTest::keyClick(&shown.tree, Qt::Key_Space);
    CHECK(changed.count() > 0);
    CHECK_FALSE(shown.tree.chosen().contains("histogram/racy"));
    QTest::keyClick(&shown.tree, Qt::Key_Left); // to the family
    QTest::keyClick(&shown.tree, Qt::Key_Left); // which folds
    CHECK_FALSE(shown.tree.topLevelItem(1)->isExpanded());
}

TEST_CASE("a large suite opens folded, and one family chosen is open", "[workload_tree]") {
    Shown shown(large());
    CHECK(shown.tree.topLevelItemCount() == 20);
    CHECK(shown.labels().contains("360 of 360 chosen"));
    for (int i = 0; i < 20; ++i)
        CHECK_FALSE(shown.tree.topLevelItem(i)->isExpanded());
    shown.tree.choose("family7");
    CHECK(shown.tree.topLevelItem(7)->isExpanded());
    CHECK(shown.tree.chosen().size() == 18);
    CHECK(shown.tree.chosen().front() == "family7/variant0");
    shown.tree.choose({});
    CHECK(shown.tree.chosen().size() == 360);
    CHECK_FALSE(shown.tree.topLevelItem(7)->isExpanded());
}
