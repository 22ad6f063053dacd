// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/source_view.h"

#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/sources/access_panel.h"
#include "ui/sources/code_table.h"
#include "ui/sources/source_head.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::sources {
namespace {

/// Counts that arrive while launches finish are gathered.
constexpr int kGatherMs = 150;

QString sentence(const std::string& text) {
    QString out = look::words(text);
    if (!out.isEmpty()) out[0] = out[0].toUpper();
    return out + QLatin1Char('.');
}

} // namespace

SourceView::SourceView(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_pages(new QStackedWidget)
    , m_nothing(new QLabel)
    , m_count(new QPushButton("Count per line in the next run"))
    , m_head(new SourceHead)
    , m_hint(new QLabel)
    , m_columns(new QSplitter(Qt::Horizontal))
    , m_lines(new CodeTable("sourceCode"))
    , m_code(new CodeTable("machineCode"))
    , m_accesses(new AccessPanel) {
    m_nothing->setObjectName("muted");
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setMargin(4 * look::kGrid);
    m_hint->setObjectName("muted");
    m_hint->setProperty("line", "sourceHint");
    m_hint->setWordWrap(true);
    m_columns->addWidget(m_lines);
    m_columns->addWidget(m_code);
    m_columns->setSizes({640, 310});
    m_columns->setStretchFactor(0, 2);
    m_columns->setStretchFactor(1, 1);
    m_columns->setHandleWidth(2 * look::kGrid);
    m_columns->setChildrenCollapsible(false);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->addWidget(m_columns);
    rows->addWidget(m_accesses);
    rows->setSizes({340, 270});
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setHandleWidth(look::kGrid);
    rows->setChildrenCollapsible(false);
    auto* page = new QWidget;
    auto* inside = new QVBoxLayout(page);
    inside->setContentsMargins(0, 0, 0, look::kGrid / 2);
    inside->setSpacing(look::kGrid / 2);
    inside->addWidget(m_head);
    inside->addWidget(m_hint);
    inside->addWidget(rows, 1);
    auto* empty = new QWidget;
    auto* words = new QVBoxLayout(empty);
    words->addStretch();
    words->addWidget(m_nothing);
    words->addWidget(m_count, 0, Qt::AlignHCenter);
    words->addStretch();
    m_count->setProperty("offer", "lines");
    m_count->setToolTip("Ticks 'Count per source line' for the next run");
    connect(m_count, &QPushButton::clicked, this, &SourceView::linesRequested);
    m_pages->addWidget(empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SourceView::flush);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, [this] {
        m_timer.setInterval(0);
        later();
    });
    connect(&hub, &sessions::SessionHub::sessionReset, this, [this] {
        m_launches.clear();
        m_source.reset();
        m_asked.reset();
        m_stale = true;
        if (isVisible()) flush(); // nothing of what is gone may be clicked
    });
    connect(&hub, &sessions::SessionHub::launchChanged, this, [this](session::LaunchIndex launch) {
        const auto selected = m_hub.selected();
        if (!selected || m_hub.session().launch(launch).kernel != m_hub.session().launch(*selected).kernel)
            return;
        m_recount = true;
        m_timer.setInterval(kGatherMs);
        later();
    });
    connect(&hub, &sessions::SessionHub::placeAsked, this, [this](const sessions::SourcePlace& place) {
        m_asked = place;
        m_timer.setInterval(0);
        later();
    });
    connect(m_lines, &CodeTable::rowChosen, this, &SourceView::describeRow);
    connect(m_code, &CodeTable::rowChosen, this, &SourceView::chooseCode);
    connect(m_head, &SourceHead::fileChosen, this,
            [this](std::size_t file) { showFile(file, std::nullopt); });
    connect(m_head, &SourceHead::hotLineAsked, this, &SourceView::stepHot);
    connect(m_head, &SourceHead::findAsked, this, &SourceView::find);
    const auto key = [this](const QKeySequence& keys, auto action) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, action);
    };
    connect(m_head, &SourceHead::heatChosen, this, &SourceView::describeHead);
    connect(m_accesses, &AccessPanel::producerAsked, this, &SourceView::showProducer);
    key(Qt::Key_F12, [this] { showProducer(); });
    key(Qt::Key_F8, [this] { stepHot(true); });
    key(Qt::SHIFT | Qt::Key_F8, [this] { stepHot(false); });
}

void SourceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) flush();
    // Keys are for the lines, not for the first box of the bar, where Qt puts them once this page is in
    // front.
    QTimer::singleShot(0, this, [this] {
        QWidget* focused = QApplication::focusWidget();
        if (focused == nullptr || (isAncestorOf(focused) && focused != &m_head->find()))
            m_lines->view().setFocus();
    });
}

void SourceView::later() {
    m_stale = true;
    if (isVisible() && !m_timer.isActive()) m_timer.start();
}

void SourceView::flush() {
    m_timer.stop();
    m_stale = false;
    const auto selected = m_hub.selected();
    if (!selected) {
        m_launches.clear();
        m_source.reset();
        return showNothing(
            m_hub.session().launches().empty()
                ? QStringLiteral("The source of a kernel with what each line costs appears here.")
                : QStringLiteral("Select a kernel: its source appears here with what each line costs."));
    }
    const diagnosis::Diagnosis& diagnosis = m_hub.diagnosis();
    const auto& launches = diagnosis.groups()[diagnosis.groupOf(*selected)].launches;
    if (launches != m_launches || !m_source || m_recount) showLaunches(launches);
    if (m_asked) showPlace(*std::exchange(m_asked, std::nullopt));
}

void SourceView::showLaunches(std::vector<session::LaunchIndex> launches) {
    // More counts of the same kernel keep the place.
    const bool same = m_source && !m_launches.empty() && m_launches.front() == launches.front();
    const std::string keptFile =
        same && m_file < m_source->files.size() ? m_source->files[m_file].path : std::string();
    const std::optional<std::size_t> keptRow = m_lines->row();
    m_recount = false;
    m_launches = std::move(launches);
    m_source = std::make_shared<const lines::KernelSource>(lines::kernelSource(m_hub.session(), m_launches));
    if (m_source->empty()) {
        // Where the terminal names an option, here is a button.
        const bool canCount = m_hub.session().originOf(m_launches.front()) != session::Origin::Imported;
        return showNothing(canCount ? QStringLiteral("Collected without counts per line.")
                                    : sentence(m_source->hint),
                           canCount);
    }
    m_pages->setCurrentIndex(1);
    m_hint->setText(m_source->hint.empty() ? QString() : sentence(m_source->hint));
    m_hint->setVisible(!m_source->hint.empty());
    m_code->setSource(m_source, std::nullopt);
    m_file = 0;
    describeHead();
    m_lines->setVisible(!m_source->files.empty());
    const auto kept = std::ranges::find(m_source->files, keptFile, &lines::SourceFileView::path);
    if (keptRow && kept != m_source->files.end())
        showFile(static_cast<std::size_t>(kept - m_source->files.begin()), keptRow);
    else if (!m_source->files.empty())
        showFile(0, std::nullopt);
    else if (!m_source->code.empty())
        chooseCode(0);
}

void SourceView::describeHead() {
    m_heat = m_head->describe(*m_source, m_launches.size());
    if (m_file < m_source->files.size()) m_head->setFile(m_file);
    m_lines->setHeat(m_heat);
    m_code->setHeat(m_heat);
}

void SourceView::showNothing(const QString& why, bool canCount) {
    m_nothing->setText(why);
    m_count->setVisible(canCount);
    m_pages->setCurrentIndex(0);
}

void SourceView::showFile(std::size_t file, std::optional<std::size_t> row) {
    if (!m_source || file >= m_source->files.size()) return;
    const lines::SourceFileView& shown = m_source->files[file];
    // The same file keeps its place.
    if (file != m_file || m_lines->model().source() != m_source.get()) m_lines->setSource(m_source, file);
    m_file = file;
    m_head->setFile(file);
    if (!row) {
        const std::vector<std::size_t> hot = hotRows(shown, m_heat);
        row = hot.empty() ? 0 : hot.front();
    }
    if (*row < shown.rows.size()) {
        m_lines->showRow(row);
        describeRow(*row);
    }
}

