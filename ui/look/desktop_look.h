// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/theme.h"

#include <QDBusConnection>
#include <QObject>

namespace dormer::ui::look {

/// What the desktop's settings say of lightness and contrast, through the portal that desktops share
/// (org.freedesktop.portal.Settings, namespace org.freedesktop.appearance), and when that changes. Asks
/// without waiting; a desktop without a portal says nothing.
class DesktopLook : public QObject {
    Q_OBJECT
public:
    explicit DesktopLook(QDBusConnection bus = QDBusConnection::sessionBus(), QObject* parent = nullptr);

    [[nodiscard]] const SystemLook& look() const { return m_look; }
    /// Asks again: whoever changes settings does it elsewhere, and comes back.
    void refresh();

signals:
    void changed();

private:
    void ask(const QString& key);
    void take(const QString& key, const QVariant& value);

    QDBusConnection m_bus;
    SystemLook m_look;
};

} // namespace dormer::ui::look
