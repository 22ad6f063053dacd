#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Gathers the sessions of many runs or ranks in one SQLite database, a row per session and kernel.

    fleet.py FLEET.db SESSION.dormer...

Table `kernels`: file, host, program, origin, kernel (its full name), launches, ns (of all launches whose time is known),
and a column per counter: its sum over the launches, or its mean where it is a rate, a share or a mean itself.
Sessions that are there already are read anew.
"""
import pathlib
import sqlite3
import sys

FACTS = {"file": "TEXT", "host": "TEXT", "program": "TEXT", "origin": "TEXT", "kernel": "TEXT", "launches": "INTEGER", "ns": "REAL"}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def is_sum(counter):
    """Sums are named so: "dram__bytes_read.sum", but not "….sum.peak_sustained"."""
    return counter.endswith(".sum")


def counted_launches(session):
    """A row per process and kernel; counters of launches that have their own."""
    counters = [row["name"] for row in session.execute("PRAGMA table_info(counters)") if row["name"] != "launch"]
    totals = "".join(f", {'SUM' if is_sum(name) else 'AVG'}(c.{quoted(name)}) AS {quoted(name)}" for name in counters)
    query = f"""SELECT p.process AS p, p.host, p.program, p.origin, k.name AS kernel, COUNT(*) AS launches,
                       SUM(l.duration_ns) AS ns{totals}
                FROM launches l JOIN kernels k ON k.kernel = l.kernel JOIN processes p ON p.process = l.process
                LEFT JOIN counters c ON c.launch = l.launch GROUP BY p.process, k.name"""
    return [dict(row) for row in session.execute(query)]


def signature_totals(session):
    """(process, kernel name) -> counters of launches that were sampled, or counted once for all like them."""
    if not session.execute("SELECT 1 FROM sqlite_master WHERE name = 'signature_counters'").fetchone():
        return {}
    same = " AND ".join(f"l.{name} IS s.{name}" for name in (
        "process", "device", "kernel", "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "dynamic_shared_bytes"))
    query = f"""SELECT s.process AS p, k.name AS k, s.counter, s.method, s.value, COUNT(*) AS launches, SUM(l.duration_ns) AS ns
                FROM signature_counters s JOIN processes p ON p.process = s.process AND p.by_signature = 1
                JOIN kernels k ON k.kernel = s.kernel JOIN launches l ON {same} GROUP BY s.row"""
    sums, means = {}, {}
    for row in session.execute(query):
        key, counter = (row["p"], row["k"]), row["counter"]
        if not is_sum(counter):
            mean = means.setdefault(key, {}).setdefault(counter, [0, 0])
            mean[0] += row["value"] * row["launches"]
            mean[1] += row["launches"]
            continue
        # Of a sampled sum the value is that of a second of the launches' time, of a counted one that of a launch.
        amount = (row["ns"] or 0) * 1e-9 if row["method"] == "sampled" else row["launches"]
        sums.setdefault(key, {}).setdefault(counter, 0)
        sums[key][counter] += row["value"] * amount
    for key, all_of in means.items():
        sums.setdefault(key, {}).update({counter: total / n for counter, (total, n) in all_of.items()})
    return sums


def rows_of(path):
    session = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    session.row_factory = sqlite3.Row
    try:
        by_signature = signature_totals(session)
        rows = []
        for row in counted_launches(session):
            row.update(by_signature.get((row.pop("p"), row["kernel"]), {}))
            rows.append({"file": str(path), **row})
        return rows
    finally:
        session.close()


def main(database, paths):
    fleet = sqlite3.connect(database)
    fleet.execute(f"CREATE TABLE IF NOT EXISTS kernels ({', '.join(f'{name} {kind}' for name, kind in FACTS.items())})")
    known = {row[1] for row in fleet.execute("PRAGMA table_info(kernels)")}
    failed = 0
    for path in map(pathlib.Path, paths):
        try:
            rows = rows_of(path)
        except sqlite3.Error as error:
            print(f"{path}: not a session: {error}", file=sys.stderr)
            failed += 1
            continue
        fleet.execute("DELETE FROM kernels WHERE file = ?", [str(path)])
        for row in rows:
            for name in row.keys() - known:
                fleet.execute(f"ALTER TABLE kernels ADD COLUMN {quoted(name)} REAL")
                known.add(name)
            names = ", ".join(map(quoted, row))
            fleet.execute(f"INSERT INTO kernels ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
    fleet.commit()
    return 5 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
