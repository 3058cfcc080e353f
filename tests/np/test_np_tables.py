"""tests/np/test_np_tables.py - tables as spreadsheets, statistics programs and instruments write them, each fitted by
heed-np with one command: test_np_tables.py PROGRAM DATA

Most tables hold the rows of mcycle.csv in a different form, so that the fit must have the same criterion, 595.936344,
which R's package np gives (tests/np/oracle.R): it does not depend on the unit of x. Predictions are compared with
formulas in this file."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import datetime
import gzip
import math
import os
import random
import subprocess
import sys
import tempfile

program, data = sys.argv[1], sys.argv[2]
failures = []
EXPECTED = "595.93634"
with open(os.path.join(data, "mcycle.csv"), encoding="utf-8") as file:
    ROWS = [(row["times"], row["accel"]) for row in csv.DictReader(file)]


def run(arguments, data_in=None):
    done = subprocess.run([program, *arguments], capture_output=True, input=data_in, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def expect(name, condition, output=""):
    if not condition:
        failures.append(name)
        print(f"{name}: {output[:1500]}")


def write(name, content, encoding="utf-8"):
    with open(name, "wb") as out:
        out.write(content if isinstance(content, bytes) else content.encode(encoding))
    return name


def fits(name, content, *arguments, expected=EXPECTED, encoding="utf-8", data_in=None, formula="accel ~ times"):
    """Writes a table and expects the criterion from heed-np FORMULA TABLE ARGUMENTS."""
    if content is not None:
        write(name, content, encoding)
    code, out, err = run([formula, "-" if data_in else name, *arguments], data_in)
    expect(f"{name} {' '.join(arguments)}", code == 0 and expected in out, out + err)


def refused(name, content, text, *arguments, formula="accel ~ times", code=1):
    write(name, content)
    got, out, err = run([formula, name, *arguments])
    expect(f"{name} {' '.join(arguments)}", got == code and text in err, f"{got} {out}{err}")


def table(separator=",", end="\n", header="times,accel", row=lambda t, a: (t, a)):
    lines = [separator.join(header.split(","))] + [separator.join(row(t, a)) for t, a in ROWS]
    return end.join(lines) + end


def comma(number):
    return number.replace(".", ",")


def grouped(number, group=",", point="."):
    """1000 times the number, in groups of three digits."""
    text = f"{float(number) * 1000:,.1f}"
    return text.replace(",", " ").replace(".", point).replace(" ", group)


def day(number):
    return datetime.date(2023, 11, 20) + datetime.timedelta(days=round(float(number) * 10))


def twenty_tables():
    fits("excel_de.csv", "\ufeff" + table(";", "\r\n", row=lambda t, a: (comma(t), comma(a))), "--decimal", ",")
    fits("excel_us.csv", "\ufeff" + table(",", "\r\n"))
    fits("preamble.csv", "Instrument: 7\nOperator, \"J. D.\"\n\n" + table(), "--skip-lines", "3")
    fits("comments.csv", "# made by a logger\n# units: ms, g\n" + table().replace("\n6.2,", "\n# restart\n6.2,", 1),
         "--comment", "#")
    scaled = f"{595936344:.4g}"[:4]
    fits("thousands.csv", table(row=lambda t, a: (t, f'"{grouped(a)}"')), "--thousands", ",", "--json",
         expected=f'"value": {scaled.split("e")[0].replace(".", "")}')
    fits("thousands_de.csv", table(";", row=lambda t, a: (comma(t), grouped(a, ".", ","))), "--decimal", ",",
         "--thousands", ".", "--json", expected=f'"value": {scaled.split("e")[0].replace(".", "")}')
    fits("dates_iso.csv", table(row=lambda t, a: (day(t).isoformat(), a)))
    fits("dates_de.csv", table(";", row=lambda t, a: (f"{day(t).day}.{day(t).month}.{day(t).year}", a)))
    fits("dates_us.csv", table(row=lambda t, a: (day(t).strftime("%m/%d/%Y"), a)))
    fits("dates_names.csv", table("\t", row=lambda t, a: (day(t).strftime("%d-%b-%Y"), a)))
    spellings = ["", "NA", "N/A", "NaN", "null", "-999", "."]
    missing = "".join(f"{i + 1},{text}\n{text},{i}\n" for i, text in enumerate(spellings))
    fits("missing.csv", table() + missing, "--missing", "-999", "--missing", ".")
    code, out, _ = run(["accel ~ times", "missing.csv", "-m", "-999", "-m", "."])
    expect("rows left out", code == 0 and "14 left out for missing values" in out, out)
    fits("trailing.csv", table(",", ",\n"))
    fits("utf8.csv", table(header="größe,maß"), formula="maß ~ größe")
    fits("latin1.csv", table(header="größe,maß"), formula="maß ~ größe", encoding="latin-1")
    fits("quotes.csv", table(header="times,accel,remark", row=lambda t, a: (t, a, '"seen, \n""twice""\n"')))
    names = (f'"{i + 1}" {t} {a}\n' for i, (t, a) in enumerate(ROWS))
    fits("write_table.txt", '"times" "accel"\n' + "".join(names))
    fits("columns.dat", "".join(f"{t:>8}  {a:>9}\n" for t, a in ROWS), "--no-header", formula="V2 ~ V1")
    fits("tabs.tsv.gz", gzip.compress(table("\t").encode()))
    fits("standard input", None, data_in=table("|").encode())
    fits("blank_lines.csv", table().replace("\n", "\n\n", 60))
    fits("pandas.csv", table(header=",times,accel", row=lambda t, a: ("7", t, a)), formula="accel ~ .")
    fits("quoted_commas.csv", table(row=lambda t, a: (f'"{comma(t)}"', f'"{comma(a)}"')), "--decimal", ",")
    fits("notes.csv", table(header="times,note,accel", row=lambda t, a: (t, t.split(".")[0] + " ms", a)),
         formula="accel ~ . - note")
    million_rows()


def million_rows():
    random.seed(7)
    lines = ["x,y"]
    for i in range(1_000_000):
        x = i / 1e6
        lines.append(f"{x:.6f},{math.sin(6 * x) + random.gauss(0, 0.1):.4f}")
    write("million.csv", "\n".join(lines) + "\n")
    code, out, err = run(["y ~ x", "million.csv", "--criterion", "rule", "--json"])
    # the rule leaves a bias of h^2 / 2 times the second derivative, and else the variance of the noise, 0.01
    value = float(out.split('"value": ')[1].split(",")[0]) if code == 0 else 0
    expect("million.csv", code == 0 and '"rows": 1000000' in out and abs(value - 0.01) < 3e-4, out + err)


def other_files():
    refused("utf16.csv", "\ufeff".encode("utf-16-le") + "x,y\n1,2\n".encode("utf-16-le"), "text in UTF-16")
    sheet = b"PK\3\4" + bytes(22) + b"\x13\0\0\0[Content_Types].xml" + bytes(40)
    refused("book.xlsx", sheet, "such as .xlsx (save the sheet as CSV)")
    refused("excel.csv", table(";", row=lambda t, a: (comma(t), comma(a))), "(--decimal ,)")
    refused("thousands.csv", table(row=lambda t, a: (t, f'"{grouped(a)}"')), "(--thousands ,)")
    refused("preamble.csv", "Instrument 7\n" + table(), "--skip-lines N")
    refused("ambiguous.csv", "times,accel\n03/04/2024,1\n05/06/2024,2\n", "--date-order day")
    refused("mixed.csv", table() + "9,unknown\n", "--missing TEXT")
    refused("separator.csv", table(";"), "(--separator C)", "--separator", "tab")
    refused("excel_sep.csv", "sep=;\n" + table(";"), "(--skip-lines 1 ignores the line for Excel)")
    fits("excel_sep.csv", None, "--skip-lines", "1")
    refused("header.csv", "times,accel\n", "the table has a header, but no rows")
    refused("kilos.csv", "m,y\n1 kg,1\n2 kg,3\n3.5 kg,4\n", formula="y ~ m",
            text='m has a different text in every row, such as "1 kg" on line 2; leave it out, remove the text around '
                 'numbers, or use factor(m)')
    fits("labels.csv", table(header="times,note,accel", row=lambda t, a: (t, t[0] + " kg", a)), "-b", "2,1",
         formula="accel ~ times + note", expected="labels: 9")
    for i, form in enumerate(["{}%", "${}", "{} €", "£{}", "−{}", "<{}", "{}\xa0", "{}°", "12:{}", "2024/{}"]):
        refused(f"signs_{i}.csv", table(row=lambda t, a, form=form: (form.format(t), a)),
                f'line 2, column "times": "{form.format("2.4")}" is not a number')
    refused("doses.csv", "d,y\n0.1,1\n0.5,2\n2,2\n2,4\n", formula="y ~ ordered(d)",
            text='ordered(d) needs the order of its texts: ordered(d, "0.1", "0.5", "2")')


def hand_written_tables():
    """Quotes within texts, and blanks around names."""
    fits("inches.csv", table(header="times,note; mark,accel", row=lambda t, a: (t, '5" disk' if t == "2.4" else "", a)))
    fits("inches.csv", table(row=lambda t, a: ('5" disk' if t == "2.4" else "", t, a)), "--no-header", "--skip-lines", "1",
         formula="V3 ~ V2")
    fits("apostrophes.csv", table(header="times,owner's note,accel", row=lambda t, a: (t, "O'Brien's", a)))
    write("blanks_at.csv", "note, times\n1, 3\n")
    fits("blanks.csv", table(" , ", header="times,note,accel,w", row=lambda t, a: (t, "7", a, "1")), "-w", "w",
         "--at", "blanks_at.csv", "-o", "out.csv")
    fits("blanks.csv", None, "-w", "w", formula="accel ~ . - note")


# -- Predictions -------------------------------------------------------------------------------------------------------


def gauss(u):
    return math.exp(-u * u / 2)


def weighted_mean(weights, y):
    return sum(w * v for w, v in zip(weights, y)) / sum(weights)


SALES = [("2024-01-05", "north", "low", 3.0, 1.5), ("2024-02-10", "south", "high", 1.0, 2.5),
         ("2024-02-20", "north", "mid", 2.0, 2.0), ("2024-03-15", "south", "low", 5.0, 4.5),
         ("2024-04-01", "east, far", "mid", 4.0, 3.0), ("2024-05-01", "east, far", "high", 2.5, 3.5),
         ("2024-06-09", "north", "high", 1.5, 6.0)]
RANKS = {"low": 0, "mid": 1, "high": 2}
NEW = [("10.02.2024", "south", "mid", "2.5"), ("01.06.2024", "north", "low", "4")]


def days(text):
    return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days


def sales_at(date, region, size, area):
    """Nadaraya and Watson with the bandwidths of the command below."""
    weights = [gauss((days(d) - days(date)) / 40) * (1 if r == region else 0.3) *
               0.5 ** abs(RANKS[s] - RANKS[size]) * gauss((math.log(a + 1) - math.log(area + 1)) / 0.7)
               for d, r, s, a, _ in SALES]
    return weighted_mean(weights, [y for *_, y in SALES])


def read(name):
    with open(name, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def predictions():
    lines = [",".join([d, f'"{r}"', s, str(a), str(y)]) for d, r, s, a, y in SALES]
    write("sales.csv", "day,region,size,area,sold\n" + "\n".join(lines) + "\n")
    write("new.csv", "size;area;day;region\n" + "".join(f"{s};{a};{d};{r}\n" for d, r, s, a in NEW))
    formula = "sold ~ day + region + ordered(size, low, \"mid\", 'high') + log(area + 1)"
    command = [formula, "sales.csv", "-b", "40,0.3,0.5,0.7", "-o", "out.csv"]
    code, out, err = run([*command, "--at", "new.csv"])
    rows = read("out.csv") if code == 0 else [[]]
    expect("--at", rows[0] == ["day", "region", "ordered(size)", "log(area+1)", "fit", "se", "lower", "upper"] and
           len(rows) == 3 and err == "", out + err)
    for row, (date, region, size, area) in zip(rows[1:], NEW):
        iso = "-".join(reversed(date.split(".")))
        expect("labels and dates as texts", row[:3] == [iso, region, size], str(row))
        expect("prediction", math.isclose(float(row[4]), sales_at(iso, region, size, float(area)), rel_tol=1e-12),
               str(row))
        expect("band", float(row[6]) < float(row[4]) < float(row[7]), str(row))
    code, out, err = run(command)
    rows = read("out.csv") if code == 0 else [[]]
    expect("terms and labels", code == 0 and rows[5][:3] == ["2024-04-01", "east, far", "mid"] and
           rows[0][4:6] == ["sold", "fit"], out + err)
    expect("--at without --output", run([formula, "sales.csv", "--at", "new.csv"])[0] == 2)
    rows_with_missing_values(command)
    refused_rows(command)


def rows_with_missing_values(command):
    """As R's predict(fit, new, na.action = na.pass): a row per row, without a fit where a value is missing."""
    full = read("out.csv") if run([*command, "--at", "new.csv"])[0] == 0 else []
    gaps = ["mid;2;NA;south", "high;n/a;01.06.2024;north", ";1;01.06.2024;north", "low;1;01.06.2024;", ";;;"]
    lines = [f"{s};{a};{d};{r}" for d, r, s, a in NEW]
    write("gaps.csv", "\n".join(["size;area;day;region", gaps[0], lines[0], *gaps[1:4], lines[1], gaps[4]]) + "\n")
    code, out, err = run([*command, "--at", "gaps.csv"])
    rows = read("out.csv") if code == 0 else []
    expect("rows with missing values", len(rows) == 8 and rows[0] == full[0] and rows[2] == full[1] and
           rows[6] == full[2] and "--at: 5 of 7 rows of gaps.csv have missing values, so no fit" in err, out + err)
    if len(rows) == 8:
        kept = [["", "south", "mid", math.log(3)], ["2024-06-01", "north", "high", ""],
                ["2024-06-01", "north", "", math.log(2)], ["2024-06-01", "", "low", math.log(2)], [""] * 4]
        for row, values in zip([rows[1], *rows[3:6], rows[7]], kept):
            number = row.pop(3)
            expect("values next to a missing one", row == [*values[:3], "", "", "", ""], str(row))
            expect("number next to a missing one", number == values[3] or
                   math.isclose(float(number), values[3], rel_tol=1e-15), number)
    for name, lines in [("missing.csv", gaps), ("nothing.csv", [])]:
        write(name, "\n".join(["size;area;day;region", *lines]) + "\n")
        code, out, err = run([*command, "--at", name])
        rows = read("out.csv") if code == 0 else []
        expect(name, len(rows) == len(lines) + 1 and all(row[4:] == [""] * 4 for row in rows[1:]), out + err)
    run([*command, "--at", "new.csv", "--bootstrap", "wild"])
    full = read("out.csv")
    code, out, err = run([*command, "--at", "gaps.csv", "--bootstrap", "wild"])
    expect("bootstrap", code == 0 and read("out.csv")[2] == full[1], out + err)
    command = ["factor(region) ~ area", "sales.csv", "-b", "1,0.1", "-o", "out.csv", "--at"]
    write("areas.csv", "area\nNA\n3\n")
    code, out, err = run([*command, "areas.csv"])
    rows = read("out.csv") if code == 0 else []
    expect("classes of rows with missing values", rows[1:2] == [[""] * 5] and rows[2][1] == "north", f"{out}{err}{rows}")


