// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/article.h"

#include "tests/support/catch.h"

#include <QLabel>
#include <QRegularExpression>

#include <memory>

TEST_CASE("names of counters and templates break where their words end", "[article]") {
    const QString name =
        QStringLiteral("at::native::vectorized_elementwise_kernel<MulFunctor<float>,Array<char*,2>>");
    const std::unique_ptr<QLabel> label{dormer::ui::look::paragraph(QStringLiteral("of ") + name)};
    QString shown = label->text();
    for (const QString& piece : shown.split(QRegularExpression(QStringLiteral("[\\s\u200b]"))))
        CHECK(piece.size() < 20);
    CHECK(shown.remove(QChar(0x200b)) == QStringLiteral("of ") + name);
    // What is short stays as it is, so that it can be searched and copied.
    const std::unique_ptr<QLabel> brief{
        dormer::ui::look::paragraph(QStringLiteral("a_b<c> of launch_count"))};
    CHECK(brief->text() == QStringLiteral("a_b<c> of launch_count"));
}
