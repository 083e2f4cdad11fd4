"""The data of tests/small_data.py broken in every way that is known, for tests that look at what becomes of it."""

import copy
import gzip
import random

import small_data

# Broken records


def without(records, *names):
    result = copy.deepcopy(records)
    for person in result:
        for name in names:
            person.pop(name, None)
            for course in person["courses"]:
                course.pop(name, None)
    return result


def stripped(records):
    """As if it were published: no identifiers, nothing that is dropped, and for tables new keys, which are numbers."""
    result = without(records, "ssn", "name", "phone", "student_id")
    cid = 0
    for number, person in enumerate(result, 1):
        person["student_id"] = number
        for course in person["courses"]:
            cid += 1
            course.update(cid=cid, student_id=number)
    return result


def records():
    """Names of what is wrong, records that have it, and whether their values stand where they belong."""
    good = small_data.people()

    def changed(at, **values):
        records = copy.deepcopy(good)
        records[at].update(values)
        return records

    def course_changed(at, **values):
        records = copy.deepcopy(good)
        records[at]["courses"][0].update(values)
        return records

    yield "nothing", good, True
    yield "the same identifier twice", changed(3, student_id=good[2]["student_id"]), True
    yield "no identifier", changed(3, student_id=None), True
    yield "a value outside the taxonomy", changed(3, major="QXSENS-M"), False
    yield "an identifier for a quasi-identifier", changed(3, major=good[3]["student_id"]), False
    yield "text for a range", changed(3, born="QXSENS-B"), False
    yield "a sensitive number for a range", changed(3, born="551937261.5.5"), False
    yield "text for a date", changed(3, seen="QXSENS-T"), False
    yield "an impossible date", changed(3, seen="2024-02-31 QXSENS"), False
    yield "no quasi-identifier", changed(3, major=None), True
    yield "no sensitive value", changed(3, diagnosis=None), True
    yield "an asterisk", changed(3, major="*"), True
    yield "a control character", changed(3, diagnosis="QXSENS\x01"), True
    yield "quotes and line ends", changed(3, diagnosis='QXSENS"\n,;"<&>\t\\'), True
    yield "a long text", changed(3, diagnosis="QXSENS" * 20000), True
    yield "a long number", changed(3, salary=551937261 * 10**60 + 1), True
    yield "the same sensitive value everywhere", [{**person, "diagnosis": "QXSENS"} for person in good], True
    yield "one record", good[:1], True
    yield "no records", [], True
    names = small_data.ROOT_COLUMNS
    yield ("values under the next name",
           [{**person, **{name: person[names[i - 1]] for i, name in enumerate(names)}} for person in good], False)
    yield "an unknown code", course_changed(3, code="*"), True
    yield "rows without a parent", course_changed(3, student_id="QXIDENT-999"), True
    yield "rows without a key of a parent", course_changed(3, student_id=None), True
    yield "the same key twice", course_changed(3, cid=good[4]["courses"][0]["cid"]), True
    yield "no key", course_changed(3, cid=None), True
    public = stripped(good)
    yield "not generalized", public, True
    with_ids = copy.deepcopy(public)
    with_ids[0]["name"] = "QXDROP-N0"
    yield "not generalized, one dropped value", with_ids, True
    labels = copy.deepcopy(public)
    labels[0]["major"] = "QXSENS-L"
    yield "not generalized, a label outside the taxonomy", labels, False
    alike = copy.deepcopy(public)
    for person in alike:
        person.update(major="*", born="[1950, 2000)", seen="2024", diagnosis="QXSENS-D1")
        person["courses"] = [{**person["courses"][0], "code": "*****"}]
    yield "generalized, but not diverse", alike, True
    untrue = copy.deepcopy(alike)
    for number, person in enumerate(untrue):
        person["diagnosis"] = f"QXSENS-U{number}"
    yield "generalized, but not true", untrue, True


# Broken files


def replaced(content, old, new):
    assert old in content, old
    return content.replace(old, new, 1)