def refused_rows(command):
    """Every message about a row of --at names the file, the line, the column and the levels."""
    for rows, text in [
            ("low,3,2024-01-01,west", 'new_rows.csv, line 2, column "region": "west" is not one of the categories: '
                                      '"east, far", "north", "south"'),
            (",,,\nhuge,3,2024-01-01,north", 'new_rows.csv, line 3, column "size": "huge" is not one of the '
                                            'categories: "high", "low", "mid"'),
            (",,,west", 'new_rows.csv, line 2, column "region": "west" is not'),
            ("low,three,2024-01-01,north", 'new_rows.csv, line 2, column "area": "three" is not a number'),
            ("low,3,yesterday,north", 'new_rows.csv, line 2, column "day": "yesterday" is not a date'),
            ("low,-1,,north\nlow,-1,2024-01-01,north", "log(area+1) is -inf on line 3 of new_rows.csv: log needs")]:
        write("new_rows.csv", f"size,area,day,region\n{rows}\n")
        code, out, err = run([*command, "--at", "new_rows.csv"])
        expect(f"row {rows}", code == 1 and text in err, out + err)
    code, out, err = run([*command, "--at", "-"], b"size,area,day,region\nlow,-1,2024-01-01,north\n")
    expect("row of standard input", "log(area+1) is -inf on line 2 of standard input" in err, out + err)
    write("new_rows.csv", "size,area,day\nlow,3,2024-01-01\n")
    code, out, err = run([*command, "--at", "new_rows.csv"])
    expect("column missing in --at", code == 1 and 'new_rows.csv has no column named "region"' in err, out + err)


