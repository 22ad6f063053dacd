// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/pattern_form.h"

#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/pattern/pattern_examples.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace dormer::ui::pattern {
namespace {

enum Space { Global, Shared };

struct Capability {
    int major, minor;
    const char* chips;
};
constexpr Capability kCapabilities[] = {{12, 0, "Blackwell"}, {10, 0, "Blackwell"}, {9, 0, "Hopper"},
                                        {8, 9, "Ada"},        {8, 0, "Ampere"},     {7, 5, "Turing"},
                                        {7, 0, "Volta"},      {6, 0, "Pascal"},     {5, 2, "Maxwell"},
                                        {3, 5, "Kepler"},     {2, 0, "Fermi"}};
/// Before it, loads go through L1 by whole lines.
constexpr int kSectorsSince = 6;

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

int roundUp(int value) {
    return (value + look::kGrid - 1) / look::kGrid * look::kGrid;
}

} // namespace

PatternForm::PatternForm(QWidget* parent)
    : QWidget(parent)
    , m_expression(
          field("expression", "a[tid * 2]",
                "Element that a thread accesses, over tid, lane, warp, bid, bdim, gdim (or threadIdx.x "
                "and so on), numbers and C's operators",
                0))
    , m_type(choice("type", "Type of an element: what one lane reads or writes at once"))
    , m_space(choice("space", "Which memory"))
    , m_op(choice("op", "What the lanes do there"))
    , m_chip(choice("chip", "Compute capability of the GPU"))
    , m_bypass(new QCheckBox("bypass L1"))
    , m_row(field("row", "32", "Elements in a row of name[y][x]", 5))
    , m_active(field("active", "lane < 16", "Condition for a thread to access at all; empty: always", 12))
    , m_block(field("block", "256", "Threads of a block: 256, 32x8 or 8x8x4", 8))
    , m_warp(field("warp", "0", "Which warp of the block", 4)) {
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF() + 1);
    m_expression->setFont(fixed);
    m_expression->setClearButtonEnabled(true);
    m_bypass->setObjectName("patternBypass");
    m_bypass->setToolTip("Loads that bypass L1 move sectors; through L1 this GPU moves whole lines");
    fillChoices();

    auto* choices = new QHBoxLayout;
    choices->setSpacing(look::kGrid);
    for (QWidget* each :
         {static_cast<QWidget*>(m_op), static_cast<QWidget*>(m_type), static_cast<QWidget*>(m_space),
          static_cast<QWidget*>(m_chip), static_cast<QWidget*>(m_bypass)})
        choices->addWidget(each);
    choices->addStretch();
    auto* fields = new QHBoxLayout;
    fields->setSpacing(look::kGrid);
    const std::pair<const char*, QLineEdit*> named[] = {
        {"row length", m_row}, {"only where", m_active}, {"block", m_block}, {"warp", m_warp}};
    for (const auto& [name, edit] : named) {
        auto* label = new QLabel(name);
        label->setObjectName("muted");
        label->setBuddy(edit);
        fields->addWidget(label);
        fields->addWidget(edit);
    }
    fields->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(look::kGrid);
    layout->addWidget(m_expression);
    layout->addLayout(choices);
    layout->addLayout(fields);
    setQuestion({});
    connect(m_bypass, &QCheckBox::toggled, this, &PatternForm::fieldChanged);
}

QLineEdit* PatternForm::field(const QString& name, const QString& placeholder, const QString& hint,
                              int letters) {
    auto* edit = new QLineEdit;
    edit->setObjectName("pattern" + name.left(1).toUpper() + name.mid(1));
    edit->setAccessibleName(hint);
    edit->setPlaceholderText(placeholder);
    edit->setToolTip(hint);
    if (letters > 0)
        edit->setFixedWidth(roundUp(edit->fontMetrics().horizontalAdvance(QString(letters, 'n')) + 26));
    connect(edit, &QLineEdit::textChanged, this, &PatternForm::fieldChanged);
    return edit;
}

