// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/program_watch.h"

#include "tests/support/catch.h"
#include "tests/ui/app_support.h"

#include <QFile>
#include <QSignalSpy>

using namespace dormer;

namespace {

void write(const QString& file, const QByteArray& text) {
    QFile out(file);
    REQUIRE(out.open(QIODevice::WriteOnly));
    out.write(text);
}

struct Watched {
    QTemporaryDir folder;
    QString file = folder.filePath("app");
    ui::sessions::ProgramWatch watch;
    QSignalSpy changes{&watch, &ui::sessions::ProgramWatch::changed};

    Watched() {
        write(file, "first");
        watch.setQuietMs(100);
        watch.watch({file});
    }
    [[nodiscard]] bool tells(int times) {
        return tests::eventually([&] { return changes.count() >= times; }) && changes.count() == times;
    }
};

} // namespace

TEST_CASE("a program that is written anew, in place or by rename, is told once", "[watch]") {
    Watched watched;
    write(watched.file, "second version");
    CHECK(watched.tells(1));
    // As linkers and editors do.
    write(watched.folder.filePath("app.new"), "third version, longer");
    REQUIRE(QFile::remove(watched.file));
    REQUIRE(QFile::rename(watched.folder.filePath("app.new"), watched.file));
    CHECK(watched.tells(2));
    // Still watched after it was replaced.
    write(watched.file, "fourth");
    CHECK(watched.tells(3));
}

TEST_CASE("a program that is being written is not run half", "[watch]") {
    Watched watched;
    QFile out(watched.file);
    REQUIRE(out.open(QIODevice::WriteOnly));
    for (int part = 0; part < 8; ++part) {
        out.write("some of it");
        out.flush();
        QTest::qWait(40); // less than the time for which it has to be left alone
        CHECK(watched.changes.count() == 0);
    }
    out.close();
    CHECK(watched.tells(1));
}

TEST_CASE("other files of the folder and a program that is gone are no change", "[watch]") {
    Watched watched;
    write(watched.folder.filePath("notes.txt"), "unrelated");
    REQUIRE(QFile::remove(watched.file));
    QTest::qWait(400);
    CHECK(watched.changes.count() == 0);
    write(watched.file, "back again");
    CHECK(watched.tells(1));
    watched.watch.watch({});
    write(watched.file, "nobody looks");
    QTest::qWait(300);
    CHECK(watched.changes.count() == 1);
}
