// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/collection.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_hub.h"

#include <QFileInfo>
#include <QSignalSpy>

using namespace dormer;

namespace {

instrument::launch::Target slowTarget() {
    instrument::launch::Target target;
    target.program = DORMER_SLOW_TARGET;
    return target;
}

} // namespace

TEST_CASE("a collection brings every launch to the hub and to the file", "[collection]") {
    const QTemporaryDir folder;
    tests::setSlowTarget(0);
    ui::sessions::SessionHub hub;
    ui::sessions::Collection collection(hub);
    QSignalSpy finished(&collection, &ui::sessions::Collection::finished);
    REQUIRE(collection.start(slowTarget(), folder.filePath("run.dormer")).isEmpty());
    CHECK_FALSE(collection.start(slowTarget(), folder.filePath("second.dormer")).isEmpty());
    REQUIRE(tests::eventually([&] { return finished.count() == 1; }));
    CHECK(finished[0][0].toBool() == false);
    CHECK(finished[0][1].toString().isEmpty());
    CHECK(hub.session().launches().size() == tests::sampleSession().launches().size());
    const auto stored = store::loadSession(collection.file().toStdString());
    REQUIRE(stored);
    CHECK(tests::sameSession(*stored, hub.session()));
    CHECK_FALSE(QFileInfo::exists(collection.file() + "-wal"));
}

TEST_CASE("stopping keeps what finished", "[collection]") {
    const QTemporaryDir folder;
    tests::setSlowTarget(30);
    ui::sessions::SessionHub hub;
    ui::sessions::Collection collection(hub);
    QSignalSpy finished(&collection, &ui::sessions::Collection::finished);
    REQUIRE(collection.start(slowTarget(), folder.filePath("run.dormer")).isEmpty());
    REQUIRE(tests::eventually([&] { return hub.session().launches().size() >= 5; }));
    collection.stop();
    REQUIRE(tests::eventually([&] { return finished.count() == 1; }));
    CHECK(finished[0][0].toBool());
    const std::size_t kept = hub.session().launches().size();
    CHECK(kept >= 5);
    CHECK(kept < tests::sampleSession().launches().size());
    const auto stored = store::loadSession(collection.file().toStdString());
    REQUIRE(stored);
    CHECK(tests::sameSession(*stored, hub.session()));
}

TEST_CASE("a target that fails says so and keeps its launches", "[collection]") {
    const QTemporaryDir folder;
    tests::setSlowTarget(0, 7);
    ui::sessions::SessionHub hub;
    ui::sessions::Collection collection(hub);
    QSignalSpy finished(&collection, &ui::sessions::Collection::finished);
    REQUIRE(collection.start(slowTarget(), folder.filePath("run.dormer")).isEmpty());
    REQUIRE(tests::eventually([&] { return finished.count() == 1; }));
    CHECK(finished[0][1].toString().contains("exit code 7"));
    CHECK(hub.session().launches().size() == tests::sampleSession().launches().size());
    CHECK(hub.session().processes().at(0).exitCode == 7);
}

TEST_CASE("a path that can't be written leaves the session as it was", "[collection]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::sessions::Collection collection(hub);
    CHECK_FALSE(collection.start(slowTarget(), "/no/such/folder/run.dormer").isEmpty());
    CHECK_FALSE(collection.running());
    CHECK(hub.session().launches().size() == tests::sampleSession().launches().size());
}
