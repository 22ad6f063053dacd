// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/source_view.h"

#include "analysis/format.h"
#include "ui/access_panel.h"
#include "ui/code_table.h"
#include "ui/style.h"
#include "ui/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui {
namespace {

/// Counts that arrive while launches finish are gathered.
constexpr int kGatherMs = 150;

QString words(const std::string& text) {
    return QString::fromStdString(text);
}

QPushButton* small(const QString& text, const QString& hint) {
    auto* button = new QPushButton(text);
    button->setObjectName("segment");
    button->setToolTip(hint);
    button->setAccessibleName(hint);
    return button;
}

QString sentence(const std::string& text) {
    QString out = words(text);
    if (!out.isEmpty()) out[0] = out[0].toUpper();
    return out + QLatin1Char('.');
}

} // namespace

SourceView::SourceView(SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_pages(new QStackedWidget)
    , m_nothing(new QLabel)
    , m_files(new PillCombo)
    , m_about(new ElidedLabel)
    , m_hint(new QLabel)
    , m_find(new QLineEdit)
    , m_columns(new QSplitter(Qt::Horizontal))
    , m_lines(new CodeTable("sourceCode"))
    , m_code(new CodeTable("machineCode"))
    , m_accesses(new AccessPanel) {
    m_nothing->setObjectName("muted");
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setMargin(4 * kGrid);
    m_hint->setObjectName("muted");
    m_hint->setProperty("line", "sourceHint");
    m_hint->setWordWrap(true);
    m_columns->addWidget(m_lines);
    m_columns->addWidget(m_code);
    m_columns->setSizes({640, 310});
    m_columns->setStretchFactor(0, 2);
    m_columns->setStretchFactor(1, 1);
    m_columns->setHandleWidth(2 * kGrid);
    m_columns->setChildrenCollapsible(false);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->addWidget(m_columns);
    rows->addWidget(m_accesses);
    rows->setSizes({340, 270});
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setHandleWidth(kGrid);
    rows->setChildrenCollapsible(false);
    auto* page = new QWidget;
    auto* inside = new QVBoxLayout(page);
    inside->setContentsMargins(0, 0, 0, kGrid / 2);
    inside->setSpacing(kGrid / 2);
    inside->addWidget(head());
    inside->addWidget(m_hint);
    inside->addWidget(rows, 1);
    m_pages->addWidget(m_nothing);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SourceView::flush);
    connect(&hub, &SessionHub::selectionChanged, this, [this] {
        m_timer.setInterval(0);
        later();
    });
    connect(&hub, &SessionHub::sessionReset, this, [this] {
        m_launches.clear();
        m_source.reset();
        m_asked.reset();
        later();
    });
    connect(&hub, &SessionHub::launchChanged, this, [this](analysis::LaunchIndex launch) {
        const auto selected = m_hub.selected();
        if (!selected || m_hub.session().launch(launch).kernel != m_hub.session().launch(*selected).kernel)
            return;
        m_recount = true;
        m_timer.setInterval(kGatherMs);
        later();
    });
    connect(&hub, &SessionHub::placeAsked, this, [this](const SourcePlace& place) {
        m_asked = place;
        m_timer.setInterval(0);
        later();
    });
    connect(m_lines, &CodeTable::rowChosen, this, &SourceView::describeRow);
    connect(m_code, &CodeTable::rowChosen, this, &SourceView::chooseCode);
    connect(m_files, &QComboBox::activated, this,
            [this](int file) { showFile(static_cast<std::size_t>(file), std::nullopt); });
    const auto key = [this](const QKeySequence& keys, auto action) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, action);
    };
    key(Qt::Key_F8, [this] { stepHot(true); });
    key(Qt::SHIFT | Qt::Key_F8, [this] { stepHot(false); });
}

