// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/theme.h"

#include "ui/look/style.h"

#include <QApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dormer::ui::look {
namespace {

// One sheet for all schemes; @words are colours. Only what Fusion does not get right from the palette. A
// field has its colour of the palette: with one of the sheet, what it says while it is empty would be half
// transparent.
constexpr const char* kSheet = R"(
QWidget#ground { background: @ground; }
QFrame#panel { background: @panel; border: 1px solid @border; border-radius: 8px; }
QFrame#topBar { background: @panel; border: none; border-bottom: 1px solid @border; }
QLabel { background: transparent; }
QLabel#muted { color: @muted; }
QLabel#gain { color: @gain; }
QLabel#good { color: @good; }
QToolTip { background: @panel; color: @text; border: 1px solid @border; padding: 6px; }

QComboBox { color: @text; }
QComboBox, QLineEdit { background: @sunken; border: 1px solid @border; border-radius: 13px;
  padding: 3px 12px; min-height: 18px; selection-background-color: @accent; selection-color: @onAccent; }
QComboBox:hover, QLineEdit:hover { border-color: @muted; }
QComboBox:focus, QLineEdit:focus { border-color: @accent; }
QComboBox:disabled { color: @muted; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox QAbstractItemView { background: @panel; color: @text; border: 1px solid @border;
  selection-background-color: @selection; selection-color: @text; padding: 4px; outline: none; }

QPushButton { background: @sunken; color: @text; border: 1px solid @border; border-radius: 13px;
  padding: 3px 14px; min-height: 18px; }
QPushButton:hover { border-color: @muted; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @muted; background: @ground; }
QPushButton#primary { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton#primary:disabled { background: @track; color: @muted; border-color: @track; }
QPushButton#segment { padding: 1px 11px; border-radius: 11px; min-height: 18px; }
QPushButton#segment:checked { background: @text; color: @panel; border-color: @text; }
QPushButton#tab { background: transparent; color: @muted; border: none; border-bottom: 2px solid transparent;
  border-radius: 0px; padding: 2px 1px; font-weight: 600; }
QPushButton#tab:hover, QPushButton#tab:focus { color: @text; }
QPushButton#tab:focus { border-bottom-color: @muted; }
QPushButton#tab:checked { color: @text; border-bottom-color: @accent; }
QPushButton#link { background: transparent; border: none; color: @accent; padding: 2px 0px; text-align: left;
  font-weight: 600; }
QPushButton#link:hover, QPushButton#link:focus { text-decoration: underline; }
QPushButton#choice { text-align: left; padding: 12px 16px; border-radius: 8px; }

QTreeView, QTableView, QListView { background: @panel; color: @text; border: none; outline: none;
  selection-background-color: @selection; selection-color: @text; }
QTreeView::item { padding: 2px 0px; border: none; }
QTreeView::item:hover { background: @sunken; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @border;
  padding: 2px 4px; }
QHeaderView::section:hover { color: @text; }
QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @track; border-radius: 3px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QFrame#message { background: @selection; border: 1px solid @border; border-radius: 8px; }
)";

/// In high contrast what has the focus, or is chosen, is told by a thicker line, too.
constexpr const char* kContrastSheet = R"(
QComboBox:focus, QLineEdit:focus { border: 2px solid @accent; padding: 2px 11px; }
QPushButton:focus { border: 2px solid @accent; padding: 2px 13px; }
QPushButton#segment:focus { padding: 0px 10px; }
QPushButton#tab:focus, QPushButton#link:focus { border: none; text-decoration: underline; }
QPushButton#tab:checked { border-bottom: 3px solid @accent; }
QPushButton:disabled, QComboBox:disabled, QLineEdit:disabled { border-style: dashed; }
QTreeView::item:selected, QTableView::item:selected, QListView::item:selected {
  border-top: 1px solid @text; border-bottom: 1px solid @text; }
)";

double channel(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) { // WCAG 2.1, relative luminance
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

QPalette paletteOf(const Colours& c) {
    QPalette palette;
    palette.setColor(QPalette::Window, c.ground);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.panel);
    palette.setColor(QPalette::AlternateBase, c.sunken);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.sunken);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.gain);
    palette.setColor(QPalette::ToolTipBase, c.panel);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.onAccent);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::Light, c.panel);
    palette.setColor(QPalette::Midlight, c.sunken);
    palette.setColor(QPalette::Mid, c.border);
    palette.setColor(QPalette::Dark, c.muted);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, c.muted);
    return palette;
}

QString sheetOf(const Colours& c) {
    QString sheet = QString::fromLatin1(kSheet);
    if (c.contrast) sheet += QLatin1String(kContrastSheet);
    const std::pair<const char*, QColor> words[] = {
        {"@ground", c.ground}, {"@panel", c.panel}, {"@sunken", c.sunken},     {"@border", c.border},
        {"@text", c.text},     {"@muted", c.muted}, {"@onAccent", c.onAccent}, {"@accent", c.accent},
        {"@gain", c.gain},     {"@good", c.good},   {"@track", c.track},       {"@selection", c.selection}};
    for (const auto& [word, colour] : words)
        sheet.replace(QLatin1String(word), colour.name());
    return sheet;
}

} // namespace

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

