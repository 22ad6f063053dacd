// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/access_panel.h"

#include "analysis/lines/lane_picture.h"
#include "analysis/view/details/access_table.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/pattern/lane_picture_view.h"
#include "ui/tables/fact_table.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace dormer::ui::sources {
namespace {

enum AccessColumn { kKind, kPattern };

QLabel* line(const char* name, bool muted) {
    auto* label = new QLabel;
    label->setObjectName(muted ? "muted" : name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    QSizePolicy policy = label->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (muted) label->setFont(look::smallFont(label->font()));
    return label;
}

QString noPicture(const session::LineCounts& access) {
    if (access.op == session::MemoryOperation::Branch) return QStringLiteral("A branch touches no memory.");
    return QStringLiteral(
        "No picture: this warp's lanes were not seen, and the counts don't tell where they lay. "
        "The emulator sees them: choose an emulated device and counts per source line.");
}

} // namespace

AccessPanel::AccessPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(line("accessTitle", false))
    , m_what(line("accessWhat", true))
    , m_stalls(line("accessStalls", false))
    , m_producer(new look::ElidedLink({}))
    , m_table(new tables::FactTable)
    , m_picture(new pattern::LanePictureView(true))
    , m_headline(line("accessHeadline", false))
    , m_caption(line("accessCaption", true)) {
    m_title->setFont(look::headingFont(font(), 0));
    m_headline->setFont(look::headingFont(font(), 0));
    m_table->setObjectName("accesses");
    m_table->setAccessibleName("Accesses of the line");
    m_table->setWideColumn(kPattern);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFont(look::smallFont(font()));
    m_caption->setProperty("line", "accessCaption");
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look::kGrid / 2);
    column->addWidget(m_title);
    column->addWidget(m_what);
    column->addWidget(m_stalls);
    column->addWidget(m_producer, 0, Qt::AlignLeft);
    column->addWidget(m_table, 1);
    column->addStretch();
    m_producer->setObjectName("link");
    m_producer->setProperty("jump", "producer");
    connect(m_producer, &QPushButton::clicked, this, &AccessPanel::producerAsked);
    setStalls({}, {});
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->addWidget(left);
    parts->addWidget(drawing());
    parts->setSizes({360, 580});
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    parts->setHandleWidth(2 * look::kGrid);
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, look::kGrid / 2, 0, 0);
    layout->addWidget(parts);
    connect(m_table, &tables::FactTable::keyChosen, this,
            [this](const QString& key) { choose(key.toULongLong()); });
}

QWidget* AccessPanel::drawing() {
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, look::kGrid, 0);
    column->setSpacing(look::kGrid / 2);
    column->addWidget(m_headline);
    column->addWidget(m_caption);
    column->addWidget(m_picture);
    column->addStretch();
    auto* area = new QScrollArea;
    area->setWidget(inside);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->viewport()->setAutoFillBackground(false);
    inside->setAutoFillBackground(false);
    return area;
}

void AccessPanel::setAccesses(std::shared_ptr<const lines::KernelSource> source,
                              std::vector<std::size_t> accesses, const QString& title, const QString& what) {
    m_source = std::move(source);
    m_title->setText(title);
    m_what->setText(what);
    m_what->setVisible(!what.isEmpty());
    m_table->setTable(m_source ? view::details::accessTable(*m_source, accesses) : view::Table{});
    m_table->setVisible(!accesses.empty());
    const auto worst = m_source ? view::details::worstAccess(*m_source, accesses) : std::nullopt;
    m_table->showKey(worst ? QString::number(*worst) : QString());
    choose(worst);
}

void AccessPanel::setStalls(const QString& sentence, const QString& producer) {
    m_stalls->setText(sentence);
    m_stalls->setVisible(!sentence.isEmpty());
    m_producer->setText(QStringLiteral("Waits for %1 \u2192").arg(producer));
    m_producer->setToolTip(
        QStringLiteral("Shows the instruction whose result it needs (F12)\n%1").arg(producer));
    m_producer->setVisible(!producer.isEmpty());
}

void AccessPanel::choose(std::optional<std::size_t> access) {
    std::optional<lines::LanePicture> drawn;
    if (m_source && access && *access < m_source->accesses.size())
        drawn = lines::lanePicture(m_source->accesses[*access]);
    if (drawn) {
        m_headline->setText(look::words(access::patternHeadline(drawn->pattern)));
        const QString use = look::words(access::patternUse(drawn->pattern));
        m_picture->setPattern(std::move(drawn->pattern));
        m_caption->setText((drawn->sampled ? QString() : QStringLiteral("Not seen, drawn ")) +
                           look::words(drawn->caption) +
                           (use.isEmpty() ? QString() : QStringLiteral(" \u00b7 ") + use) +
                           QStringLiteral("\n") + m_picture->legend());
        m_caption->setText(m_caption->text().left(1).toUpper() + m_caption->text().mid(1));
    } else {
        m_picture->setPattern(std::nullopt);
        m_headline->clear();
        m_caption->setText(m_source && access ? noPicture(m_source->accesses[*access]) : QString());
    }
    m_headline->setVisible(drawn.has_value());
}

} // namespace dormer::ui::sources
