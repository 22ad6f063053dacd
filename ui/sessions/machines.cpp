// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/machines.h"

#include <QFutureWatcher>
#include <QSettings>
#include <QtConcurrent>

#include <algorithm>
#include <memory>

namespace dormer::ui::sessions {

using instrument::launch::RemoteHost;

namespace {

const QString kKey = QStringLiteral("machines");
const QString kHost = QStringLiteral("host");
const QString kDormer = QStringLiteral("dormer");

} // namespace

Machines::Machines(ListRemoteDevices list, QObject* parent) : QObject(parent), m_list(std::move(list)) {
    QSettings settings;
    const int count = settings.beginReadArray(kKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        Machine each;
        each.host = {settings.value(kHost).toString().toStdString(),
                     settings.value(kDormer).toString().toStdString()};
        // The file of settings may be anybody's work.
        if (instrument::launch::checkHost(each.host.host) && !each.host.dormer.empty())
            m_machines.push_back(std::move(each));
    }
    settings.endArray();
}

void Machines::remember() const {
    QSettings settings;
    settings.remove(kKey);
    settings.beginWriteArray(kKey, static_cast<int>(m_machines.size()));
    for (std::size_t i = 0; i < m_machines.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(kHost, QString::fromStdString(m_machines[i].host.host));
        settings.setValue(kDormer, QString::fromStdString(m_machines[i].host.dormer));
    }
    settings.endArray();
}

Machine* Machines::machine(const QString& host) {
    const auto found =
        std::ranges::find(m_machines, host.toStdString(), [](const Machine& each) { return each.host.host; });
    return found == m_machines.end() ? nullptr : &*found;
}

const Machine* Machines::find(const QString& host) const {
    return const_cast<Machines*>(this)->machine(host);
}

void Machines::askFor(const RemoteHost& host, std::function<void(const Answer&)> done) {
    auto* watcher = new QFutureWatcher<std::shared_ptr<Answer>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        done(*watcher->result());
    });
    watcher->setFuture(
        QtConcurrent::run([list = m_list, host] { return std::make_shared<Answer>(list(host)); }));
}

QString Machines::add(const RemoteHost& host) {
    if (const auto fits = instrument::launch::checkHost(host.host); !fits)
        return QString::fromStdString(fits.error().message);
    askFor(host, [this, host](const Answer& answer) {
        if (!answer) return emit refused(QString::fromStdString(answer.error().message));
        const QString name = QString::fromStdString(host.host);
        Machine* known = machine(name);
        if (known == nullptr) known = &m_machines.emplace_back();
        *known = {Machine::State::Known, host, *answer, {}};
        remember();
        emit changed();
        emit added(name);
    });
    return {};
}

void Machines::forget(const QString& host) {
    std::erase_if(m_machines, [&](const Machine& each) { return each.host.host == host.toStdString(); });
    remember();
    emit changed();
}

void Machines::ask(const QString& host) {
    Machine* asked = machine(host);
    if (asked == nullptr || asked->state == Machine::State::Asking || asked->state == Machine::State::Known)
        return;
    asked->state = Machine::State::Asking;
    emit changed();
    askFor(asked->host, [this, host](const Answer& answer) {
        Machine* now = machine(host); // it may be forgotten by now
        if (now == nullptr) return;
        now->state = answer ? Machine::State::Known : Machine::State::Failed;
        now->devices = answer ? *answer : std::vector<instrument::launch::ChosenDevice>();
        now->problem = answer ? QString() : QString::fromStdString(answer.error().message);
        emit changed();
    });
}

} // namespace dormer::ui::sessions