const Colours& lightColours() {
    static const Colours colours{.ground = QColor(0xF2, 0xF4, 0xF7),
                                 .panel = QColor(0xFF, 0xFF, 0xFF),
                                 .sunken = QColor(0xF6, 0xF8, 0xFA),
                                 .border = QColor(0xE1, 0xE5, 0xEA),
                                 .text = QColor(0x1B, 0x24, 0x30),
                                 .muted = QColor(0x5B, 0x67, 0x75),
                                 .accent = QColor(0x00, 0x68, 0xA6),
                                 .onAccent = QColor(0xFF, 0xFF, 0xFF),
                                 .selection = QColor(0xE3, 0xEF, 0xF9),
                                 .gain = QColor(0xB0, 0x48, 0x00),
                                 .good = QColor(0x00, 0x75, 0x56),
                                 .track = QColor(0xE6, 0xEA, 0xEE)};
    return colours;
}

const Colours& darkColours() {
    static const Colours colours{.dark = true,
                                 .ground = QColor(0x17, 0x1A, 0x1E),
                                 .panel = QColor(0x20, 0x24, 0x2A),
                                 .sunken = QColor(0x28, 0x2D, 0x34),
                                 .border = QColor(0x33, 0x39, 0x41),
                                 .text = QColor(0xE9, 0xEC, 0xF0),
                                 .muted = QColor(0x9D, 0xA7, 0xB3),
                                 .accent = QColor(0x56, 0xB4, 0xE9),
                                 .onAccent = QColor(0x0B, 0x16, 0x20),
                                 .selection = QColor(0x2A, 0x3A, 0x4D),
                                 .gain = QColor(0xFF, 0x8F, 0x4A),
                                 .good = QColor(0x2F, 0xC4, 0x96),
                                 .track = QColor(0x36, 0x3D, 0x46)};
    return colours;
}

const Colours& contrastColours(bool dark) {
    static const Colours light{.contrast = true,
                               .ground = QColor(0xFF, 0xFF, 0xFF),
                               .panel = QColor(0xFF, 0xFF, 0xFF),
                               .sunken = QColor(0xFF, 0xFF, 0xFF),
                               .border = QColor(0x00, 0x00, 0x00),
                               .text = QColor(0x00, 0x00, 0x00),
                               .muted = QColor(0x33, 0x33, 0x33),
                               .accent = QColor(0x00, 0x4A, 0x78),
                               .onAccent = QColor(0xFF, 0xFF, 0xFF),
                               .selection = QColor(0xFF, 0xE9, 0x8A),
                               .gain = QColor(0x68, 0x27, 0x00),
                               .good = QColor(0x00, 0x50, 0x3A),
                               .track = QColor(0xD0, 0xD0, 0xD0)};
    static const Colours night{.dark = true,
                               .contrast = true,
                               .ground = QColor(0x00, 0x00, 0x00),
                               .panel = QColor(0x00, 0x00, 0x00),
                               .sunken = QColor(0x00, 0x00, 0x00),
                               .border = QColor(0xFF, 0xFF, 0xFF),
                               .text = QColor(0xFF, 0xFF, 0xFF),
                               .muted = QColor(0xD8, 0xD8, 0xD8),
                               .accent = QColor(0x7F, 0xCF, 0xFF),
                               .onAccent = QColor(0x00, 0x00, 0x00),
                               .selection = QColor(0x00, 0x28, 0x50),
                               .gain = QColor(0xFF, 0xB0, 0x70),
                               .good = QColor(0x4F, 0xE0, 0xB0),
                               .track = QColor(0x40, 0x40, 0x40)};
    return dark ? night : light;
}

const Colours& coloursFor(const QPalette& palette) {
    const bool dark = isDark(palette);
    // The sheet sets a widget's ground and text; this role it leaves alone.
    if (palette.color(QPalette::BrightText) == contrastColours(dark).gain) return contrastColours(dark);
    return dark ? darkColours() : lightColours();
}

void applyTheme(QApplication& app, Scheme scheme, const SystemLook& system) {
    // The platform's own palette is only there before the first setPalette; remember what it said.
    static const bool platformIsDark = isDark(QApplication::palette());
    const bool follows = scheme == Scheme::System || scheme == Scheme::Contrast;
    const bool dark = follows ? system.dark.value_or(platformIsDark) : scheme == Scheme::Dark;
    const bool contrast = scheme == Scheme::Contrast || (scheme == Scheme::System && system.contrast);
    const Colours& colours = contrast ? contrastColours(dark) : dark ? darkColours() : lightColours();
    QApplication::setStyle(new DormerStyle);
    QApplication::setPalette(paletteOf(colours));
    app.setStyleSheet(sheetOf(colours));
}

QFont headingFont(const QFont& base, qreal points) {
    QFont font = base;
    font.setPointSizeF(base.pointSizeF() + points);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont smallFont(const QFont& base) {
    QFont font = base;
    font.setPointSizeF(base.pointSizeF() - 1);
    return font;
}

Scheme schemeFromString(const QString& text, bool& ok) {
    ok = true;
    if (text == QLatin1String("light")) return Scheme::Light;
    if (text == QLatin1String("dark")) return Scheme::Dark;
    if (text == QLatin1String("contrast")) return Scheme::Contrast;
    ok = text == QLatin1String("system");
    return Scheme::System;
}

double contrast(const QColor& a, const QColor& b) {
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace dormer::ui::look
