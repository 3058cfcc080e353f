#!/usr/bin/env python3
"""companions/python/tests/test_frames.py - heed.np with Series, DataFrames and categoricals of pandas."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import copy
import sys
import unittest

import setting
import numpy
from heed import np as hnp

try:
    import pandas
except ImportError:
    print("skipped: there is no pandas (python3-pandas)")
    sys.exit(77)


def table():
    draw = numpy.random.default_rng(5)
    sizes = pandas.Categorical(draw.choice(["small", "large", "huge"], 80), ["small", "large", "huge"], ordered=True)
    frame = pandas.DataFrame({"age": draw.random(80), "city": draw.choice(["Rome", "Oslo"], 80), "size": sizes, "new": draw.random(80) > 0.5,
                              "count": draw.integers(0, 9, 80)})
    return frame, pandas.Series(frame.age * 2 + sizes.codes + draw.normal(size=80) * 0.1, name="y")


class Frames(setting.Case):
    def test_kinds_of_columns(self):
        frame, y = table()
        h = [0.3, 0.2, 0.5, 0.1, 2.0]
        fit = hnp.fit(frame, y, bandwidths=h)
        codes = numpy.column_stack([frame.age, frame.city == "Rome", frame["size"].cat.codes, frame.new, frame["count"]]).astype(float)
        kinds = ["continuous", "unordered", "ordered", "unordered", "continuous"]
        plain = hnp.fit(codes, y.to_numpy(), columns=kinds, bandwidths=h)
        at = frame[["count", "new", "size", "city", "age"]].iloc[:9].assign(other=1)  # in a different order, with one more column
        self.same(fit.predict(at).mean, plain.predict(codes[:9]).mean, 0)
        self.same(copy.deepcopy(fit).predict(at).mean, plain.predict(codes[:9]).mean, 0)
        self.assertIn("<td>city</td><td>unordered</td>", fit._repr_html_())
        self.same(hnp.fit(frame, y, columns=kinds, bandwidths=h).fitted, plain.fitted, 0)
        self.same(hnp.density(frame[["age", "size"]]).bandwidths, hnp.density(codes[:, [0, 2]], columns=["continuous", "ordered"]).bandwidths, 0)

    def test_series(self):
        frame, y = table()
        fit, plain = hnp.fit(frame.age, y, weights=frame["count"]), hnp.fit(frame.age.to_numpy(), y.to_numpy(), weights=frame["count"].to_numpy())
        self.same(fit.bandwidths, plain.bandwidths, 0)
        self.same(fit.predict(frame.age[:5]).mean, plain.predict(frame.age[:5].to_numpy()).mean, 0)
        self.same(fit.predict([0.5]).mean, plain.predict([0.5]).mean, 0)
        by_city = hnp.fit(frame.city, y, bandwidths=[1e-9])
        self.same(by_city.predict(pandas.Series(["Oslo", "Rome"])).mean, [y[frame.city == c].mean() for c in ("Oslo", "Rome")])
        labels = hnp.classes(frame.age, frame["size"], bandwidths=[0.1, 0.1])
        self.assertEqual(list(labels.labels), ["huge", "large", "small"])

    def test_missing_entries(self):
        frame, y = table()
        frame.loc[3, "city"], frame.loc[5, "age"] = None, numpy.nan
        nullable = y.astype("Float64")
        nullable[7] = pandas.NA
        rows = [i for i in range(80) if i not in (3, 5, 7)]
        self.raises(ValueError, "is nan", lambda: hnp.fit(frame, nullable, bandwidths=[1.0] * 5))
        self.same(hnp.fit(frame.age[rows], nullable[rows]).bandwidths, hnp.fit(frame.age[rows], y[rows]).bandwidths, 0)
        self.assertEqual(hnp.fit(frame.iloc[rows], nullable[rows], bandwidths=[1.0] * 5).rows, 77)
        self.raises(ValueError, "the label of row 3 is missing", hnp.classes, frame["count"], frame.city)

    def test_mistakes(self):
        frame, y = table()
        fit = hnp.fit(frame[["age", "city"]], y, bandwidths=[0.1, 0.1])
        self.raises(ValueError, "the queries lack the column 'city' of the fit: they have 'age'", fit.predict, frame[["age"]])
        self.raises(ValueError, "column 'city' has the level 'Bonn', which the fit has not seen: it has seen 'Oslo', 'Rome'", fit.predict,
                    pandas.DataFrame({"age": [0.5], "city": ["Bonn"]}))
        self.raises(TypeError, "column 'when' has dates", hnp.fit, pandas.DataFrame({"when": pandas.date_range("2020-01-01", periods=80)}), y)


if __name__ == "__main__":
    unittest.main()
