// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/transfers/transfers_view.h"

#include "analysis/metrics/format.h"
#include "ui/look/kernel_columns.h"
#include "ui/look/metric_words.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"
#include "ui/sessions/workload_launches.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::transfers {
namespace {

using metrics::Unit;

constexpr int kGatherMs = 60;

QString whyNoTime(session::Origin origin) {
    return origin == session::Origin::Emulated
               ? QStringLiteral("Emulated: nothing crossed a bus, so there is no time.")
               : QStringLiteral("Not collected: no record tells this time.");
}

/// The numbers of one column, all in one scale; of rows without one a dash and the reason.
class Column {
public:
    Column(metrics::Unit unit, std::vector<std::optional<double>> values) : m_values(std::move(values)) {
        std::vector<double> known;
        for (const auto& value : m_values)
            if (value) known.push_back(*value);
        m_scale = look::scaleFor(unit, known);
        if (!known.empty()) m_most = std::ranges::max(known);
    }

    [[nodiscard]] tables::FactColumn head(const QString& title, const QString& hint) const {
        return {m_scale.titled(title), hint, true};
    }
    [[nodiscard]] tables::FactCell cell(std::size_t row, const QString& whyAbsent, bool bar = false) const {
        const auto& value = m_values[row];
        if (!value) return {.text = look::dash(), .hint = whyAbsent};
        return {.text = m_scale.text(*value),
                .number = value,
                .bar = bar && m_most > 0 ? std::optional(*value / m_most) : std::nullopt};
    }

private:
    std::vector<std::optional<double>> m_values;
    look::NumberScale m_scale;
    double m_most = 0;
};

template <typename Row, typename Value>
Column column(metrics::Unit unit, const std::vector<Row>& rows, const Value& value) {
    std::vector<std::optional<double>> values;
    for (const Row& row : rows)
        values.push_back(value(row));
    return {unit, std::move(values)};
}

/// Zero bytes of a fault or of a call that does not say are no number of bytes.
template <typename Row>
std::optional<double> bytesOf(const Row& row) {
    return row.bytes > 0 ? std::optional(static_cast<double>(row.bytes)) : std::nullopt;
}

template <typename Row>
std::optional<double> countOf(const Row& row) {
    return static_cast<double>(row.count);
}

tables::FactCell placeOf(const std::string& place) {
    if (place.empty())
        return {.text = look::dash(), .hint = QStringLiteral("Outside of every workload and range.")};
    return {.text = look::words(place), .hint = look::words(place)};
}

} // namespace

TransfersView::TransfersView(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_parts(new QSplitter(Qt::Vertical))
    , m_transferSummary(new QLabel)
    , m_callSummary(new QLabel)
    , m_transfers(new tables::FactTable)
    , m_calls(new tables::FactTable) {
    m_transfers->setObjectName("transfers");
    m_transfers->setAccessibleName("Transfers");
    m_calls->setObjectName("memoryCalls");
    m_calls->setAccessibleName("Calls for memory");
    m_parts->addWidget(
        part(QStringLiteral("Copies, fills, migrations and faults"), *m_transferSummary, *m_transfers));
    m_parts->addWidget(part(QStringLiteral("Taking and giving back memory"), *m_callSummary, *m_calls));
    m_parts->setStretchFactor(0, 3);
    m_parts->setStretchFactor(1, 2);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(look::kGrid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, look::kGrid / 2);
    layout->addWidget(m_parts);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kGatherMs);
    connect(&m_timer, &QTimer::timeout, this, &TransfersView::flush);
    connect(&hub, &sessions::SessionHub::suiteChanged, this, [this] {
        if (!m_timer.isActive()) m_timer.start();
    });
    connect(&hub, &sessions::SessionHub::sessionReset, this, &TransfersView::flush);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, &TransfersView::markSelected);
    for (tables::FactTable* table : {m_transfers, m_calls}) {
        table->setWideColumn(0);
        connect(table, &tables::FactTable::keyChosen, this, &TransfersView::selectWorkload);
    }
    flush();
}

QWidget* TransfersView::part(const QString& title, QLabel& summary, tables::FactTable& table) {
    auto* heading = new QLabel(title);
    heading->setFont(look::headingFont(font(), 0));
    summary.setObjectName("muted");
    auto* head = new QHBoxLayout;
    head->addWidget(heading);
    head->addStretch();
    head->addWidget(&summary);
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, look::kGrid / 2, 0, 0);
    layout->setSpacing(look::kGrid / 2);
    layout->addLayout(head);
    layout->addWidget(&table);
    table.setMinimumHeight(9 * look::kGrid);
    return whole;
}

bool TransfersView::empty() const {
    return m_transfers->facts().rows().empty() && m_calls->facts().rows().empty();
}

void TransfersView::flush() {
    m_timer.stop();
    const bool wasEmpty = empty();
    showTransfers();
    showCalls();
    m_transfers->parentWidget()->setVisible(!m_transfers->facts().rows().empty());
    m_calls->parentWidget()->setVisible(!m_calls->facts().rows().empty());
    markSelected();
    if (empty() != wasEmpty) emit contentChanged();
}

