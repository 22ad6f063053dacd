// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;
class QTextBrowser;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::explain {

/// Shows explanations and the documentation, one page at a time, with a way back. Follows the selection: the
/// numbers on a page are those of the launch that is selected.
class Reader : public QFrame {
    Q_OBJECT
public:
    explicit Reader(sessions::SessionHub& hub, QWidget* parent = nullptr);

    /// Shows what an address leads to (explanationOf); false when there is no such thing.
    bool open(const QString& address);
    /// Of the page on screen; empty before the first.
    [[nodiscard]] QString address() const;
    /// What is to be read, without its markup.
    [[nodiscard]] QString text() const;
    void back();
    void forward();

signals:
    /// The reader is done.
    void closed();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showPage(bool keepsPlace = false);
    void follow(const QUrl& link);
    void scrollTo(const QString& heading);

    sessions::SessionHub& m_hub;
    QTextBrowser* m_text;
    QLabel* m_title;
    QPushButton* m_back;
    QPushButton* m_forward;
    QStringList m_history;
    qsizetype m_at = -1;
};

} // namespace dormer::ui::explain
