// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/device_box.h"

#include "ui/look/words.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

namespace dormer::ui::shell {

using instrument::launch::ChosenDevice;
using sessions::Machine;

namespace {

QString textOf(const ChosenDevice& device) {
    return device.chip != nullptr
               ? QStringLiteral("Emulated \u00b7 %1").arg(look::words(device.chip->key))
               : QStringLiteral("GPU %1 \u00b7 %2").arg(device.id).arg(QString::fromStdString(device.name));
}

} // namespace

QString DeviceBox::Entry::key() const {
    return host + QLatin1Char('/') + (device ? QString::fromStdString(device->onName()) : QString());
}

DeviceBox::DeviceBox(QWidget* parent) : PillCombo(parent) {
    setObjectName("device");
    setAccessibleName("Device");
    connect(this, &QComboBox::activated, this, &DeviceBox::choose);
    fill();
}

void DeviceBox::setLocal(std::vector<ChosenDevice> devices, const QString& problem) {
    m_local = std::move(devices);
    m_localProblem = problem;
    m_knowsLocal = true;
    fill();
    // Without a GPU the chip that is the default elsewhere, too.
    if (host().isEmpty() && !m_local.empty() && m_local.front().chip != nullptr)
        for (std::size_t i = 0; i < m_local.size(); ++i)
            if (m_local[i].chip->key == device::kDefaultChip) choose(static_cast<int>(i));
    emit deviceChanged();
}

void DeviceBox::setMachines(const std::vector<Machine>& machines) {
    m_machines = machines;
    fill();
    emit deviceChanged();
}

void DeviceBox::fill() {
    const Entry* before = chosen();
    const QString key = before != nullptr ? before->key() : QString();
    const QString host = before != nullptr ? before->host : QString();
    std::vector<Entry> entries;
    for (const ChosenDevice& device : m_local)
        entries.push_back({.text = textOf(device), .tip = {}, .host = {}, .device = device});
    if (m_local.empty())
        entries.push_back(
            {.text = m_knowsLocal ? QStringLiteral("no GPU") : QStringLiteral("looking for a GPU\u2026"),
             .tip = m_localProblem,
             .host = {},
             .device = {},
             .problem = m_knowsLocal ? m_localProblem : QStringLiteral("Looking for a GPU\u2026")});
    for (const Machine& machine : m_machines) {
        const QString name = QString::fromStdString(machine.host.host);
        const auto say = [&](const QString& state, const QString& problem) {
            entries.push_back(
                {.text = name + state, .tip = problem, .host = name, .device = {}, .problem = problem});
        };
        if (machine.state == Machine::State::Unasked)
            say({}, QStringLiteral("%1 was not connected to yet: choose it to see its devices.").arg(name));
        else if (machine.state == Machine::State::Asking)
            say(QStringLiteral(" \u00b7 connecting\u2026"),
                QStringLiteral("Connecting to %1\u2026").arg(name));
        else if (machine.state == Machine::State::Failed)
            say(QStringLiteral(" \u00b7 not available"), machine.problem);
        for (const ChosenDevice& device : machine.devices)
            entries.push_back(
                {.text = name + QStringLiteral(" \u00b7 ") + textOf(device),
                 .tip = QStringLiteral("Over ssh; %1 there").arg(QString::fromStdString(machine.host.dormer)),
                 .host = name,
                 .device = device});
    }
    const auto shown = entries.size();
    entries.push_back({}); // the separator
    entries.push_back({.text = QStringLiteral("Add a machine\u2026"),
                       .tip = QStringLiteral("Run on another machine, over ssh"),
                       .host = {},
                       .device = {},
                       .problem = {},
                       .adds = true});

    const QSignalBlocker quiet(this);
    clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i == shown) {
            insertSeparator(count());
            continue;
        }
        addItem(entries[i].text);
        setItemData(count() - 1, entries[i].tip, Qt::ToolTipRole);
    }
    m_entries = std::move(entries);
    // What was chosen, else something of the same machine.
    const auto find = [&](auto fits) {
        return std::ranges::find_if(
            m_entries, [&](const Entry& each) { return !each.adds && !each.text.isEmpty() && fits(each); });
    };
    const auto same = find([&](const Entry& each) { return each.key() == key; });
    const auto near = find([&](const Entry& each) { return each.host == host; });
    const auto at = same != m_entries.end() ? same : near != m_entries.end() ? near : m_entries.begin();
    m_chosen = static_cast<int>(at - m_entries.begin());
    setCurrentIndex(m_chosen);
    updateGeometry(); // as wide as what is chosen, which nobody told
}

void DeviceBox::choose(int index) {
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || at >= m_entries.size()) return;
    if (m_entries[at].adds) {
        setCurrentIndex(m_chosen);
        return emit addRequested();
    }
    m_chosen = index;
    setCurrentIndex(index);
    const QString host = m_entries[at].host;
    const bool known = m_entries[at].device.has_value();
    emit deviceChanged();
    if (!known && !host.isEmpty()) emit machineAsked(host);
}

void DeviceBox::chooseMachine(const QString& host) {
    const auto at = std::ranges::find(m_entries, host, &Entry::host);
    if (at != m_entries.end()) choose(static_cast<int>(at - m_entries.begin()));
}

const DeviceBox::Entry* DeviceBox::chosen() const {
    const auto at = static_cast<std::size_t>(m_chosen);
    return at < m_entries.size() ? &m_entries[at] : nullptr;
}

const ChosenDevice* DeviceBox::device() const {
    const Entry* entry = chosen();
    return entry != nullptr && entry->device ? &*entry->device : nullptr;
}

QString DeviceBox::problem() const {
    const Entry* entry = chosen();
    return entry != nullptr ? entry->problem : QString();
}

QString DeviceBox::host() const {
    const Entry* entry = chosen();
    return entry != nullptr ? entry->host : QString();
}

} // namespace dormer::ui::shell