def files(data_format, content):
    """Ways to break this format's files that records cannot express."""
    if data_format == "jsonl":
        line = content.splitlines(keepends=True)[2]
        for name, text in {
                "an object for a value": replaced(line, b'"QXSENS-D2"', b'{"x": "QXSENS-D2"}'),
                "an array for a value": replaced(line, b'"QXSENS-D2"', b'["QXSENS-D2", "QXSENS"]'),
                "an array for an identifier": replaced(line, b'"QXIDENT-002"', b'["QXIDENT-002"]'),
                "a number for an identifier": replaced(line, b'"QXIDENT-002"', b'771826453001'),
                "a text for children": replaced(line, b'"courses": [', b'"courses": "QXSENS", "others": ['),
                "a text among children": replaced(line, b'"courses": [', b'"courses": ["QXSENS", '),
                "a key twice": replaced(line, b'"major"', b'"name": "QXDROP", "major"'),
                "a text for a record": b'"QXSENS QXIDENT"\n',
                "a number for a record": b'551937261001\n',
                "an array for a record": b'["QXSENS", "QXIDENT"]\n',
                "a misspelt identifier": replaced(line, b'"student_id"', b'"studentid"'),
                "a bare word": replaced(line, b'"QXSENS-D2"', b'QXSENS'),
                "a bad escape": replaced(line, b'QXSENS-D2', b'QXSENS\\q'),
                "half a surrogate": replaced(line, b'QXSENS-D2', b'QXSENS\\ud800'),
                "bad UTF-8": replaced(line, b'QXSENS-D2', b'QXSENS\xff'),
                "two records in a line": line.rstrip() + line,
        }.items():
            yield name, content.replace(line, text)
    if data_format == "csv":
        lines = content.splitlines(keepends=True)
        yield "no header", b"".join(lines[1:])
        yield "a header and nothing else", lines[0]
        yield "semicolons", content.replace(b",", b";")
        yield "tabs in some rows", lines[0] + b"".join(lines[1:]).replace(b",", b"\t")
        yield "a value too many", content + b"QXIDENT-X,QXDROP,QXSENS,1,2,3,4,5,6,7,8,9\n"
        yield "a value too few", content + b"QXIDENT-X,QXDROP\n"
        yield "an open quote", replaced(content, b"QXDROP-N2", b'"QXDROP-N2')
        yield "text behind a quote", replaced(content, b"QXDROP-N2", b'"QXDROP-N2"QXDROP')
        yield "a quote inside", replaced(content, b"QXDROP-N2", b'QXDROP"N2')
        yield "carriage returns alone", content.replace(b"\n", b"\r")
        yield "bad UTF-8", replaced(content, b"QXDROP-N2", b"QXDROP\xff")
        yield "UTF-16", content.decode().encode("utf-16")
        yield "the header twice", lines[0] + content
        yield "two columns of a name", replaced(content, b"name", b"major")
    if data_format == "xml":
        yield "an undefined entity", replaced(content, b"QXSENS-D2", b"&QXSENS;")
        yield "a document type", replaced(content, b"<students>",
                                          b'<!DOCTYPE x [<!ENTITY e "QXSENS">]>\n<students>')
        yield "a wrong end tag", replaced(content, b"<phone>QXDROP-P20</phone>", b"<phone>QXDROP-P20</QXDROP>")
        yield "a value twice", replaced(content, b"<diagnosis>", b"<diagnosis>QXSENS</diagnosis><diagnosis>")
        yield "an element in a value", replaced(content, b"QXSENS-D2", b"<b>QXSENS-D2</b>")
        yield "text between elements", replaced(content, b"<course", b"QXSENS <course")
        yield "text around the records", replaced(content, b"<student ", b"QXSENS <student ")
        yield "a comment and an instruction", replaced(content, b"<course", b"<!-- QXSENS --><?QXSENS QXIDENT?><course")
        yield "an attribute twice", replaced(content, b'score="QXSENS-S20"', b'score="QXSENS-S20" score="QXSENS"')
        yield "a value without quotes", replaced(content, b'"QXSENS-S20"', b"QXSENS-S20")
        yield "another encoding", replaced(content, b"UTF-8", b"UTF-16")
        yield "bad UTF-8", replaced(content, b"QXSENS-D2", b"QXSENS\xff")
        yield "no root element", replaced(content, b"<students>", b"")
    if data_format == "transactions":
        yield "an open quote", b'"QXSENS \n' + content
        yield "text behind a quote", b'"QXSENS"QXSENS\n' + content
        yield "bad UTF-8", b"QXSENS\xff\n" + content
        yield "a zero byte", b"QXSENS\x00\n" + content
    if data_format == "querylog":
        header, rows = content.split(b"\n", 1)
        yield "no header", rows
        yield "another order of columns", b"\t".join(reversed(header.split(b"\t"))) + b"\n" + rows
        yield "a column without its name", replaced(content, b"QueryTime", b"QXSENS")
        yield "two columns of a name", replaced(content, b"ClickURL", b"Query")
        yield "a column too many", header + b"\tHost\n" + rows.replace(b"\n", b"\tQXDROP\n")
        yield "a value too many", content + b"QXIDENT-X\tQXSENS\t2024-01-01\tQXSENS\tQXDROP\tQXDROP\n"
        yield "a value too few", content + b"QXIDENT-X\tQXSENS\n"
        yield "no user", content + b"\tQXSENS\t2024-01-01\t\t\n"
        yield "a time that is none", content + b"QXIDENT-X\tQXSENS\tQXSENS 1:00\t\tQXDROP\n"
        yield "commas in some rows", content + b"QXIDENT-X,QXSENS,2024-01-01,,\n"
        yield "an open quote", content + b'QXIDENT-X\t"QXSENS\t2024-01-01\t\t\n'
        yield "bad UTF-8", content + b"QXIDENT-X\tQXSENS\xff\t2024-01-01\t\t\n"
        yield "a zero byte", content + b"QXIDENT-X\tQXSENS\x00\t2024-01-01\t\t\n"
        yield "carriage returns alone", content.replace(b"\n", b"\r")
        yield "UTF-16", content.decode().encode("utf-16")
        yield "published, with users", b"AnonID\tQuery\nQXIDENT-X\tQXSENS\n"
        yield "published, with other words", b"AnonID\tQuery\n1\tQXSENS\n2\tQXSENS\n"
    yield "nothing at all", b""
    yield "zero bytes", b"\0" * 100
    yield "cut off", content[:len(content) * 2 // 3]
    yield "gzip, cut off", gzip.compress(content)[:-20]
    yield "gzip, then text", gzip.compress(content) + b"QXSENS"


def mutated(content, count, seed):
    """The content with one place broken, in so many ways."""
    choice = random.Random(seed)
    for number in range(count):
        at = choice.randrange(len(content))
        kind = choice.randrange(4)
        if kind == 0:
            yield f"mutation {number}: without byte {at}", content[:at] + content[at + 1:]
        elif kind == 1:
            end = at + choice.randrange(1, 60)
            yield f"mutation {number}: without bytes {at} to {end}", content[:at] + content[end:]
        elif kind == 2:
            byte = choice.choice(b'"\'{}[]<>&;:,\\\n\r\t\0\xff */=-0aZ')
            yield f"mutation {number}: byte {byte} at {at}", content[:at] + bytes([byte]) + content[at:]
        else:
            end = min(len(content), at + choice.randrange(1, 200))
            yield f"mutation {number}: bytes {at} to {end} twice", content[:end] + content[at:]


def tables(path):
    """Ways to break a folder of tables, as functions of its path."""
    def edit(table, change):
        def apply(folder):
            file = folder / f"{table}.csv"
            file.write_bytes(change(file.read_bytes()))
        return apply

    yield "a table without its header", edit("courses", lambda c: c.partition(b"\n")[2]), False
    yield "a table without a column", edit("courses", lambda c: replaced(c, b"student_id", b"other")), True
    yield "a table with semicolons", edit("courses", lambda c: c.replace(b",", b";")), True
    yield "a ragged row", edit("courses", lambda c: c + b"QXIDENT,QXIDENT-001,QXSENS\n"), True
    yield "an open quote", edit("students", lambda c: replaced(c, b"QXDROP-N2", b'"QXDROP-N2')), True
    yield "no rows", edit("courses", lambda c: c.partition(b"\n")[0] + b"\n"), True
    yield "a missing table", lambda folder: (folder / "courses.csv").unlink(), True
    yield "another table", lambda folder: (folder / "QXIDENT.csv").write_text("QXSENS,QXDROP\n1,QXSENS\n"), False


def sqlite():
    """Statements that break the database, and whether values still stand where they belong."""
    yield "no table", ["DROP TABLE courses"], True
    yield "a blob", ["UPDATE students SET diagnosis = CAST('QXSENS' AS BLOB) WHERE rowid = 3"], True
    yield "blobs as identifiers", ["UPDATE students SET student_id = CAST(student_id AS BLOB)"], True
    yield ("a view that fails", ["ALTER TABLE students RENAME TO people",
                                 "CREATE VIEW students AS SELECT student_id, ssn, name, major, abs(born - born - "
                                 "9223372036854775807 - 1) AS born, seen, diagnosis, salary FROM people"], False)
    yield ("deleted rows in free pages", ["CREATE TABLE t (x)", "INSERT INTO t VALUES (zeroblob(90000) || 'QXIDENT')",
                                          "DELETE FROM t", "DROP TABLE t"], True)
    yield "a trigger", ["CREATE TRIGGER QXIDENT AFTER INSERT ON students BEGIN SELECT 'QXSENS'; END"], True
    yield "another table", ["CREATE TABLE QXIDENT (QXDROP)", "INSERT INTO QXIDENT VALUES ('QXSENS')"], False


def postgres():
    """Statements that break the tables."""
    yield "no table", "DROP TABLE courses"
    yield "an array", "ALTER TABLE students ALTER diagnosis TYPE text[] USING ARRAY[diagnosis]"
    yield ("a view that fails", "ALTER TABLE students RENAME TO people; CREATE VIEW students AS SELECT student_id, ssn, "
           "name, major, born, seen, diagnosis::numeric AS diagnosis, salary FROM people")
    yield ("a view whose key fails", "ALTER TABLE students RENAME TO people; CREATE VIEW students AS SELECT "
           "student_id::int AS student_id, ssn, name, major, born, seen, diagnosis, salary FROM people")
    yield ("a value taken for a name", "ALTER TABLE students RENAME TO people; CREATE VIEW students AS SELECT student_id, "
           "ssn, name, major, born, seen, (diagnosis::regclass)::text AS diagnosis, salary FROM people")
    yield "another table", "CREATE TABLE \"QXIDENT\" (\"QXDROP\" text)"
