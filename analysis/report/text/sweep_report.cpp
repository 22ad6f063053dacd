// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/metrics/workload_facts.h"
#include "analysis/report/data/csv_field.h"
#include "analysis/report/data/json_values.h"
#include "analysis/report/text/sweep_plot.h"
#include "analysis/view/plot/sweep_words.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace dormer::report {

namespace {

std::string titleOf(const metrics::SweepTable& table) {
    const std::string name = view::cleanText(table.sweep.name);
    return table.sweep.title.empty() ? name : name + ": " + view::cleanText(table.sweep.title);
}

} // namespace

std::string sweepsTableText(const diagnosis::Diagnosis& diagnosis) {
    std::string out;
    for (const metrics::SweepTable& table : metrics::sweepTables(diagnosis.metrics())) {
        const view::TextCells cells = view::textCells(view::plot::sweepTable(table), "◀ best");
        out += titleOf(table) + "\n\n" + view::alignedTable(cells.columns, cells.rows) + '\n' +
               sweepPlotText(table);
        if (const std::string best = view::plot::bestText(table); !best.empty())
            out += '\n' + view::cleanText(best) + '\n';
        const auto effects = view::plot::effectTexts(table);
        if (!effects.empty()) out += "the best that each choice allows:\n";
        for (const std::string& effect : effects)
            out += "  " + view::cleanText(effect) + '\n';
        out += '\n';
    }
    return out + view::cleanText(session::provenance(diagnosis.session())) + '\n';
}

std::string sweepsMarkdownText(const diagnosis::Diagnosis& diagnosis) {
    std::string out =
        fmt::format("# Dormer: {}\n", view::escapeMarkdown(session::provenance(diagnosis.session())));
    return out + sweepSectionsMarkdown(diagnosis);
}

std::string sweepSectionsMarkdown(const diagnosis::Diagnosis& diagnosis) {
    std::string out;
    for (const metrics::SweepTable& table : metrics::sweepTables(diagnosis.metrics())) {
        const view::TextCells cells = view::textCells(view::plot::sweepTable(table), "◀ best");
        out += fmt::format("\n## {}\n\n", view::escapeMarkdown(titleOf(table)));
        if (const std::string best = view::plot::bestText(table); !best.empty())
            out += fmt::format("**{}**\n\n", view::escapeMarkdown(best));
        out += view::markdownTable(cells.columns, cells.rows);
        const auto effects = view::plot::effectTexts(table);
        if (!effects.empty()) out += "\nThe best that each choice allows:\n\n";
        for (const std::string& effect : effects)
            out += fmt::format("- {}\n", view::escapeMarkdown(effect));
    }
    return out;
}

std::string sweepsCsvText(const diagnosis::Diagnosis& diagnosis) {
    std::string out = "sweep,workload,parameters,metric,value,unit,best\r\n";
    for (const metrics::SweepTable& table : metrics::sweepTables(diagnosis.metrics()))
        for (std::size_t i = 0; i < table.points.size(); ++i) {
            const metrics::SweepPoint& point = table.points[i];
            std::string parameters;
            for (std::size_t p = 0; p < point.parameters.size(); ++p)
                parameters +=
                    fmt::format("{}{}={}", p > 0 ? ";" : "", table.sweep.parameters[p], point.parameters[p]);
            for (std::size_t metric = 0; metric < point.values.size(); ++metric)
                if (point.values[metric])
                    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{}\r\n",
                                   csvField(table.sweep.name), csvField(point.workload), csvField(parameters),
                                   csvField(table.sweep.metrics[metric]), csvNumber(*point.values[metric]),
                                   metrics::metricUnitSymbol(table.sweep.metrics[metric]),
                                   table.best == i ? 1 : 0);
        }
    return out;
}

nlohmann::json sweepsJson(const diagnosis::Diagnosis& diagnosis) {
    using nlohmann::json;
    json all = json::array();
    for (const metrics::SweepTable& table : metrics::sweepTables(diagnosis.metrics())) {
        json points = json::array(), told = json::array();
        for (const std::string& metric : table.sweep.metrics)
            told.push_back(
                {{"name", metric}, {"unit", jsonOrNull(std::string(metrics::metricUnitSymbol(metric)))}});
        for (const metrics::SweepPoint& point : table.points) {
            json parameters = json::object(), values = json::object();
            for (std::size_t i = 0; i < point.parameters.size(); ++i)
                parameters[table.sweep.parameters[i]] = jsonOrNull(point.parameters[i]);
            for (std::size_t i = 0; i < point.values.size(); ++i)
                values[table.sweep.metrics[i]] = jsonOrNull(point.values[i]);
            points.push_back({{"workload", point.workload},
                              {"parameters", std::move(parameters)},
                              {"x", jsonOrNull(point.x)},
                              {"values", std::move(values)}});
        }
        const auto gain = metrics::gainOfBest(table);
        all.push_back({{"name", table.sweep.name},
                       {"title", jsonOrNull(table.sweep.title)},
                       {"parameters", table.sweep.parameters},
                       {"metrics", std::move(told)},
                       {"axis", table.axis ? json(table.sweep.parameters[*table.axis]) : json(nullptr)},
                       {"logarithmic", table.logarithmic},
                       {"best_is", jsonOrNull(table.sweep.best)},
                       {"best", table.best ? json(table.points[*table.best].workload) : json(nullptr)},
                       {"best_over_worst", gain ? jsonNumber(gain->overWorst) : json(nullptr)},
                       {"best_over_median", gain ? jsonNumber(gain->overMedian) : json(nullptr)},
                       {"points", std::move(points)}});
    }
    return all;
}

} // namespace dormer::report
