#!/usr/bin/env python3
"""companions/python/tests/test_options.py - options with the value zero: the default, a zero of the wrong type, and an option
for which zero differs from the default."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import unittest

import setting
import heed
from heed import nn, optim


class Zeros(setting.Case):
    def test_of_the_right_type_is_the_default(self):
        x, labels = heed.tensor([[1.0, 2.0], [3.0, 0.0]]), heed.tensor([0, 1])
        self.same(heed.cross_entropy(x, labels, label_smoothing=0.0, reduction="mean"), heed.cross_entropy(x, labels).numpy(), 0)
        self.same(heed.cross_entropy(x, labels, label_smoothing=0), heed.cross_entropy(x, labels).numpy(), 0)
        self.assertEqual(len(list(nn.Linear(2, 3, no_bias=False).parameters())), 2)

    def test_of_a_wrong_type_is_refused(self):
        for wrong in (0, 0.0, ""):
            self.raises(TypeError, "nesterov must be True or False", optim.SGD, nn.Linear(2, 3), lr=0.1, nesterov=wrong)
        self.raises(TypeError, "label_smoothing must be a number", heed.cross_entropy, heed.ones((1, 2)), [0], label_smoothing="")
        self.raises(ValueError, "reduction is ''", heed.cross_entropy, heed.ones((1, 2)), heed.tensor([0]), reduction="")

    def test_that_is_not_the_default(self):
        losses = heed.cross_entropy(heed.ones((2, 2)), heed.tensor([0, 1]), ignore_index=0, reduction="none")
        self.assertEqual(losses.numpy()[0], 0)
        self.assertGreater(losses.numpy()[1], 0)


if __name__ == "__main__":
    unittest.main()
