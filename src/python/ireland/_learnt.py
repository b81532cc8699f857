"""What a fit has learnt, as predictions use it. The public attributes of a model are copies: whoever changes one changes no other.

Pickles hold it as plain values with the rules' JSON inside (`state`), so that they survive later versions.
"""
import json
import warnings
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from ._columns import CATEGORY, NUMBER, Array, Column, Frame, columns_of, spell
from ._rule import fired

STATE_VERSION = 1


def _share(labels: Array, weights: Array, which: Array) -> float:
    """Of cases among some samples, with one half added to each class."""
    total, cases = weights[which].sum(), (weights * labels)[which].sum()
    return float((cases + 0.5) / (total + 1))


class ClassRule:
    """The rule of one class against the other or the others. A CNF comes as the rule for the controls that it negates."""

    def __init__(self, rule_json: str, is_cnf: bool, clauses: List[List[str]], text: str) -> None:
        self.json, self.is_cnf, self.clauses, self.text = rule_json, is_cnf, clauses, text
        content = json.loads(rule_json)
        columns = {literal["name"]: literal["column"] for literal in content.get("literals", [])}
        names = {literal[literal.startswith("!"):] for clause in content["clauses"] for literal in clause}
        self.used = {columns.get(name, name) for name in names}
        self.order: List[int] = []
        self.shares: List[float] = []
        self.rest = 0.5

    def fires(self, columns: Sequence[Column], threads: int) -> Array:
        """Which clauses of the text hold."""
        return np.asarray(self.held(columns, threads) != self.is_cnf)

    def held(self, columns: Sequence[Column], threads: int) -> Array:
        """Which clauses of the JSON hold."""
        return fired(self.json, [c for c in columns if c.name in self.used] or list(columns[:1]), threads)

    def decide(self, fires: Array) -> Array:
        return np.asarray(fires.all(axis=1) if self.is_cnf else fires.any(axis=1))

    def estimate(self, held: Array, labels: Array, weights: Optional[Array]) -> None:
        """Shares of cases among samples whose best clause is the same."""
        weights = np.ones(len(labels)) if weights is None else weights
        alone = np.array([_share(labels, weights, held[:, k]) for k in range(held.shape[1])])
        self.order = [int(k) for k in np.argsort(alone if self.is_cnf else -alone, kind="stable")]
        first = self.first(held)
        self.shares = [_share(labels, weights, first == k) for k in range(held.shape[1])]
        self.rest = _share(labels, weights, first < 0)

    def first(self, held: Array) -> Array:
        """The clause that holds and comes first in the order of their shares; -1: none holds."""
        first = np.full(len(held), -1)
        for k in self.order[::-1]:
            first[held[:, k]] = k
        return first

    def probability(self, held: Array) -> Array:
        return np.asarray(np.array([*self.shares, self.rest])[self.first(held)])

    def state(self) -> Dict[str, Any]:
        return {"json": self.json, "is_cnf": self.is_cnf, "clauses": self.clauses, "text": self.text, "order": self.order,
                "shares": self.shares, "rest": self.rest}

    @classmethod
    def from_state(cls, state: Dict[str, Any]) -> "ClassRule":
        made = cls(state["json"], state["is_cnf"], state["clauses"], state["text"])
        made.order, made.shares, made.rest = state["order"], state["shares"], state["rest"]
        return made


class Learnt:
    """Columns, classes and a rule: of two classes that of class `positive`, of more one for each."""

    def __init__(self, names: List[str], kinds: List[int], classes: Array, positive: int, is_named: bool) -> None:
        self.names, self.kinds, self.classes, self.positive, self.is_named = names, kinds, classes, positive, is_named
        self.values: Dict[str, List[str]] = {}  # that categories had, of columns that rules use
        self.rules: List[ClassRule] = []

    @property
    def is_binary(self) -> bool:
        return len(self.classes) == 2

    def label_names(self, k: int) -> List[str]:
        """Of the cases of rule k, and of its controls."""
        if self.is_binary:
            return [spell(self.classes[i]) for i in (self.positive, 1 - self.positive)]
        return [spell(self.classes[k]), f"not {spell(self.classes[k])}"]

    def used(self) -> List[int]:
        """The places of the columns that rules look at."""
        wanted = set().union(*(rule.used for rule in self.rules))
        return [j for j, name in enumerate(self.names) if name in wanted]

    def note_values(self, columns: Sequence[Column]) -> None:
        used = {self.names[j] for j in self.used()}
        self.values = {c.name: list(c.values) for c in columns if c.kind == CATEGORY and c.name in used}

    def columns(self, frame: Frame, owner: str) -> List[Column]:
        """The columns of new samples that rules look at, by name where there are names."""
        n_features, wanted = len(self.names), self.used()
        if frame.n_samples == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required")
        if frame.is_named and self.is_named:
            missing = [self.names[j] for j in wanted if self.names[j] not in frame.names]
            if missing:
                raise ValueError("The feature names should match those that were passed during fit. Feature names seen at fit time, yet "
                                 f"now missing: {', '.join(missing)}")
            where = {j: frame.names.index(self.names[j]) for j in wanted}
        elif len(frame.names) != n_features:
            raise ValueError(f"X has {len(frame.names)} features, but {owner} is expecting {n_features} features as input")
        else:
            where = {j: j for j in wanted}
        if not wanted:
            return [Column(self.names[0], np.zeros(frame.n_samples), frame.n_samples)]
        kinds = [CATEGORY if self.kinds[j] == CATEGORY else NUMBER for j in wanted]
        columns = columns_of(frame, [where[j] for j in wanted], kinds)
        for column, j in zip(columns, wanted):
            column.name = self.names[j]
            self._warn_of_unseen(column)
        return columns

    def _warn_of_unseen(self, column: Column) -> None:
        known = self.values.get(column.name)
        unseen = sorted(set(column.values) - set(known)) if known is not None else []
        if unseen:
            shown = ", ".join(unseen[:5]) + (", ..." if len(unseen) > 5 else "")
            warnings.warn(f"column {column.name!r} has values that it had not when the rule was learnt: {shown}", UserWarning, stacklevel=5)

    def state(self) -> Dict[str, Any]:
        return {"version": STATE_VERSION, "names": self.names, "kinds": self.kinds, "classes": self.classes.tolist(),
                "dtype": self.classes.dtype.str, "positive": self.positive, "is_named": self.is_named, "values": self.values,
                "rules": [rule.state() for rule in self.rules]}

    @classmethod
    def from_state(cls, state: Dict[str, Any]) -> "Learnt":
        if state["version"] > STATE_VERSION:
            raise ValueError(f"this model was kept by a later version of ireland (format {state['version']}, here {STATE_VERSION})")
        dtype = np.dtype(state["dtype"])
        classes = np.array(state["classes"], dtype=object if dtype.kind == "O" else dtype)
        made = cls(state["names"], state["kinds"], classes, state["positive"], state["is_named"])
        made.values, made.rules = state["values"], [ClassRule.from_state(rule) for rule in state["rules"]]
        return made
