// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_header.h"

#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/plot/export_button.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>

#include <array>

namespace dormer::ui::roofline {

using verdict::Bound;
using verdict::MemoryLevel;
using verdict::Work;

namespace {

constexpr int kRowHeight = 24;
constexpr int kLegendHeight = 24;

struct WorkChoice {
    verdict::Work work;
    const char* word;
    const char* tip;
};
constexpr std::array<WorkChoice, verdict::kWorks.size()> kWorks{{
    {verdict::Work::Fp32, "FP32", "Single-precision FLOPs: add + mul + 2 fma"},
    {verdict::Work::Fp64, "FP64", "Double-precision FLOPs: add + mul + 2 fma"},
    {verdict::Work::Tensor, "tensor",
     "Operations of the tensor cores, two per multiply-add; needs --set tensor on a GPU"},
    {verdict::Work::IntegerAndFp, "all ops",
     "Integer and floating-point operations: for kernels without FLOPs"},
    {verdict::Work::WarpInstructions, "warp inst", "Executed warp instructions: every kernel has some"},
}};

struct LevelChoice {
    verdict::MemoryLevel level;
    const char* word;
    const char* tip;
};
constexpr std::array<LevelChoice, 4> kLevels{{
    {verdict::MemoryLevel::Dram, "DRAM", "Bytes moved to and from DRAM"},
    {verdict::MemoryLevel::L2, "L2", "Bytes moved between L1 and L2"},
    {verdict::MemoryLevel::L1, "L1", "Bytes moved between the SM and L1"},
    {verdict::MemoryLevel::Shared, "shared", "Bytes moved through shared memory: wavefronts x 128"},
}};

} // namespace

ChipButton::ChipButton(const QString& text, bool accented, QWidget* parent)
    : QAbstractButton(parent), m_accented(accented) {
    setText(text);
    setCheckable(true);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize ChipButton::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + 18, kRowHeight};
}

void ChipButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const look::Colours& colours = look::coloursFor(palette());
    const QColor fill = isChecked() ? (m_accented ? colours.accent : colours.text) : colours.sunken;
    const QColor ink = isChecked() ? (m_accented ? colours.onAccent : colours.panel) : colours.text;
    const QColor edge = hasFocus()     ? colours.accent
                        : isChecked()  ? fill
                        : underMouse() ? colours.muted
                                       : colours.border;
    const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(edge, hasFocus() ? 2 : 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(area, area.height() / 2, area.height() / 2);
    painter.setPen(ink);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

void paintLegend(QPainter& painter, QPointF leftMiddle, double room, const plot::ChartStyle& style,
                 bool areaIsTime) {
    painter.save();
    painter.setFont(style.small);
    const QFontMetricsF metrics(style.small, painter.device());
    double x = leftMiddle.x();
    const auto word = [&](const QString& text) {
        const double width = metrics.horizontalAdvance(text) + 2;
        painter.setPen(style.muted);
        painter.drawText(QRectF(x, leftMiddle.y() - 12, width, 24), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += width;
    };
    for (const verdict::Bound bound : {verdict::Bound::Memory, verdict::Bound::Compute,
                                       verdict::Bound::Latency, verdict::Bound::Balanced}) {
        look::paintVerdict(painter, {x + 5, leftMiddle.y() + (bound == verdict::Bound::Latency ? 1 : 0)},
                           bound, bound == verdict::Bound::Latency ? 7.5 : 9, style.dark, {});
        x += 14;
        word(look::verdictWord(bound));
        x += 14;
    }
    const QString area = QString::fromUtf8("marker area ∝ GPU time");
    if (areaIsTime && x + metrics.horizontalAdvance(area) <= leftMiddle.x() + room) word(area);
    painter.restore();
}

ChartHeader::ChartHeader(QWidget* parent)
    : QWidget(parent), m_levels(new QButtonGroup(this)), m_works(new QButtonGroup(this)) {
    auto* row = new QHBoxLayout(this);
    // The legend is painted under the row of buttons.
    row->setContentsMargins(0, 0, 0, kLegendHeight);
    row->setSpacing(4);
    for (const LevelChoice& choice : kLevels) {
        auto* chip = new ChipButton(QString::fromUtf8(choice.word), true, this);
        chip->setToolTip(QString::fromUtf8(choice.tip));
        m_levels->addButton(chip, static_cast<int>(choice.level));
        row->addWidget(chip);
    }
    row->addSpacing(10);
    for (const WorkChoice& choice : kWorks) {
        auto* chip = new ChipButton(QString::fromUtf8(choice.word), false, this);
        chip->setToolTip(QString::fromUtf8(choice.tip));
        m_works->addButton(chip, static_cast<int>(choice.work));
        row->addWidget(chip);
    }
    row->addStretch(1);

    auto* save = new plot::ExportButton(this);
    save->setObjectName(QStringLiteral("exportChart"));
    row->addWidget(save);
    connect(save, &plot::ExportButton::exportWanted, this, &ChartHeader::exportWanted);
    connect(m_levels, &QButtonGroup::idClicked, this,
            [this](int id) { emit levelChosen(static_cast<verdict::MemoryLevel>(id)); });
    connect(m_works, &QButtonGroup::idClicked, this,
            [this](int id) { emit workChosen(static_cast<verdict::Work>(id)); });
}

void ChartHeader::setChoice(verdict::Work work, verdict::MemoryLevel level) {
    m_works->button(static_cast<int>(work))->setChecked(true);
    m_levels->button(static_cast<int>(level))->setChecked(true);
}

void ChartHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintLegend(painter, {4, height() - kLegendHeight / 2.0 + 1}, width() - 8,
                plot::chartStyle(palette(), font()));
}

} // namespace dormer::ui::roofline
