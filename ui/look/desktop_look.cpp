// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/desktop_look.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace dormer::ui::look {
namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kLightness = QStringLiteral("color-scheme"); // 1 dark, 2 light, else no preference
const QString kContrast = QStringLiteral("contrast");      // 1 high, else no preference

} // namespace

DesktopLook::DesktopLook(QDBusConnection bus, QObject* parent) : QObject(parent), m_bus(std::move(bus)) {
    refresh();
}

void DesktopLook::refresh() {
    if (!m_bus.isConnected()) return;
    ask(kLightness);
    ask(kContrast);
}

void DesktopLook::ask(const QString& key) {
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call << kGroup << key;
    auto* watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, key](QDBusPendingCallWatcher* done) {
        done->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (reply.isValid()) take(key, reply.value().variant());
    });
}

void DesktopLook::take(const QString& key, const QVariant& value) {
    // Read() of older portals wraps the value twice.
    const QVariant inner =
        value.userType() == qMetaTypeId<QDBusVariant>() ? value.value<QDBusVariant>().variant() : value;
    const uint number = inner.toUInt();
    SystemLook look = m_look;
    if (key == kLightness)
        look.dark = number == 1 ? std::optional(true) : number == 2 ? std::optional(false) : std::nullopt;
    if (key == kContrast) look.contrast = number == 1;
    if (look == m_look) return;
    m_look = look;
    emit changed();
}

} // namespace dormer::ui::look