QWidget* SourceView::head() {
    m_files->setObjectName("sourceFiles");
    m_files->setAccessibleName("Source file");
    m_files->setToolTip("Files this kernel's instructions come from, the one that wastes most first");
    m_about->setObjectName("muted");
    m_find->setObjectName("sourceFind");
    m_find->setPlaceholderText("Find in this file");
    m_find->setToolTip("Enter: the next line that holds it; Shift+Enter: the one before (Ctrl+F)");
    m_find->setAccessibleName("Find in this file");
    m_find->setClearButtonEnabled(true);
    m_find->setFixedWidth(22 * kGrid);
    auto* up = small(QStringLiteral("\u25b2"), QStringLiteral("The hot line before (Shift+F8)"));
    auto* down = small(QStringLiteral("\u25bc"), QStringLiteral("The next hot line (F8)"));
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_files);
    row->addWidget(m_about, 1);
    auto* hot = new QLabel("hot lines");
    hot->setObjectName("muted");
    row->addWidget(hot);
    row->addWidget(up);
    row->addWidget(down);
    row->addWidget(m_find);
    connect(up, &QPushButton::clicked, this, [this] { stepHot(false); });
    connect(down, &QPushButton::clicked, this, [this] { stepHot(true); });
    connect(m_find, &QLineEdit::textEdited, this, [this] { find(true, false); });
    auto* next = new QShortcut(Qt::Key_Return, m_find, nullptr, nullptr, Qt::WidgetShortcut);
    auto* previous = new QShortcut(Qt::SHIFT | Qt::Key_Return, m_find, nullptr, nullptr, Qt::WidgetShortcut);
    connect(next, &QShortcut::activated, this, [this] { find(true, true); });
    connect(previous, &QShortcut::activated, this, [this] { find(false, true); });
    return bar;
}

void SourceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) flush();
    // Keys that were nobody's are for the lines, not for the first box of the bar.
    QWidget* focused = QApplication::focusWidget();
    if (focused == nullptr || (isAncestorOf(focused) && focused != m_find)) m_lines->view().setFocus();
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
    std::vector<analysis::LaunchIndex> launches = launchesLike(m_hub.session(), *selected);
    if (launches != m_launches || !m_source || m_recount) showLaunches(std::move(launches));
    if (m_asked) showPlace(*std::exchange(m_asked, std::nullopt));
}

void SourceView::showLaunches(std::vector<analysis::LaunchIndex> launches) {
    // More counts of the same kernel keep the place.
    const bool same = m_source && !m_launches.empty() && m_launches.front() == launches.front();
    const std::string keptFile =
        same && m_file < m_source->files.size() ? m_source->files[m_file].path : std::string();
    const std::optional<std::size_t> keptRow = m_lines->row();
    m_recount = false;
    m_launches = std::move(launches);
    m_source = std::make_shared<const analysis::KernelSource>(kernelSource(m_hub.session(), m_launches));
    if (m_source->empty()) return showNothing(sentence(m_source->hint));
    m_pages->setCurrentIndex(1);
    m_hint->setText(m_source->hint.empty() ? QString() : sentence(m_source->hint));
    m_hint->setVisible(!m_source->hint.empty());
    m_code->setSource(m_source, std::nullopt);
    fillFiles();
    m_lines->setVisible(!m_source->files.empty());
    const auto kept = std::ranges::find(m_source->files, keptFile, &analysis::SourceFileView::path);
    if (keptRow && kept != m_source->files.end())
        showFile(static_cast<std::size_t>(kept - m_source->files.begin()), keptRow);
    else if (!m_source->files.empty())
        showFile(0, std::nullopt);
    else if (!m_source->code.empty())
        chooseCode(0);
}

void SourceView::showNothing(const QString& why) {
    m_nothing->setText(why);
    m_pages->setCurrentIndex(0);
}