QComboBox* PatternForm::choice(const QString& name, const QString& hint) {
    auto* box = new look::PillCombo;
    box->setObjectName("pattern" + name.left(1).toUpper() + name.mid(1));
    box->setAccessibleName(hint);
    box->setToolTip(hint);
    connect(box, &QComboBox::currentIndexChanged, this, &PatternForm::fieldChanged);
    return box;
}

void PatternForm::fillChoices() {
    const QSignalBlocker quiet(this);
    for (const ElementType& type : elementTypes())
        m_type->addItem(QStringLiteral("%1 \u00b7 %2 %3")
                            .arg(view(type.name))
                            .arg(type.bytes)
                            .arg(type.bytes == 1 ? QLatin1String("byte") : QLatin1String("bytes")),
                        type.bytes);
    m_space->addItem("global memory", Global);
    m_space->addItem("shared memory", Shared);
    m_op->addItem("load", static_cast<int>(access::AccessOp::Load));
    m_op->addItem("store", static_cast<int>(access::AccessOp::Store));
    m_op->addItem("atomic", static_cast<int>(access::AccessOp::Atomic));
    for (const Capability& each : kCapabilities)
        m_chip->addItem(QStringLiteral("%1.%2 \u00b7 %3").arg(each.major).arg(each.minor).arg(each.chips),
                        QPoint(each.major, each.minor));
}

void PatternForm::fieldChanged() {
    // Only where it changes anything: loads of global memory on chips that cache whole lines.
    m_bypass->setVisible(m_chip->currentData().toPoint().x() < kSectorsSince &&
                         m_space->currentData().toInt() == Global &&
                         m_op->currentData().toInt() == static_cast<int>(access::AccessOp::Load));
    emit changed();
}

void PatternForm::setQuestion(const access::PatternQuestion& question) {
    {
        const QSignalBlocker quiet(this);
        const auto words = [](const std::string& text) { return QString::fromStdString(text); };
        m_expression->setText(words(question.expression));
        m_type->setCurrentIndex(m_type->findData(question.widthBytes));
        m_space->setCurrentIndex(m_space->findData(static_cast<int>(question.shared ? Shared : Global)));
        m_op->setCurrentIndex(m_op->findData(static_cast<int>(question.op)));
        m_chip->setCurrentIndex(m_chip->findData(QPoint(question.ccMajor, question.ccMinor)));
        m_bypass->setChecked(question.bypassL1);
        m_row->setText(question.rowElements > 0 ? QString::number(question.rowElements) : QString());
        m_active->setText(words(question.active));
        m_block->setText(words(blockText(question.block)));
        m_warp->setText(QString::number(question.warp));
    }
    fieldChanged();
}

Result<access::PatternQuestion> PatternForm::question() const {
    const auto bad = [](const char* field, const char* what, const QLineEdit& edit) {
        return failure(ErrorKind::Usage,
                       std::string(field) + " is " + what + ", not '" + edit.text().toStdString() + "'");
    };
    access::PatternQuestion question;
    question.expression = m_expression->text().toStdString();
    question.active = m_active->text().trimmed().toStdString();
    question.widthBytes = m_type->currentData().toUInt();
    question.shared = m_space->currentData().toInt() == Shared;
    question.op = static_cast<access::AccessOp>(m_op->currentData().toInt());
    const QPoint capability = m_chip->currentData().toPoint();
    question.ccMajor = capability.x();
    question.ccMinor = capability.y();
    question.bypassL1 = m_bypass->isChecked();
    bool whole = true;
    if (!m_row->text().trimmed().isEmpty()) {
        question.rowElements = m_row->text().toLongLong(&whole);
        if (!whole || question.rowElements <= 0) return bad("the row length", "a number from 1", *m_row);
    }
    const auto block = blockFromText(m_block->text().toStdString());
    if (!block) return bad("the block", "256, 32x8 or 8x8x4", *m_block);
    question.block = *block;
    question.warp = m_warp->text().toUInt(&whole);
    if (!whole) return bad("the warp", "a number from 0", *m_warp);
    return question;
}

} // namespace dormer::ui::pattern
