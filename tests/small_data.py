"""Eight students in every format, with a policy each: for tests that run the command thousands of times.

Identifiers, keys, dropped and sensitive values are canaries: texts and numbers that stand nowhere else, so that a test
can look for them in any bytes (`canaries_in`). One student has a course more than all others: its sensitive value can
never be published.
"""

import copy
import gzip
import io
import json
import pathlib
import sqlite3
import xml.sax.saxutils

# Long enough that no hash, time or count of a report looks like one.
IDENTIFIER = {"text": "qxident", "number": "771826453"}
DROPPED = {"text": "qxdrop", "number": "662714835"}
SENSITIVE = {"text": "qxsens", "number": "551937261"}
SUPPRESSED = "qxgone"

MAJORS = ["CS", "EE", "Law", "Art"]
ROOT_COLUMNS = ["student_id", "ssn", "name", "major", "born", "seen", "diagnosis", "salary"]
COURSE_COLUMNS = ["cid", "student_id", "code", "score", "phone"]
TAXONOMY = "CS;Engineering;*\nEE;Engineering;*\nLaw;Humanities;*\nArt;Humanities;*\n"


def people():
    """The records, as trees; a course also has the keys that tables need."""
    result = []
    for i in range(8):
        courses = [{"cid": f"QXIDENT-C{i}{j}", "student_id": f"QXIDENT-{i:03}", "code": f"{MAJORS[i % 2]}{1 + j}0{i % 3}",
                    "score": f"QXSENS-S{i}{j}", "phone": f"QXDROP-P{i}{j}"} for j in range(1 + i // 4)]
        result.append({"student_id": f"QXIDENT-{i:03}", "ssn": 662714835000 + i, "name": f"QXDROP-N{i}",
                       "major": MAJORS[i // 2], "born": 1980 + i // 2, "seen": f"2024-0{1 + i // 4}-1{i % 4}",
                       "diagnosis": f"QXSENS-D{i}", "salary": 551937261000 + i, "courses": courses})
    extra = copy.deepcopy(result[5]["courses"][0])
    extra.update(cid="QXIDENT-C59", score="QXGONE-S59")
    result[5]["courses"].append(extra)
    return result


def canaries_in(content, kinds=("identifier", "dropped", "sensitive", "suppressed")):
    """Which kinds of canaries stand in these bytes, however they are cased, and numbers with or without commas."""
    text = content.lower()
    digits = text.replace(b",", b"")
    marks = {"identifier": list(IDENTIFIER.values()), "dropped": list(DROPPED.values()),
             "sensitive": list(SENSITIVE.values()), "suppressed": [SUPPRESSED]}
    return [kind for kind in kinds if any(mark.encode() in text or mark.encode() in digits for mark in marks[kind])]


# Trees


def named(person):
    """A record's own values; a new key, which is a number, is a table's only."""
    return {key: value for key, value in person.items()
            if key != "courses" and not (key == "student_id" and isinstance(value, int))}


def tree(person):
    """A record without the columns that only tables need."""
    plain = named(person)
    plain["courses"] = [{key: value for key, value in course.items() if key not in ("cid", "student_id")}
                        for course in person["courses"]]
    return plain


def jsonl(records):
    return "".join(json.dumps(tree(person)) + "\n" for person in records).encode()


def json_document(records):
    return json.dumps({"students": [tree(person) for person in records]}, indent=1).encode()


def xml_document(records):
    def text(value):
        return xml.sax.saxutils.escape(str(value))

    def attribute(value):
        return xml.sax.saxutils.quoteattr(str(value))

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<students>"]
    for person in records:
        own = named(person)
        member = [f"<{key}>{text(own[key])}</{key}>" for key in ROOT_COLUMNS[1:] if own.get(key) is not None]
        for course in person["courses"]:
            phone = f"<phone>{text(course['phone'])}</phone>" if "phone" in course else ""
            member.append(f"<course code={attribute(course['code'])} score={attribute(course['score'])}>{phone}</course>")
        key = "" if own.get("student_id") is None else f" student_id={attribute(own['student_id'])}"
        lines.append(f"<student{key}>\n  " + "\n  ".join(member) + "\n</student>")
    return "\n".join([*lines, "</students>", ""]).encode()


# Rows


def csv_rows(columns, rows):
    def cell(value):
        text = "" if value is None else str(value)
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n\r') else text

    # What nobody has is no column.
    columns = [column for column in columns if not rows or any(column in row for row in rows)]
    out = io.StringIO()
    for row in [columns, *([row.get(column) for column in columns] for row in rows)]:
        out.write(",".join(cell(value) for value in row) + "\n")
    return out.getvalue().encode()


def csv_file(records):
    return csv_rows(ROOT_COLUMNS, [named(person) for person in records])


def courses_of(records):
    return [course for person in records for course in person["courses"]]


def transactions(records):
    return "".join(" ".join(str(course["score"]) for course in person["courses"]) + "\n" for person in records).encode()


# What somebody searches for: words that the taxonomy has, and words that it does not have, which are left out.
LOG_COLUMNS = ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"]
WORDS = TAXONOMY + "wine;Drinks;*\nbeer;Drinks;*\n"


def querylog(records):
    rows = []
    for number, person in enumerate(records):
        for course in person["courses"]:
            rows.append([person.get("student_id"), f"{person.get('major')} {'beer' if number % 2 else 'Wine'} {course.get('score')}",
                         person.get("seen"), number % 3 or None, person.get("name")])
    return "".join("\t".join("" if value is None else str(value) for value in row) + "\n"
                   for row in [LOG_COLUMNS, *rows]).encode()


def write_tables(records, path):
    path.mkdir()
    (path / "students.csv").write_bytes(csv_rows(ROOT_COLUMNS, records))
    (path / "courses.csv").write_bytes(csv_rows(COURSE_COLUMNS, courses_of(records)))


def write_sqlite(records, path):
    def value_of(value):
        return str(value) if isinstance(value, int) and value >= 2**63 else value

    database = sqlite3.connect(path)
    for table, columns, rows in (("students", ROOT_COLUMNS, records), ("courses", COURSE_COLUMNS, courses_of(records))):
        columns = [column for column in columns if not rows or any(column in row for row in rows)]
        database.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})",
                             [[value_of(row.get(column)) for column in columns] for row in rows])
    database.commit()
    database.close()