void SourceView::fillFiles() {
    const QSignalBlocker quiet(m_files);
    m_files->clear();
    const bool wastes = !m_source->files.empty() && m_source->files.front().waste > 0;
    for (const analysis::SourceFileView& file : m_source->files) {
        const double share = wastes ? file.waste : file.traffic;
        QString text = words(file.name);
        if (share > 0)
            text += QStringLiteral(" \u00b7 %1 of the %2")
                        .arg(words(analysis::forPeople(share, analysis::Unit::Ratio)),
                             wastes ? QLatin1String("waste") : QLatin1String("traffic"));
        m_files->addItem(text);
        m_files->setItemData(m_files->count() - 1, words(file.path), Qt::ToolTipRole);
    }
    m_files->setVisible(m_files->count() > 0);
    const auto count = static_cast<qlonglong>(m_launches.size());
    m_about->setText(QStringLiteral("%1 \u00b7 %2 %3 \u00b7 %4 instructions")
                         .arg(words(m_source->language).toUpper())
                         .arg(count)
                         .arg(count == 1 ? QLatin1String("launch") : QLatin1String("launches"))
                         .arg(m_source->code.size()));
}

void SourceView::showFile(std::size_t file, std::optional<std::size_t> row) {
    if (!m_source || file >= m_source->files.size()) return;
    const analysis::SourceFileView& shown = m_source->files[file];
    // The same file keeps its place.
    if (file != m_file || m_lines->model().source() != m_source.get()) m_lines->setSource(m_source, file);
    m_file = file;
    m_files->setCurrentIndex(static_cast<int>(file));
    if (!row) {
        const std::vector<std::size_t> hot = hotRows(shown);
        row = hot.empty() ? 0 : hot.front();
    }
    if (*row < shown.rows.size()) {
        m_lines->showRow(row);
        describeRow(*row);
    }
}

void SourceView::showPlace(const SourcePlace& place) {
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
    const analysis::SourceFileView& file = m_source->files[m_file];
    const analysis::SourceRow& line = file.rows[row];
    m_code->showRow(std::nullopt);
    m_code->mark(line.code);
    m_accesses->setAccesses(
        m_source, line.accesses, QStringLiteral("%1:%2").arg(words(file.name)).arg(line.number),
        line.accesses.empty() ? QStringLiteral("No memory access and no branch here.") : words(line.what));
}

void SourceView::chooseCode(std::size_t row) {
    const analysis::CodeRow& code = m_source->code[row];
    m_lines->showRow(std::nullopt);
    m_code->mark({});
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
    const QString place = code.file.empty() ? QString()
                                            : QStringLiteral(" \u00b7 %1:%2")
                                                  .arg(words(code.file.substr(code.file.rfind('/') + 1)))
                                                  .arg(code.line);
    m_accesses->setAccesses(m_source, accesses, words(code.text) + place,
                            accesses.empty() ? QStringLiteral("No memory access and no branch.") : QString());
}

QString SourceView::chosenPlace() const {
    const auto row = m_lines->row();
    if (!m_source || !row || m_file >= m_source->files.size()) return {};
    const analysis::SourceFileView& file = m_source->files[m_file];
    return QStringLiteral("%1:%2").arg(words(file.name)).arg(file.rows[*row].number);
}

void SourceView::startFind() {
    m_find->setFocus();
    m_find->selectAll();
}

void SourceView::find(bool down, bool further) {
    if (!m_source || m_file >= m_source->files.size()) return;
    const analysis::SourceFileView& file = m_source->files[m_file];
    if (file.rows.empty()) return;
    const std::size_t count = file.rows.size(), at = m_lines->row().value_or(0);
    const std::size_t from = !further ? at : down ? (at + 1) % count : (at + count - 1) % count;
    const auto found = findText(file, m_find->text().toStdString(), from, down);
    // A text that is not there is marked, not answered by a dialog.
    const bool missing = !found && !m_find->text().isEmpty();
    m_find->setStyleSheet(missing ? QStringLiteral("color: %1").arg(coloursFor(palette()).gain.name())
                                  : QString());
    if (!found) return;
    m_lines->showRow(found);
    describeRow(*found);
}

void SourceView::stepHot(bool down) {
    if (!m_source || m_file >= m_source->files.size()) return;
    const analysis::SourceFileView& file = m_source->files[m_file];
    if (const auto next = nextHotRow(file, m_lines->row().value_or(0), down)) {
        m_lines->showRow(next);
        describeRow(*next);
    }
}

} // namespace dormer::ui
