// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>

#include <optional>

class QApplication;
class QPalette;
class QString;

namespace dormer::ui::look {

/// What the user chose. System is as light and as rich in contrast as the desktop; Contrast is high contrast,
/// as light as the desktop.
enum class Scheme { System, Light, Dark, Contrast };

/// What the desktop says.
struct SystemLook {
    std::optional<bool> dark{}; ///< absent: by the platform's palette
    bool contrast = false;
    bool operator==(const SystemLook&) const = default;
};

/// Colours of the window. Verdict colours are elsewhere (verdict_style.h): nothing here says a verdict. In
/// high contrast all text is at least 7:1 (WCAG 1.4.6).
struct Colours {
    bool dark = false;
    bool contrast = false;
    QColor ground;    ///< behind the panels
    QColor panel;     ///< panels, table, chart
    QColor sunken;    ///< fields and pills on a panel
    QColor border;    ///< the one hairline around a panel
    QColor text;      ///< at least 7:1 on panel
    QColor muted;     ///< secondary text, at least 4.5:1 on panel and ground
    QColor accent;    ///< primary button, links, checked boxes
    QColor onAccent;  ///< text on accent
    QColor selection; ///< selected row
    QColor gain;      ///< vermilion text: what is to be gained; at least 4.5:1
    QColor good;      ///< live dot, "measured"
    QColor track;     ///< empty part of a bar
};

/// Spacing of the 8-pixel grid.
inline constexpr int kGrid = 8;
inline constexpr int kPanelRadius = 8;

/// Whether a palette is a dark one, told by the lightness of its window colour.
[[nodiscard]] bool isDark(const QPalette& palette);
[[nodiscard]] const Colours& lightColours();
[[nodiscard]] const Colours& darkColours();
[[nodiscard]] const Colours& contrastColours(bool dark);
/// Those that go with a widget's palette.
[[nodiscard]] const Colours& coloursFor(const QPalette& palette);

/// Sets palette and style sheet of the whole application. May be called again to change the scheme.
void applyTheme(QApplication& app, Scheme scheme, const SystemLook& system = {});

/// The platform's font, heavier and larger by `points`.
[[nodiscard]] QFont headingFont(const QFont& base, qreal points);
/// The platform's font, smaller, for secondary text.
[[nodiscard]] QFont smallFont(const QFont& base);
/// "system", "light", "dark", "contrast"; anything else is System and `ok` false.
[[nodiscard]] Scheme schemeFromString(const QString& text, bool& ok);

/// WCAG contrast of two opaque colours, 1..21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

} // namespace dormer::ui::look
