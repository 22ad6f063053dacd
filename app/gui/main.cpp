// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/kernel_aliases.h"
#include "analysis/store/session_files.h"
#include "ui/look/desktop_look.h"
#include "ui/look/theme.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/first_paint.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QTimer>

#include <chrono>
#include <cstdio>
#include <future>
#include <optional>

namespace {

using namespace std::chrono_literals;

/// Points fade in over a fifth of a second.
constexpr auto kSettle = 500ms;

int fail(dormer::ErrorKind kind, const QString& message) {
    std::fprintf(stderr, "dormer-gui: %s\n", qPrintable(message));
    return static_cast<int>(kind);
}

/// A machine may have no fonts set up, where an archive that brings its own libraries brings a font, too.
void useOwnFontsWhereNoneAre() {
    if (qEnvironmentVariableIsSet("FONTCONFIG_FILE") || QFile::exists("/etc/fonts/fonts.conf")) return;
    const QDir programs = QFileInfo(QFile::symLinkTarget("/proc/self/exe")).dir();
    const QString ours = QDir::cleanPath(programs.filePath("../share/dormer/fonts/fonts.conf"));
    if (QFile::exists(ours)) qputenv("FONTCONFIG_FILE", QFile::encodeName(ours));
}

/// Lays the window out once, lets the points settle and writes the picture.
int exportChartTo(dormer::ui::shell::MainWindow& window, const QString& path) {
    window.resize(1440, 900);
    QString problem;
    QTimer::singleShot(kSettle, &window, [&window, &path, &problem] {
        problem = window.chartPanel().chart().exportTo(path);
        QApplication::quit();
    });
    QApplication::exec();
    return problem.isEmpty() ? 0 : fail(dormer::ErrorKind::Usage, problem);
}

} // namespace

int main(int argc, char* argv[]) {
    QCoreApplication::setApplicationName("dormer");
    QCoreApplication::setApplicationVersion(DORMER_VERSION);
    // Arguments are looked at before Qt looks for a display, so that --help and a wrong option need none.
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    parser.setApplicationDescription("GPU kernel profiler with a live roofline");
    parser.addPositionalArgument("FILE", "Sessions to show (.dormer); several are merged", "[FILE...]");
    const QCommandLineOption play("play", "Replay the recording as if it were being collected");
    const QCommandLineOption exportChart(
        "export-chart", "Write the chart to a .png, .svg or .pdf and quit; needs no display", "path");
    const QCommandLineOption theme("theme", "system, light, dark or contrast", "scheme", "system");
    const QCommandLineOption aliases("aliases", "Names of kernels, one 'PATTERN => NAME' per line", "file");
    const QCommandLineOption platform("platform", "Qt platform plugin", "name");
    const QCommandLineOption version("version", "Print the version");
    const QCommandLineOption help({"h", "help"}, "Print this help");
    parser.addOptions({play, exportChart, theme, aliases, platform, version, help});
    if (!parser.parse(arguments))
        return fail(dormer::ErrorKind::Usage, parser.errorText() + " (--help lists the options)");
    if (parser.isSet(version)) return std::printf("dormer-gui %s\n", DORMER_VERSION) < 0;
    if (parser.isSet(help)) {
        // Without an application object Qt does not know the program's name.
        const QString text = parser.helpText().replace("<executable_name>", "dormer-gui");
        return std::printf("%s", qPrintable(text)) < 0;
    }
    bool knownScheme = false;
    const dormer::ui::look::Scheme scheme =
        dormer::ui::look::schemeFromString(parser.value(theme), knownScheme);
    if (!knownScheme)
        return fail(dormer::ErrorKind::Usage,
                    QString("--theme %1: expected system, light, dark or contrast").arg(parser.value(theme)));
    if (parser.isSet(aliases)) {
        auto named = dormer::session::KernelAliases::load(parser.value(aliases).toStdString());
        if (!named) return fail(named.error().kind, QString::fromStdString(named.error().message));
        dormer::session::KernelAliases::use(std::move(*named));
    }
    const QStringList files = parser.positionalArguments();
    if (parser.isSet(play) && files.isEmpty())
        return fail(dormer::ErrorKind::Usage, "--play needs a FILE to play");
    if (parser.isSet(exportChart) && files.isEmpty())
        return fail(dormer::ErrorKind::Usage, "--export-chart needs a FILE to draw");
    if (parser.isSet(exportChart)) qputenv("QT_QPA_PLATFORM", "offscreen");

    // Reading goes on while Qt starts.
    auto reading =
        std::async(std::launch::async, [&files]() -> std::optional<dormer::Result<dormer::session::Session>> {
            if (files.isEmpty()) return std::nullopt;
            return dormer::store::loadSessions(dormer::ui::sessions::pathsOf(files));
        });
    useOwnFontsWhereNoneAre();
    QApplication app(argc, argv);
    QApplication::setDesktopFileName("dormer");
    QApplication::setWindowIcon(QIcon::fromTheme("dormer"));
    dormer::ui::look::applyTheme(app, scheme);
    const bool follows =
        scheme == dormer::ui::look::Scheme::System || scheme == dormer::ui::look::Scheme::Contrast;
    std::optional<dormer::ui::look::DesktopLook> desktop;
    if (follows && !parser.isSet(exportChart)) {
        desktop.emplace();
        QObject::connect(&*desktop, &dormer::ui::look::DesktopLook::changed, &app,
                         [&] { dormer::ui::look::applyTheme(app, scheme, desktop->look()); });
        QObject::connect(&app, &QGuiApplication::applicationStateChanged, &*desktop,
                         [&](Qt::ApplicationState state) {
                             if (state == Qt::ApplicationActive) desktop->refresh();
                         });
    }
    dormer::ui::shell::MainWindow window(dormer::ui::sessions::systemEnvironment());
    auto session = reading.get();
    if (session && !*session)
        return fail(session->error().kind, QString::fromStdString(session->error().message));
    if (session) window.control().show(std::move(**session), files, parser.isSet(play));
    if (qEnvironmentVariableIsSet("DORMER_GUI_MEASURE"))
        dormer::ui::shell::quitAfterFirstPaint(window.chartPanel().chart());
    window.show();
    if (parser.isSet(exportChart)) return exportChartTo(window, parser.value(exportChart));
    return QApplication::exec();
}