def formulas():
    rows = [(1.0, 2.0, 3.0), (2.0, 1.0, 5.0), (3.0, 5.0, 4.0), (5.0, 4.0, 1.0), (8.0, 7.0, 2.0)]
    write("f.csv", "x,z,y\n" + "".join(f"{x},{z},{y}\n" for x, z, y in rows))
    terms = {"log(x)": lambda x, z: math.log(x), "log1p(x)": lambda x, z: math.log(x + 1),
             "sqrt(x)": lambda x, z: math.sqrt(x), "exp(x/10)": lambda x, z: math.exp(x / 10),
             "abs(x-4)": lambda x, z: abs(x - 4), "I(x^2)": lambda x, z: x * x, "I(-x^2+z)": lambda x, z: z - x * x,
             "I(2^x^2/1e9)": lambda x, z: 2 ** (x ** 2) / 1e9, "I((x+z)*2-1)": lambda x, z: (x + z) * 2 - 1,
             "I(x/z)": lambda x, z: x / z}
    for text, function in terms.items():
        code, out, err = run([f"y ~ {text}", "f.csv", "-b", "1.5", "-o", "out.csv"])
        got = read("out.csv") if code == 0 else []
        values = [function(x, z) for x, z, _ in rows]
        expect(text, len(got) == 6 and got[0][0] == text, out + err)
        for row, value in zip(got[1:], values):
            fit = weighted_mean([gauss((v - value) / 1.5) for v in values], [y for *_, y in rows])
            expect(text, math.isclose(float(row[0]), value, rel_tol=1e-13) and
                   math.isclose(float(row[2]), fit, rel_tol=1e-11), str(row))
    code, out, err = run(["log(y)/2 ~ . - z", "f.csv", "-b", "1", "-o", "out.csv"])
    expect("expression before ~", code == 0 and read("out.csv")[0][:3] == ["x", "log(y)/2", "fit"], out + err)
    for formula, text in [("y ~ x + x", "each column once"), ("y ~ x*z", "contains all interactions"),
                          ("y ~ x:z", "contains all interactions"), ("y ~ x^2", "I(x^2)"), ("y ~ x - z", "a . among"),
                          ("y ~ . + .", ". once"), ("y ~ 1", "no intercept"), ("y ~ I(x", "expected )"),
                          ("y ~ log(x))", "+, - or the end"), ("y ~ sin(x)", "log1p, sqrt, exp, abs"),
                          ("y ~ " + "I(" * 40 + "x", "fewer brackets"), ("ordered(y) ~ x", "before ~"),
                          ("y ~ ordered(x, )", "a text such as"), ("y ~", "a column's name")]:
        code, out, err = run([formula, "f.csv"])
        expect(formula, code == 2 and text in err, out + err)
    for formula, text in [("y ~ ordered(x, 1.0, '2')", 'f.csv, line 3, column "x": "2.0" is not one of the categories: "1.0", "2"'),
                          ("y ~ . - x - z", "stands for no column"), ("y ~ q", 'no column named "q"'),
                          ("y ~ I(x/(z-4))", "on line 5 of f.csv: the term must be finite")]:
        code, out, err = run([formula, "f.csv"])
        expect(formula, code == 1 and text in err, out + err)


