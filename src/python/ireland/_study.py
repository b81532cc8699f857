"""Answers beyond one rule: curves, cross-validations, verifications, explanations."""
from typing import Any, Dict, List, NamedTuple, Optional

from ._columns import Array


class Explanation(NamedTuple):
    """Why a sample was predicted so: the clauses that hold; if none does, the one that misses fewest literals, and these."""

    predicted: Any
    fired: List[List[str]]
    closest: Optional[List[str]]
    misses: List[str]


class Verification(NamedTuple):
    """Does a certificate prove that no rule of its scope is better? `line` and `reason` say where and why not; `cut`: a limit came
    first, so that neither is known."""

    valid: bool
    cut: bool
    line: int
    reason: str
    nodes: int

    def __bool__(self) -> bool:
        return self.valid


class CurvePoint(NamedTuple):
    """A rule that no other one beats in both respects, as far as its bounds say."""

    status: str
    sensitivity: float
    specificity: float
    accuracy: float
    sensitivity_bound: Optional[float]
    specificity_bound: Optional[float]
    accuracy_bound: Optional[float]
    literals: int
    clauses: List[List[str]]


def _frame(rows: List[Dict[str, Any]]) -> Any:
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        raise ImportError("to_frame needs pandas; the rows are there without it") from None
    return pandas.DataFrame(rows)


class Curve:
    """Sensitivity against specificity, and with sizes=True accuracy against the number of literals and of clauses."""

    def __init__(self, answer: Dict[str, Any], svg: str) -> None:
        self.answer, self.svg = answer, svg

    def _points(self, kind: str) -> List[CurvePoint]:
        return [CurvePoint(*(row.get(name) for name in CurvePoint._fields)) for row in self.answer.get(kind, [])]

    @property
    def points(self) -> List[CurvePoint]:
        """The trade-off, from the greatest specificity to the greatest sensitivity."""
        return self._points("tradeoff")

    @property
    def by_literals(self) -> List[CurvePoint]:
        """The best rules of each number of literals."""
        return self._points("literals")

    @property
    def by_clauses(self) -> List[CurvePoint]:
        """The best rules of each number of clauses."""
        return self._points("clauses")

    @property
    def area(self) -> float:
        """Under the trade-off curve."""
        return float(self.answer["area"])

    @property
    def status(self) -> str:
        return str(self.answer["status"])

    def to_frame(self) -> Any:
        """The points as a pandas frame."""
        return _frame([point._asdict() for point in self.points])

    def plot(self, ax: Any = None) -> Any:
        """Draws the trade-off with matplotlib and returns the axes; bounds are drawn lighter."""
        try:
            import matplotlib.pyplot as plt  # type: ignore[import]
        except ImportError:
            raise ImportError("plot needs matplotlib; the attribute svg is a picture without it") from None
        ax = plt.subplots()[1] if ax is None else ax
        points = self.points
        false_positives = [1 - p.specificity for p in points]
        bounds = [p.sensitivity if p.sensitivity_bound is None else p.sensitivity_bound for p in points]
        ax.step(false_positives, bounds, where="post", color="0.75", label="no rule is above")
        ax.plot(false_positives, [p.sensitivity for p in points], "o-", label="rules that were found")
        ax.set(xlabel="1 - specificity", ylabel="sensitivity", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.legend(loc="lower right")
        return ax

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Curve({len(self.points)} points, area {self.area:.4f}, {self.status})"


class CrossValidation:
    """How well rules of each setting do on samples that they have not seen, and which setting was chosen."""

    def __init__(self, answer: Dict[str, Any]) -> None:
        self.answer = answer

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """A row per setting: K, M, penalty, means and standard errors of the measures."""
        return [dict(row) for row in self.answer["table"]]

    @property
    def chosen(self) -> Dict[str, Any]:
        """K, M and penalty to use: `model.set_params(**cv.chosen)`."""
        return {name: self.answer[name] for name in ("K", "M", "penalty")}

    @property
    def nested(self) -> Optional[Dict[str, Any]]:
        """With nested=True: the estimate in which the choice was made anew without each fold."""
        return self.answer.get("nested")

    def to_frame(self) -> Any:
        """The rows as a pandas frame."""
        return _frame(self.rows)

    def __repr__(self) -> str:
        measure = self.answer["chosen_by"]
        mean, error = self.answer[measure], self.answer[f"{measure}_se"]
        return f"CrossValidation(K={self.answer['K']}, M={self.answer['M']}, penalty={self.answer['penalty']}: {measure} {mean:.4f} +- {error:.4f})"


class Generated(NamedTuple):
    """Planted data: samples, labels and the rule that labelled them before the noise."""

    X: Array
    y: Array
    rule: Any
