"""Samples with labels in a handle of the library: what fits, curves and cross-validations begin with."""
import ctypes
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._columns import CATEGORY, MOST, NUMBER, Array, Bits, Column, pack
from ._library import DataInfo, Env, RuleInfo, TableView, encode

Features = Union[List[Column], Bits]


def _check_sizes(columns: Sequence[Column], *others: Optional[Array]) -> int:
    """The library believes the sizes that it is told."""
    n = columns[0].n
    if max(n, len(columns)) > MOST or any(c.n != n for c in columns) or any(len(o) != n for o in others if o is not None):
        raise ValueError("columns, labels and weights differ in length, or are too many")
    return n


def make_table(env: Env, columns: Sequence[Column], kinds: Sequence[int], options: Any, labels: Optional[Array] = None,
               weights: Optional[Array] = None, label_names: Sequence[Optional[str]] = (None, None, None)) -> Any:
    """Columns of any kind as a table. Names are those of the label column, the cases and the controls."""
    from ._library import ColumnView
    n = _check_sizes(columns, labels, weights)
    views = env.keep((ColumnView * len(columns))(*(c.view(env, kind) for c, kind in zip(columns, kinds))))
    target, positive, negative = (None if name is None else env.keep(encode(name)) for name in label_names)
    view = TableView(size=ctypes.sizeof(TableView), n_samples=n, n_columns=len(columns), columns=views, target=target, positive=positive,
                     negative=negative, labels=None if labels is None else labels.ctypes.data,
                     weights=None if weights is None else weights.ctypes.data)
    return env.make("irl_table_from_columns", "irl_table_free", ctypes.byref(view), options)


class Problem:
    """A table, or the bits of large 0/1 data, which options that need a table cannot have."""

    def __init__(self, env: Env, features: Features, labels: Array, weights: Optional[Array], label_names: Sequence[Optional[str]],
                 options: Any) -> None:
        self.env, self.options = env, options
        self.table: Any = None
        self.data: Any = None
        if isinstance(features, Bits):
            assert weights is None and len(labels) == features.n
            self.data = self._bits(features, labels)
        else:
            self.table = make_table(env, features, [c.kind for c in features], options, labels, weights, label_names)

    def _bits(self, bits: Bits, labels: Array) -> Any:
        m, stride = bits.words.shape
        first = self.env.keep(bits).words.ctypes.data
        rows = self.env.keep((ctypes.c_void_p * m)(*(first + 8 * stride * j for j in range(m))))
        marks = self.env.keep(pack(labels.astype(bool)[:, None]))
        names = self.env.keep((ctypes.c_char_p * m)(*(encode(name) for name in bits.names)))
        return self.env.make("irl_data_from_bits", "irl_data_free", bits.n, m, rows, marks.ctypes.data, names)

    def fit(self) -> Any:
        if self.table:
            return self.env.work("irl_fit_table", "irl_fit_free", self.table, self.options)
        return self.env.work("irl_fit", "irl_fit_free", self.data, self.options)

    def coded(self) -> Any:
        """The samples as bits, for jobs that take no table."""
        if not self.data:
            coding = self.env.make("irl_table_code", "irl_coding_free", self.table, None, self.options)
            self.data = self.env.make("irl_table_data", "irl_data_free", self.table, coding, None)
        return self.data


def data_for(env: Env, columns: Sequence[Column], rule: Any, threads: int, labels: Optional[Array] = None,
             label_names: Sequence[Optional[str]] = (None, None, None)) -> Any:
    """Samples with the features of a rule."""
    kinds = [CATEGORY if c.kind == CATEGORY else NUMBER for c in columns]  # 0/1 literals of other numbers are false
    table = make_table(env, columns, kinds, env.options({"threads": threads}), labels, None, label_names)
    return env.make("irl_table_data_for", "irl_data_free", table, rule)


def predict(env: Env, rule: Any, data: Any) -> Array:
    """Which clauses hold, a row per sample, in memory of the size that rule and data have."""
    rule_info, data_info = RuleInfo(ctypes.sizeof(RuleInfo)), DataInfo(ctypes.sizeof(DataInfo))
    env.lib.irl_rule_describe(rule, ctypes.byref(rule_info))
    env.lib.irl_data_describe(data, ctypes.byref(data_info))
    predicted = np.zeros(data_info.samples, dtype=np.uint8)
    fired = np.zeros((data_info.samples, rule_info.clauses), dtype=np.uint8)
    env.call("irl_predict_bytes", rule, data, predicted.ctypes.data, fired.ctypes.data)
    return fired.view(bool)