# -- Classes and pictures ----------------------------------------------------------------------------------------------


def classes():
    penguins = os.path.join(data, "penguins.csv")
    formula = "Species ~ `Flipper Length (mm)` + `Culmen Length (mm)`"
    code, out, err = run([formula, penguins, "-b", "4,2,0.01", "-o", "out.csv", "-p", "classes.svg"])
    rows = read("out.csv") if code == 0 else [[]]
    expect("classes", code == 0 and "3 classes" in out and rows[0][2:4] == ["Species", "class"], out + err)
    names = [name for name in rows[0] if name.startswith("P(")]
    expect("probabilities", len(names) == 3 and all(name.startswith("P(") for name in names), str(rows[0]))
    for row in rows[1:6]:
        expect("sum of probabilities", math.isclose(sum(map(float, row[4:7])), 1, rel_tol=1e-12), str(row))
    expect("picture of classes", "probability" in open("classes.svg", encoding="utf-8").read())
    share = sum(row[2] == row[3] for row in rows[1:]) / (len(rows) - 1)
    expect("share", f"{share:.6g}" in out, out)
    code, out, err = run(["factor(Species) ~ `Flipper Length (mm)`", penguins, "-b", "4,0.01", "--json"])
    expect("factor() of a response", code == 0 and '"classes": [' in out and '"correct"' in out, out + err)
    code, out, err = run([formula, penguins, "-d", "1"])
    expect("degree of classes", code == 1 and "accept no --degree" in err, out + err)