def postgres_sql(records, schema="public"):
    """Statements that make the tables: every column a text, so that any broken value fits."""
    def literal(value):
        return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"

    statements = [f"CREATE SCHEMA IF NOT EXISTS {schema};"]
    for table, columns, rows in (("students", ROOT_COLUMNS, records), ("courses", COURSE_COLUMNS, courses_of(records))):
        columns = [column for column in columns if not rows or any(column in row for row in rows)]
        statements.append(f"CREATE TABLE {schema}.{table} ({', '.join(column + ' text' for column in columns)});")
        statements += [f"INSERT INTO {schema}.{table} VALUES ({', '.join(literal(row.get(c)) for c in columns)});"
                       for row in rows]
    return "\n".join(statements)


# Formats and their policies

FILES = {"jsonl": ("data.jsonl", jsonl), "json": ("data.json", json_document), "xml": ("data.xml", xml_document),
         "csv": ("data.csv", csv_file), "transactions": ("data.txt", transactions),
         "querylog": ("data.tsv", querylog)}
TABLES = ("tables", "sqlite", "postgresql")
FORMATS = (*FILES, *TABLES)


def name_of(data_format):
    """What the data is called in its folder."""
    return {"tables": "data", "sqlite": "data.db"}.get(data_format) or FILES[data_format][0]


def write(data_format, records, path):
    """Writes the records where the command can read them; a name that ends in .gz is compressed."""
    path = pathlib.Path(path)
    if data_format == "tables":
        write_tables(records, path)
    elif data_format == "sqlite":
        write_sqlite(records, path)
    else:
        content = FILES[data_format][1](records)
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


