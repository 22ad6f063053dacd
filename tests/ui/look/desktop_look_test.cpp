// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/desktop_look.h"

#include "tests/support/catch.h"

#include <QApplication>
#include <QDBusVariant>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <iostream>

using namespace dormer::ui::look;

namespace {

const QString kDaemon = QStringLiteral("/usr/bin/dbus-daemon");

/// A desktop's portal with two settings.
class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    uint lightness = 0, contrast = 0;

public slots:
    QDBusVariant Read(const QString& group, const QString& key) { // NOLINT: the portal's name
        const uint value = group != "org.freedesktop.appearance" ? 0
                           : key == "contrast"                   ? contrast
                                                                 : lightness;
        return QDBusVariant(QVariant::fromValue(QDBusVariant(value))); // wrapped twice, as portals do
    }
};

/// A bus of its own.
class Bus {
public:
    Bus() {
        m_daemon.start(kDaemon, {"--session", "--nofork", "--print-address"});
        REQUIRE(m_daemon.waitForReadyRead(10000));
        m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
    }
    ~Bus() {
        for (const char* name : {"portal", "app"})
            QDBusConnection::disconnectFromBus(name);
        m_daemon.kill();
        m_daemon.waitForFinished();
    }
    [[nodiscard]] QDBusConnection connection(const char* name) const {
        return QDBusConnection::connectToBus(m_address, name);
    }

private:
    QProcess m_daemon;
    QString m_address;
};

} // namespace

TEST_CASE("lightness and contrast follow the desktop", "[theme]") {
    if (!QFile::exists(kDaemon)) {
        std::cout << "skipped: no dbus-daemon here\n";
        return;
    }
    const Bus bus;
    Portal portal;
    portal.contrast = 1;
    portal.lightness = 2;
    QDBusConnection served = bus.connection("portal");
    REQUIRE(served.registerService("org.freedesktop.portal.Desktop"));
    REQUIRE(
        served.registerObject("/org/freedesktop/portal/desktop", &portal, QDBusConnection::ExportAllSlots));
    DesktopLook desktop(bus.connection("app"));
    CHECK(QTest::qWaitFor([&] { return desktop.look() == SystemLook{false, true}; }, 10000));

    portal.lightness = 1;
    desktop.refresh();
    CHECK(QTest::qWaitFor([&] { return desktop.look() == SystemLook{true, true}; }, 10000));
    portal.contrast = 0;
    desktop.refresh();
    CHECK(QTest::qWaitFor([&] { return desktop.look() == SystemLook{true, false}; }, 10000));

    auto& app = *static_cast<QApplication*>(QApplication::instance());
    applyTheme(app, Scheme::System, {.dark = true, .contrast = true});
    CHECK(&coloursFor(QApplication::palette()) == &contrastColours(true));
    applyTheme(app, Scheme::Contrast, {.dark = false, .contrast = false});
    CHECK(&coloursFor(QApplication::palette()) == &contrastColours(false));
    applyTheme(app, Scheme::System, {.dark = true, .contrast = false});
    CHECK(&coloursFor(QApplication::palette()) == &darkColours());
    applyTheme(app, Scheme::Light, {.dark = true, .contrast = true});
    CHECK(&coloursFor(QApplication::palette()) == &lightColours());
}

TEST_CASE("a desktop without a portal says nothing", "[theme]") {
    const DesktopLook desktop(QDBusConnection("no such connection"));
    CHECK(desktop.look() == SystemLook{});
}

#include "desktop_look_test.moc"
