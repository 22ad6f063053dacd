// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Catch2's runner inside one QApplication: offscreen, 96 dpi, and any Qt warning fails the run.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"

#include <QApplication>
#include <QFont>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <atomic>
#include <cstdio>

namespace {

std::atomic<int> complaints{0};

void onQtMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    // The offscreen platform says of itself what it can't do; that is no complaint about the code under test.
    if (text.startsWith("This plugin does not support")) return;
    std::fprintf(stderr, "Qt: %s\n", qPrintable(text));
    if (type == QtWarningMsg || type == QtCriticalMsg) ++complaints;
}

} // namespace

int main(int argc, char* argv[]) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_FONT_DPI", "96");
    const QTemporaryDir runtime; // Qt asks for one that is nobody else's
    qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
    QStandardPaths::setTestModeEnabled(true); // data of the user stays untouched
    // Nor do settings, and tests that run side by side have their own.
    const QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
    qInstallMessageHandler(onQtMessage);
    QApplication app(argc, argv);
    // For pictures at another size of font; the tests choose their own.
    if (const int points = qEnvironmentVariableIntValue("DORMER_TEST_POINT_SIZE"); points > 0) {
        QFont font = QApplication::font();
        font.setPointSize(points);
        QApplication::setFont(font);
    }
    QApplication::setOrganizationName("dormer-tests");
    QApplication::setApplicationName("dormer-tests");

    const int failed = Catch::Session().run(argc, argv);
    if (complaints > 0) std::fprintf(stderr, "%d Qt warnings: each is a failure\n", complaints.load());
    return failed != 0 ? failed : (complaints > 0 ? 1 : 0);
}
