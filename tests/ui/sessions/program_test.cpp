// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The program itself: exit codes, one line for each error, and how fast it comes up.
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <iostream>

using namespace dormer;

namespace {

struct Ended {
    int code = -1;
    QString out, err;
};

Ended runGui(const QStringList& arguments, bool measure = false) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (measure) environment.insert("DORMER_GUI_MEASURE", "1");
    process.setProcessEnvironment(environment);
    process.start(DORMER_BIN_DIR "/dormer-gui", arguments);
    REQUIRE(process.waitForFinished(60000));
    CHECK(process.exitStatus() == QProcess::NormalExit);
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())
                .remove("This plugin does not support propagateSizeHints()\n")};
}

} // namespace

TEST_CASE("wrong arguments are one line and exit code 2", "[program]") {
    for (const QStringList& arguments :
         {QStringList{"--bogus"}, QStringList{"--theme", "pink"}, QStringList{"--play"}}) {
        const Ended ended = runGui(arguments);
        CHECK(ended.code == 2);
        CHECK(ended.err.count('\n') == 1);
        CHECK(ended.err.startsWith("dormer-gui: "));
    }
    CHECK(runGui({"--version"}).out.startsWith("dormer-gui "));
}

TEST_CASE("a file that can't be read is one line and exit code 5", "[program]") {
    const QTemporaryDir folder;
    QFile broken(folder.filePath("broken.dormer"));
    REQUIRE(broken.open(QIODevice::WriteOnly));
    broken.write("no database");
    broken.close();
    for (const QString& file : {broken.fileName(), folder.filePath("missing.dormer")}) {
        const Ended ended = runGui({file});
        CHECK(ended.code == 5);
        CHECK(ended.err.count('\n') == 1);
        CHECK(ended.err.contains(file));
    }
}

TEST_CASE("the program says when a session is on screen", "[program]") {
    const QTemporaryDir folder;
    const QString file = folder.filePath("sample.dormer");
    REQUIRE(store::saveSession(tests::sampleSession(), file.toStdString()));
    const Ended ended = runGui({file}, true);
    CHECK(ended.code == 0);
    const double ms = ended.out.section(' ', 3, 3).toDouble();
    std::cout << "dormer-gui with the sample session: " << ended.out.trimmed().toStdString() << '\n';
    CHECK(ms > 0);
}
