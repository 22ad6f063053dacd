// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/first_paint.h"

#include <QCoreApplication>
#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace dormer::ui::shell {
namespace {

double millisecondsSinceExec() {
    std::ifstream file("/proc/self/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    // Fields are counted after the program's name, which may hold anything: starttime is the 20th after it.
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string field;
    for (int i = 0; i < 20; ++i)
        fields >> field;
    const double startS = std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return 1e3 * (static_cast<double>(now.tv_sec) - startS) + static_cast<double>(now.tv_nsec) / 1e6;
}

class FirstPaint : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            watched->removeEventFilter(this);
            // Runs after this round of painting is done.
            QTimer::singleShot(0, this, [] {
                std::printf("first paint after %.0f ms\n", millisecondsSinceExec());
                std::fflush(stdout);
                QCoreApplication::quit();
            });
        }
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

void quitAfterFirstPaint(QWidget& watched) {
    watched.installEventFilter(new FirstPaint(&watched));
}

} // namespace dormer::ui::shell
