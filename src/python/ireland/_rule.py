"""Rules as objects of their own: their JSON is what is kept, as the command line keeps it."""
import json
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ._columns import Array, Column, columns_of, frame_of
from ._library import JSON, TEXT, Env, encode
from ._problem import data_for, predict

LANGUAGES = ("c", "python", "sql", "r", "javascript", "text")


def escape(text: str) -> str:
    """A text for HTML."""
    import html
    return html.escape(text)


class Rule:
    """An OR of clauses, each an AND of literals; immutable, and the same wherever its JSON goes.

    >>> rule = Rule('{"format": "ireland-rule", "version": 1, "features": ["a", "b"], "clauses": [["a", "!b"]]}')
    >>> print(rule)
    (a AND !b)
    >>> rule.clauses
    [['a', '!b']]
    >>> rule.predict(np.array([[1, 0], [1, 1]]), names=["a", "b"]).tolist()
    [True, False]
    >>> print(rule.to_sql())
    -- standard SQL (PostgreSQL, SQLite, DuckDB, Oracle; MySQL with sql_mode ANSI_QUOTES)
    CASE WHEN ("a" = 1 AND "b" = 0) THEN 1 ELSE 0 END
    """

    __slots__ = ("json", "_text", "_content")

    def __init__(self, json_text: str) -> None:
        with Env() as env:
            rule = env.rule(json_text)
            self._text = env.text("irl_rule_render", rule, TEXT).rstrip("\n")
        self.json = json_text
        self._content: Dict[str, Any] = json.loads(json_text)

    @classmethod
    def read(cls, path: str) -> "Rule":
        """The rule of a file that `write` or the command line wrote."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def write(self, path: str) -> None:
        """Writes the JSON, for the command line or for `read`."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.json)

    @property
    def clauses(self) -> List[List[str]]:
        """The literals of each clause; "!x" is the negation of x."""
        return [list(clause) for clause in self._content["clauses"]]

    @property
    def scope(self) -> Optional[Dict[str, Any]]:
        """Among which rules this one was searched: limits, literals, weights, samples."""
        scope = self._content.get("scope")
        return dict(scope) if scope else None

    @property
    def columns(self) -> List[str]:
        """The columns that the rule looks at."""
        of_literal = {literal["name"]: literal["column"] for literal in self._content.get("literals", [])}
        names = (literal[literal.startswith("!"):] for clause in self._content["clauses"] for literal in clause)
        return list(dict.fromkeys(of_literal.get(name, name) for name in names))

    def export(self, language: str) -> str:
        """The rule as code: "c", "python", "sql", "r", "javascript" or "text"."""
        with Env() as env:
            return env.text("irl_rule_export", env.rule(self.json), encode(language))

    def to_sql(self) -> str:
        """The rule as a CASE expression of SQL."""
        return self.export("sql").rstrip("\n")

    def _columns(self, X: Any, names: Optional[Sequence[str]]) -> List[Column]:
        frame = frame_of(X)
        if names is not None:
            if len(names) != len(frame.names):
                raise ValueError(f"names has {len(names)} names, X has {len(frame.names)} columns")
            frame.names = [str(name) for name in names]
        missing = [name for name in self.columns if name not in frame.names]
        if missing:
            raise ValueError(f"the rule needs columns that X does not have: {', '.join(missing)}")
        wanted = [frame.names.index(name) for name in self.columns] or [0]
        return columns_of(frame, wanted)

    def fires(self, X: Any, names: Optional[Sequence[str]] = None) -> Array:
        """A matrix of booleans: does clause k hold for sample i? Arrays have the columns x0, x1, ... unless `names` are given."""
        return fired(self.json, self._columns(X, names), 0)

    def predict(self, X: Any, names: Optional[Sequence[str]] = None) -> Array:
        """A boolean for each sample: does any clause hold?"""
        return np.asarray(self.fires(X, names).any(axis=1))

    def predict_file(self, path: str, **options: Any) -> Array:
        """A boolean for each sample of a file, as `ireland predict` has it, with its options."""
        with Env() as env:
            rule = env.rule(self.json)
            data = env.make("irl_data_read_for", "irl_data_free", encode(path), env.options(options), rule, False)
            return np.asarray(predict(env, rule, data).any(axis=1))

    def evaluate(self, X: Any, y: Any, names: Optional[Sequence[str]] = None) -> Dict[str, Any]:
        """Confusion counts, measures and statistics of each clause, as `ireland evaluate --json`; y is true for cases.

        >>> rule = Rule('{"format": "ireland-rule", "version": 1, "features": ["x0"], "clauses": [["x0"]]}')
        >>> rule.evaluate([[1], [1], [0]], [True, False, False])["confusion"]
        {'tp': 1, 'fp': 1, 'tn': 1, 'fn': 0}
        """
        return evaluation(self.json, self._columns(X, names), np.asarray(y).astype(bool).astype(np.uint8))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Rule({self._text})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self.json == other.json

    def __hash__(self) -> int:
        return hash(self.json)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Rule, (self.json,)

    def _repr_html_(self) -> str:
        return rule_html(self.clauses, None, "OR")


def fired(rule_json: str, columns: List[Column], threads: int) -> Array:
    """Which clauses hold, a row per sample."""
    with Env() as env:
        rule = env.rule(rule_json)
        return predict(env, rule, data_for(env, columns, rule, threads))


def evaluation(rule_json: str, columns: List[Column], labels: Array) -> Dict[str, Any]:
    with Env() as env:
        rule = env.rule(rule_json)
        content = json.loads(rule_json)
        names = (content.get("target"), content.get("positive"), content.get("negative"))
        data = data_for(env, columns, rule, 0, labels, names)
        answer: Dict[str, Any] = json.loads(env.text("irl_evaluate_render", rule, data, JSON))
        return answer


def rule_html(clauses: List[List[str]], statistics: Optional[List[Dict[str, Any]]], word: str) -> str:
    """A table for notebooks: a row per clause, with its counts where they are known."""
    inner = " AND " if word == "OR" else " OR "
    rows = []
    for k, clause in enumerate(clauses):
        cells = [escape(word if k else ""), escape(inner.join(clause))]
        if statistics:
            row = statistics[k]
            precision = row.get("precision")
            cells += [str(row.get("tp")), str(row.get("fp")), "" if precision is None else f"{precision:.3f}"]
        rows.append("<tr>" + "".join(f"<td style='text-align:{'left' if i < 2 else 'right'}'>{c}</td>" for i, c in enumerate(cells)) + "</tr>")
    head = ["", "clause"] + (["cases", "controls", "precision"] if statistics else [])
    body = "".join(rows) or "<tr><td></td><td>FALSE</td></tr>"
    return "<table><thead><tr>" + "".join(f"<th>{h}</th>" for h in head) + f"</tr></thead><tbody>{body}</tbody></table>"