void TransfersView::showTransfers() {
    const std::vector<TransferRow> all = transferRows(m_hub.session());
    const Column counts = column(metrics::Unit::None, all, countOf<TransferRow>);
    const Column bytes = column(metrics::Unit::Bytes, all, bytesOf<TransferRow>);
    const Column times =
        column(metrics::Unit::Nanoseconds, all, [](const TransferRow& row) { return row.durationNs; });
    const Column engines = column(metrics::Unit::BytesPerSecond, all,
                                  [](const TransferRow& row) { return row.engineBytesPerSecond(); });
    const Column calls = column(metrics::Unit::BytesPerSecond, all,
                                [](const TransferRow& row) { return row.callBytesPerSecond(); });
    std::vector<tables::FactColumn> columns{
        {QStringLiteral("workload"), QStringLiteral("The workload, or the NVTX range, it happened in.")},
        {QStringLiteral("what"), QStringLiteral("What moved, which way, and the kinds of memory it came from "
                                                "and went to.")},
        counts.head(QStringLiteral("count"), QStringLiteral("Transfers, migrations or faults.")),
        bytes.head(QStringLiteral("size"), QStringLiteral("Bytes of all of them.")),
        times.head(QStringLiteral("time"),
                   QStringLiteral("Time of all of them on the device's copy engines.")),
        engines.head(
            QStringLiteral("engine"),
            QStringLiteral("Bytes a second while the copy engines worked, without what the calls cost.")),
        calls.head(
            QStringLiteral("call"),
            QStringLiteral("Bytes a second of the time the host spent in the calls: what a program gets "
                           "that waits for each."))};
    std::vector<tables::FactRow> rows;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const TransferRow& row = all[i];
        sum += row.bytes;
        const bool fault = session::isFault(row.kind);
        const QString noBytes = QStringLiteral("A fault moves nothing itself; migrations do.");
        const QString noTime = whyNoTime(row.origin);
        rows.push_back(
            {.cells = {placeOf(row.place),
                       {.text = look::words(nameOf(row)), .hint = look::words(nameOf(row))},
                       counts.cell(i, {}),
                       bytes.cell(i, fault ? noBytes : QStringLiteral("Nothing was moved.")),
                       times.cell(i, noTime),
                       engines.cell(i, fault ? noBytes : noTime, true),
                       calls.cell(i,
                                  fault ? noBytes
                                  : row.kind == session::TransferKind::Migration
                                      ? QStringLiteral("The driver migrates by itself: there is no call.")
                                      : noTime,
                                  true)},
             .key = look::words(row.workload)});
    }
    m_transferSummary->setText(
        look::words(metrics::forPeople(static_cast<double>(sum), metrics::Unit::Bytes)));
    m_transfers->setTable(std::move(columns), std::move(rows));
}

void TransfersView::showCalls() {
    const std::vector<MemoryCallRow> all = memoryCallRows(m_hub.session());
    const Column counts = column(metrics::Unit::None, all, countOf<MemoryCallRow>);
    const Column bytes = column(metrics::Unit::Bytes, all, bytesOf<MemoryCallRow>);
    const Column times =
        column(metrics::Unit::Nanoseconds, all, [](const MemoryCallRow& row) { return row.durationNs; });
    const Column each =
        column(metrics::Unit::Nanoseconds, all, [](const MemoryCallRow& row) { return row.nsPerCall(); });
    std::vector<tables::FactColumn> columns{
        {QStringLiteral("workload"), QStringLiteral("The workload, or the NVTX range, it happened in.")},
        {QStringLiteral("call"), QStringLiteral("The call of the driver's interface.")},
        {QStringLiteral("memory"), QStringLiteral("Kind of memory.")},
        counts.head(QStringLiteral("count"), QStringLiteral("Calls.")),
        bytes.head(QStringLiteral("size"), QStringLiteral("Bytes of all calls.")),
        times.head(QStringLiteral("time"), QStringLiteral("Time the host spent in all of them.")),
        each.head(QStringLiteral("per call"), QStringLiteral("Time the host spent in one."))};
    std::vector<tables::FactRow> rows;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MemoryCallRow& row = all[i];
        const bool isKnown = row.memory != session::MemoryKind::None;
        rows.push_back({.cells = {placeOf(row.place),
                                  {.text = look::words(row.call), .hint = look::words(row.call)},
                                  {.text = isKnown ? look::words(toString(row.memory)) : look::dash(),
                                   .hint = isKnown ? QString() : QStringLiteral("Not told.")},
                                  counts.cell(i, {}),
                                  bytes.cell(i, QStringLiteral("The call does not say.")),
                                  times.cell(i, whyNoTime(row.origin)),
                                  each.cell(i, whyNoTime(row.origin), true)},
                        .key = look::words(row.workload)});
    }
    m_calls->setTable(std::move(columns), std::move(rows));
}

void TransfersView::markSelected() {
    QSet<QString> marked;
    if (const auto selected = m_hub.selected())
        if (const std::string& workload = m_hub.session().launch(*selected).workload; !workload.empty())
            marked.insert(look::words(workload));
    for (tables::FactTable* table : {m_transfers, m_calls}) {
        table->facts().setMarked(marked);
        // A row chosen for another workload would look selected, too.
        if (!marked.isEmpty() &&
            !marked.contains(table->currentIndex().data(tables::FactModel::KeyRole).toString()))
            table->showKey({});
    }
}

void TransfersView::selectWorkload(const QString& workload) {
    if (workload.isEmpty()) return;
    const auto selected = m_hub.selected();
    if (selected && look::words(m_hub.session().launch(*selected).workload) == workload) return;
    const auto launches = sessions::launchesOfWorkloads(m_hub.diagnosis());
    const auto launch = launches.find(workload.toStdString());
    if (launch != launches.end())
        m_hub.select(launch->second);
    else
        m_hub.select(std::nullopt); // a selection of another workload would contradict the chosen row
}

} // namespace dormer::ui::transfers