void SourceView::showPlace(const sessions::SourcePlace& place) {
    if (!m_source || m_source->empty()) return;
    for (std::size_t file = 0; file < m_source->files.size(); ++file) {
        if (place.file.empty() || m_source->files[file].path != place.file) continue;
        const auto row = rowOfLine(m_source->files[file], place.line);
        if (!row) continue;
        return showFile(file, row);
    }
    if (const auto code = codeOfPc(*m_source, place.pc)) chooseCode(*code);
}

void SourceView::describeRow(std::size_t row) {
    const lines::SourceFileView& file = m_source->files[m_file];
    const lines::SourceRow& line = file.rows[row];
    m_code->showRow(std::nullopt);
    m_code->mark(line.code, costliest(*m_source, line.code, m_heat));
    m_accesses->setAccesses(m_source, line.accesses,
                            QStringLiteral("%1:%2").arg(look::words(file.name)).arg(line.number),
                            line.accesses.empty() ? QStringLiteral("No memory access and no branch here.")
                                                  : look::words(line.what));
    describeStalls(line);
}

template <typename Row>
void SourceView::describeStalls(const Row& row) {
    m_waitsFor = row.waitsFor;
    m_accesses->setStalls(look::words(view::details::stallText(row.stalls)),
                          m_waitsFor ? look::words(view::details::producerText(*m_source, *m_waitsFor))
                                     : QString());
}

void SourceView::showProducer() {
    if (m_source && m_waitsFor) chooseCode(*m_waitsFor);
}

void SourceView::chooseCode(std::size_t row) {
    const lines::CodeRow& code = m_source->code[row];
    m_lines->showRow(std::nullopt);
    m_code->mark({}, std::nullopt);
    for (std::size_t file = 0; file < m_source->files.size(); ++file) {
        if (code.file.empty() || m_source->files[file].path != code.file) continue;
        if (const auto line = rowOfLine(m_source->files[file], code.line)) {
            showFile(file, line);
            break;
        }
    }
    m_code->showRow(row);
    std::vector<std::size_t> accesses;
    if (code.access) accesses.push_back(*code.access);
    const QString place = code.file.empty()
                              ? QString()
                              : QStringLiteral(" \u00b7 %1:%2")
                                    .arg(look::words(code.file.substr(code.file.rfind('/') + 1)))
                                    .arg(code.line);
    m_accesses->setAccesses(m_source, accesses, look::words(code.text) + place,
                            accesses.empty() ? QStringLiteral("No memory access and no branch.") : QString());
    describeStalls(code);
}

QString SourceView::chosenPlace() const {
    const auto row = m_lines->row();
    if (!m_source || !row || m_file >= m_source->files.size()) return {};
    const lines::SourceFileView& file = m_source->files[m_file];
    return QStringLiteral("%1:%2").arg(look::words(file.name)).arg(file.rows[*row].number);
}

void SourceView::startFind() {
    m_head->find().setFocus();
    m_head->find().selectAll();
}

void SourceView::find(bool down, bool further) {
    if (!m_source || m_file >= m_source->files.size()) return;
    const lines::SourceFileView& file = m_source->files[m_file];
    if (file.rows.empty()) return;
    const std::size_t count = file.rows.size(), at = m_lines->row().value_or(0);
    const std::size_t from = !further ? at : down ? (at + 1) % count : (at + count - 1) % count;
    const auto found = findText(file, m_head->find().text().toStdString(), from, down);
    m_head->setMissing(!found && !m_head->find().text().isEmpty());
    if (!found) return;
    m_lines->showRow(found);
    describeRow(*found);
}

void SourceView::stepHot(bool down) {
    if (!m_source || m_file >= m_source->files.size()) return;
    const lines::SourceFileView& file = m_source->files[m_file];
    if (const auto next = nextHotRow(file, m_lines->row().value_or(0), m_heat, down)) {
        m_lines->showRow(next);
        describeRow(*next);
    }
}

} // namespace dormer::ui::sources
