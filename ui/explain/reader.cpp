// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/explain/reader.h"

#include "ui/explain/doc_pages.h"
#include "ui/explain/explained.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/sessions/session_hub.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::explain {
namespace {

constexpr double kCellPadding = 4;
constexpr double kListIndent = 2 * look::kGrid;

QPushButton* button(const char* name, const QString& text, const QString& tip) {
    auto* made = new QPushButton(text);
    made->setObjectName("link");
    made->setProperty("reader", name);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    return made;
}

/// Headings a little larger than the text, tables with thin lines: Markdown's own are huge and bare.
void dress(QTextDocument& document, const look::Colours& colours, const QFont& font) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level == 0) continue;
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        QTextCharFormat letters;
        letters.setFont(look::headingFont(font, std::max(0.5, 4.0 - level)));
        cursor.mergeCharFormat(letters);
        QTextBlockFormat room;
        room.setTopMargin(block == document.begin() ? 0 : 2 * look::kGrid);
        room.setBottomMargin(look::kGrid);
        cursor.mergeBlockFormat(room);
    }
    document.setIndentWidth(kListIndent);
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(colours.track);
        format.setBorderCollapse(true);
        format.setCellPadding(kCellPadding);
        format.setCellSpacing(0);
        table->setFormat(format);
    }
}

} // namespace

Reader::Reader(sessions::SessionHub& hub, QWidget* parent)
    : QFrame(parent)
    , m_hub(hub)
    , m_text(new QTextBrowser)
    , m_title(new look::ElidedLabel)
    , m_back(button("back", QStringLiteral("\u2039  Back"), "Back (Alt+Left)"))
    , m_forward(button("forward", QStringLiteral("Forward  \u203a"), "Forward (Alt+Right)")) {
    setObjectName("panel");
    setAccessibleName("Explanation");
    m_title->setFont(look::headingFont(font(), 0.5));
    auto* close = button("close", "Close", "Close the explanation (Esc)");
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * look::kGrid);
    head->addWidget(m_back);
    head->addWidget(m_forward);
    head->addWidget(m_title, 1);
    head->addWidget(close);
    m_text->setObjectName("readerText");
    m_text->setAccessibleName("Explanation");
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->viewport()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, look::kGrid, look::kGrid, look::kGrid);
    layout->setSpacing(look::kGrid);
    layout->addLayout(head);
    layout->addWidget(m_text, 1);
    connect(m_back, &QPushButton::clicked, this, &Reader::back);
    connect(m_forward, &QPushButton::clicked, this, &Reader::forward);
    connect(close, &QPushButton::clicked, this, &Reader::closed);
    connect(m_text, &QTextBrowser::anchorClicked, this, &Reader::follow);
    // The text's own keys for these lead nowhere: it has no history.
    for (const auto& [key, go] : {std::pair{Qt::Key_Left, &Reader::back}, {Qt::Key_Right, &Reader::forward}})
        connect(new QShortcut(Qt::ALT | key, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
                &QShortcut::activated, this, go);
    const auto renew = [this] {
        if (isVisible()) showPage(true);
    };
    connect(&hub, &sessions::SessionHub::selectionChanged, this, renew);
    connect(&hub, &sessions::SessionHub::sessionReset, this, renew);
}

bool Reader::open(const QString& address) {
    if (explanationOf(address, m_hub).markdown.isEmpty()) return false;
    if (address != this->address()) {
        m_history = m_history.mid(0, m_at + 1);
        m_history << address;
        m_at = m_history.size() - 1;
    }
    showPage();
    m_text->setFocus();
    return true;
}

QString Reader::address() const {
    return m_history.value(m_at);
}

QString Reader::text() const {
    return m_text->toPlainText();
}

void Reader::back() {
    if (m_at < 1) return;
    --m_at;
    showPage();
}

void Reader::forward() {
    if (m_at + 1 >= m_history.size()) return;
    ++m_at;
    showPage();
}

void Reader::showPage(bool keepsPlace) {
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_history.size());
    if (m_at < 0) return;
    const int place = m_text->verticalScrollBar()->value();
    const Explanation page = explanationOf(address(), m_hub);
    m_title->setText(page.title);
    m_text->setMarkdown(page.markdown);
    dress(*m_text->document(), look::coloursFor(palette()), font());
    if (keepsPlace)
        m_text->verticalScrollBar()->setValue(place);
    else
        scrollTo(page.heading);
}

void Reader::scrollTo(const QString& heading) {
    m_text->moveCursor(QTextCursor::Start);
    if (heading.isEmpty()) return;
    QTextDocument& document = *m_text->document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || block.text() != heading) continue;
        // From the end upwards, the heading comes to stand at the top.
        m_text->moveCursor(QTextCursor::End);
        m_text->setTextCursor(QTextCursor(block));
        return;
    }
}

void Reader::follow(const QUrl& link) {
    if (link.scheme() == QLatin1String("https")) {
        QDesktopServices::openUrl(link);
        return;
    }
    (void)open(link.toString());
}

bool Reader::event(QEvent* event) {
    // Esc would stop a run, were it not taken here.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

void Reader::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return emit closed();
    QFrame::keyPressEvent(event);
}

void Reader::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) showPage(true);
}

} // namespace dormer::ui::explain
