// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/pattern_panel.h"

#include "tests/support/catch.h"
#include "tests/ui/app_support.h"
#include "ui/pattern/lane_picture_view.h"
#include "ui/pattern/pattern_examples.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/main_window.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace dormer;

namespace {

/// A panel on screen, driven by keys and clicks.
struct Shown {
    ui::pattern::PatternPanel panel;

    Shown() {
        panel.resize(1100, 800);
        panel.show();
        QTest::qWait(20);
    }
    QLineEdit& field(const char* name) { return *panel.findChild<QLineEdit*>(name); }
    void type(const char* name, const char* text) {
        field(name).clear();
        QTest::keyClicks(&field(name), text);
    }
    /// Text of a line of the answer; empty while it is hidden.
    QString line(const char* name) {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->property("line").toString() == QLatin1String(name) && label->isVisible())
                return label->text();
        return {};
    }
    QString clickExample(std::string_view title) {
        for (QPushButton* button : panel.findChildren<QPushButton*>("link"))
            if (button->text().toStdString() == title) QTest::mouseClick(button, Qt::LeftButton);
        return line("patternHeadline");
    }
};

} // namespace

TEST_CASE("an empty panel teaches, and answers while one types", "[pattern_panel]") {
    Shown shown;
    CHECK(shown.line("patternEmpty").contains("32 lanes of a warp"));
    CHECK_FALSE(shown.panel.picture().isVisible());
    CHECK(shown.field("patternExpression").hasFocus());
    shown.type("patternExpression", "a[tid * 2]");
    CHECK(shown.line("patternHeadline") == "8 sectors (ideal 4): stride of 2 elements");
    CHECK(shown.line("patternUse") == "128 of 256 bytes moved were requested, 50 %");
    CHECK(shown.line("patternEmpty").isEmpty());
    REQUIRE(shown.panel.picture().isVisible());
    REQUIRE(shown.panel.picture().pattern());
    CHECK(shown.panel.picture().pattern()->sectors == 8);
}

TEST_CASE("the panel is reached from an empty window, and left again", "[pattern_panel]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    window.show();
    QPushButton* draw = nullptr;
    for (QPushButton* button : window.findChildren<QPushButton*>("choice"))
        if (button->property("choiceName") == "welcomePattern") draw = button;
    REQUIRE(draw != nullptr);
    QTest::mouseClick(draw, Qt::LeftButton);
    CHECK(window.chartPanel().pattern().isVisible());
    CHECK_FALSE(draw->isVisible());
    QPushButton* start = window.findChildren<QPushButton*>("tab").front();
    CHECK(start->text() == "Start");
    QTest::mouseClick(start, Qt::LeftButton);
    CHECK(draw->isVisible());
    CHECK_FALSE(window.chartPanel().isVisible());
}

TEST_CASE("the rows of the textbook's table are examples with its numbers", "[pattern_panel]") {
    // 32 lanes of 4 bytes: sectors and shares as the access table of docs/metrics.md has them.
    const std::tuple<const char*, const char*, const char*> table[] = {
        {"neighbours, aligned", "4 sectors (ideal): coalesced", "100 %"},
        {"permuted within 128 bytes", "4 sectors (ideal): coalesced", "100 %"},
        {"offset −2 elements", "5 sectors (ideal 4): misaligned", "80 %"},
        {"offset −16 elements", "4 sectors (ideal): coalesced", "100 %"},
        {"one address for all", "1 sector (ideal): broadcast", "12.5 %"},
        {"scattered", "32 sectors (ideal 4): scattered", "12.5 %"}};
    Shown shown;
    for (const auto& [title, headline, use] : table) {
        INFO(title);
        CHECK(shown.clickExample(title) == headline);
        CHECK(shown.line("patternUse").endsWith(use));
    }
    CHECK(shown.clickExample("column of a tile") == "32 wavefronts (ideal 1): 32-way bank conflict");
    CHECK(shown.line("gain") == "Pad each row by one element: [..][33] instead of [..][32]");
    CHECK(shown.clickExample("column of a padded tile") == "1 wavefront (ideal): no bank conflict");
    CHECK(shown.line("gain").isEmpty());
}

TEST_CASE("every example says what it teaches and is right about it", "[pattern_panel]") {
    for (const ui::pattern::PatternExample& example : ui::pattern::patternExamples()) {
        INFO(example.title);
        const auto pattern = access::lanePattern(example.question);
        REQUIRE(pattern.has_value());
        const std::string_view teaches = example.teaches;
        const std::string count =
            std::to_string(example.question.shared ? pattern->wavefronts : pattern->sectors);
        const bool counts = teaches.find("sector") != std::string_view::npos ||
                            teaches.find("wavefront") != std::string_view::npos;
        if (counts && teaches.find("per lane") == std::string_view::npos)
            CHECK(teaches.find(count + (example.question.shared ? " wavefront" : " sector")) !=
                  std::string_view::npos);
        if (teaches.find("-way") != std::string_view::npos)
            CHECK(teaches.starts_with(std::to_string(static_cast<int>(*pattern->ways)) + "-way"));
        if (teaches == "no conflict") CHECK(*pattern->ways == 1);
    }
}