PRIVACY = {
    "diverse": "privacy: {k: 2, l: 2}\n",
    "levels": "privacy: {k: 2, alpha: [1, 1, 1, 1, 1]}\n",
    "combinations": "privacy: {k: 2, m: 1, n: 0}\n",
    "combinations-diverse": "privacy: {k: 2, m: 1, n: 0, l: 2}\n",
    # Of sets: every item is a sensitive one.
    "combinations-items": "privacy: {k: 2, m: 1, n: 0, l: 2, sensitive_items: [ITEMS]}\n",
}


# Of bags: what is published of words that stand together.
BAG_PRIVACY = {
    "diverse": "privacy: {k: 2, epsilon: 2}\n",
    "hyper": "privacy: {k: 2, epsilon: 2}\nmethod: {name: ssg, centre: hyper}\n",
    "generalize": "privacy: {k: 2, epsilon: 2}\nmethod: {name: ssg, centre: generalize}\n",
    "lgbag": "privacy: {model: vocabulary k-anonymity, k: 2}\nmethod: {name: lgbag}\n",
}


def log_policy(model):
    return (f"version: 1\ninput: {{format: querylog, path: {name_of('querylog')}, session_gap: 1h}}\nrecord:\n  class: vocabulary\n"
            "  children:\n    - {class: term, at: terms, quasi: {term: {taxonomy: words.csv, unknown: missing}}}\n" + BAG_PRIVACY[model])


def policy(data_format, model="diverse"):
    """A policy for these records. Models: the keys of PRIVACY; of query logs those of BAG_PRIVACY."""
    if data_format == "querylog":
        return log_policy(model)

    def secret(levels):
        return f"{{levels: {levels}}}" if model == "levels" else "{}"

    lines = ["version: 1", "input:", f"  format: {data_format}"]
    if data_format != "postgresql":
        lines.append(f"  path: {name_of(data_format)}")
    if data_format == "json":
        lines.append("  at: students")
    if data_format == "xml":
        lines.append("  at: students/student")
    lines += ["record:", "  class: student"]
    if model == "combinations-items":
        lines += ["  children:", "    - class: item", "      at: items", "      quasi: {item: {taxonomy: major.csv}}"]
        items = ", ".join(course["score"] for course in courses_of(people()))
        return "\n".join(lines) + "\n" + PRIVACY[model].replace("ITEMS", items)
    if data_format == "transactions":
        lines += ["  children:", "    - class: item", "      at: items",
                  f"      sensitive: {{item: {secret('frequency')}}}"]
        return "\n".join(lines) + "\n" + PRIVACY[model]
    if data_format in TABLES:
        lines += ["  table: students", "  key: student_id"]
    lines += ["  id: student_id", "  drop: [ssn, name]", "  quasi:", "    major: {taxonomy: major.csv}",
              "    born: {ranges: [5, 10, 50]}", "    seen: {date: [month, year]}", "  sensitive:",
              f"    diagnosis: {secret('frequency')}", f"    salary: {secret('{min: 0, max: 1000000000000}')}"]
    if data_format != "csv":
        lines += ["  children:", "    - class: course"]
        if data_format in TABLES:
            lines += ["      table: courses", "      key: cid", "      parent: student_id"]
        else:
            lines.append("      at: course" if data_format == "xml" else "      at: courses")
        lines += ["      drop: [phone]", "      quasi: {code: {mask: 4}}",
                  f"      sensitive: {{score: {secret('frequency')}}}"]
    return "\n".join(lines) + "\n" + PRIVACY[model]


def write_policies(data_format, folder):
    """Policies of every model that the format can keep, and the taxonomy they name; returns the models."""
    folder = pathlib.Path(folder)
    (folder / "major.csv").write_text(TAXONOMY)
    if data_format == "querylog":
        (folder / "words.csv").write_text(WORDS)
        for model in BAG_PRIVACY:
            (folder / f"{model}.yaml").write_text(policy(data_format, model))
        return list(BAG_PRIVACY)
    not_for_it = ("combinations", "combinations-diverse") if data_format == "transactions" else ("combinations-items",)
    models = [model for model in PRIVACY if model not in not_for_it]
    for model in models:
        (folder / f"{model}.yaml").write_text(policy(data_format, model))
    return models