def pictures():
    command = ["sold ~ day + region + ordered(size, low, mid, high) + area", "sales.csv", "-b", "40,0.3,0.5,1"]
    code, out, err = run([*command, "-p", "panels.svg"])
    svg = open("panels.svg", encoding="utf-8").read() if code == 0 else ""
    expect("panels", all(f">{text}<" in svg for text in ["day", "region", "area", "north", "2024-03", "mid"]), out + err)
    code, out, err = run(["~ area + day", "sales.csv", "-b", "1,30", "-p", "density.png"])
    expect("picture of a density", code == 0 and open("density.png", "rb").read(4) == b"\x89PNG", out + err)
    code, out, err = run(["~ area + day", "sales.csv", "-b", "1,30", "-p", "density.svg"])
    svg = open("density.svg", encoding="utf-8").read() if code == 0 else ""
    expect("heatmap of a density", all(f">{text}<" in svg for text in ["~ area + day", "area", "day", "2024-03", "4"]) and
           ">density<" not in svg, out + err)
    code, out, err = run(["~ area + region", "sales.csv", "-b", "1,0.3", "-p", "density.svg"])
    svg = open("density.svg", encoding="utf-8").read() if code == 0 else ""
    expect("panels of a density", svg.count(">density<") == 2 and ">north<" in svg, out + err)
    code, out, err = run(["sold ~ region", "sales.csv", "-b", "0.3", "-p", "labels.svg"])
    expect("picture of labels", code == 0 and "east, far" in open("labels.svg", encoding="utf-8").read(), out + err)


def help_text():
    code, out, _ = run(["--help"])
    expect("--help", code == 0 and out.count("\n  heed-np ") + out.count("| heed-np ") == 4, out)
    groups = ["The table", "The fit", "Intervals and tests", "Output"]
    expect("groups", all(f"\n{name}" in out for name in groups), out)
    expect("width", max(len(line) for line in out.split("\n")) <= 120, out)


with tempfile.TemporaryDirectory() as folder:
    data = os.path.abspath(data)
    program = os.path.abspath(program)
    os.chdir(folder)
    for part in (twenty_tables, other_files, hand_written_tables, predictions, formulas, classes, pictures, help_text):
        part()
    os.chdir("/")
if failures:
    print(f"{len(failures)} failed: {', '.join(failures)}")
sys.exit(1 if failures else 0)