TEST_CASE("mistakes are told in place, with where they are", "[pattern_panel]") {
    Shown shown;
    shown.type("patternExpression", "a[tid * ]");
    CHECK(shown.line("patternProblem") == "In 'a[tid * ]' at character 9: ']' is not expected here");
    CHECK(shown.line("patternHeadline").isEmpty());
    shown.type("patternExpression", "tile[lane][0]");
    CHECK(shown.line("patternProblem").endsWith(QString::fromUtf8("fill in \u201crow length\u201d")));
    shown.type("patternRow", "33");
    CHECK(shown.line("patternProblem").isEmpty());
    CHECK(shown.line("patternHeadline").contains("sectors"));
    shown.type("patternRow", "-1");
    CHECK(shown.line("patternProblem") == "The row length is a number from 1, not '-1'");
    shown.type("patternRow", "33");
    shown.type("patternBlock", "32x");
    CHECK(shown.line("patternProblem") == "The block is 256, 32x8 or 8x8x4, not '32x'");
    shown.type("patternBlock", "32x8");
    shown.type("patternWarp", "8");
    CHECK(shown.line("patternProblem") == "There is no warp 8 in a block of 256 threads");
    shown.type("patternWarp", "7");
    CHECK(shown.line("patternProblem").isEmpty());
}

TEST_CASE("width, chip, memory and operation are asked with the access", "[pattern_panel]") {
    Shown shown;
    shown.type("patternExpression", "a[tid - 2]");
    auto* chip = shown.panel.findChild<QComboBox*>("patternChip");
    auto* bypass = shown.panel.findChild<QWidget*>("patternBypass");
    CHECK_FALSE(bypass->isVisible());
    chip->setCurrentIndex(chip->findText("5.2", Qt::MatchStartsWith));
    // Before 6.0, loads move whole lines unless they bypass L1.
    CHECK(shown.line("patternHeadline") == "2 lines of 128 bytes: misaligned");
    REQUIRE(bypass->isVisible());
    QTest::mouseClick(bypass, Qt::LeftButton, {}, QPoint(8, bypass->height() / 2));
    CHECK(shown.line("patternHeadline") == "5 sectors (ideal 4): misaligned");
    auto* space = shown.panel.findChild<QComboBox*>("patternSpace");
    shown.type("patternExpression", "s[tid]");
    space->setCurrentIndex(1);
    auto* type = shown.panel.findChild<QComboBox*>("patternType");
    type->setCurrentIndex(type->findText("double ", Qt::MatchStartsWith));
    CHECK(shown.line("patternHeadline") == "2 wavefronts (ideal): no bank conflict");
    shown.type("patternActive", "lane < 8");
    CHECK(shown.line("patternLegend").contains("8 of 32 lanes access"));
    CHECK(shown.panel.form().question()->active == "lane < 8");
}

TEST_CASE("blocks are read as the command line reads them", "[pattern_panel]") {
    CHECK(ui::pattern::blockFromText("256") == session::Dim3{256, 1, 1});
    CHECK(ui::pattern::blockFromText("32 x 8") == session::Dim3{32, 8, 1});
    CHECK(ui::pattern::blockFromText("8x8x4") == session::Dim3{8, 8, 4});
    for (const char* wrong : {"", "x", "0", "8x", "8x8x4x2", "a", "8,8"})
        CHECK_FALSE(ui::pattern::blockFromText(wrong));
    CHECK(ui::pattern::blockText({256, 1, 1}) == "256");
    CHECK(ui::pattern::blockText({32, 8, 1}) == "32x8");
    CHECK(ui::pattern::blockText({8, 1, 4}) == "8x1x4");
}

TEST_CASE("the mouse on a lane points out its words", "[pattern_panel]") {
    Shown shown;
    shown.type("patternExpression", "a[tid]");
    ui::pattern::LanePictureView& picture = shown.panel.picture();
    const view::plot::LaneLayout layout = picture.layoutNow();
    const view::plot::PixelBox lane = layout.lane(6), word = layout.word(0, 6), other = layout.word(0, 9);
    const auto colourAt = [&](const view::plot::PixelBox& box) {
        return picture.grab().toImage().pixelColor(static_cast<int>(box.x) + 3,
                                                   static_cast<int>(box.middleY()));
    };
    const QColor before = colourAt(lane);
    CHECK(picture.hintAt({lane.middleX(), lane.middleY()}).startsWith("lane 6: bytes 0x18"));
    CHECK(picture.hintAt({word.middleX(), word.middleY()}).endsWith("requested by lane 6"));
    QTest::mouseMove(&picture, QPoint(static_cast<int>(word.middleX()), static_cast<int>(word.middleY())));
    QTest::qWait(20);
    CHECK(colourAt(lane) != before);
    QTest::mouseMove(&picture, QPoint(static_cast<int>(other.middleX()), static_cast<int>(other.middleY())));
    QTest::qWait(20);
    CHECK(colourAt(lane) == before);
}
