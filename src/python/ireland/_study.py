"""Answers beyond one rule: curves, cross-validations, verifications, explanations."""
import ctypes
import json
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from ._columns import Array
from ._library import JSON, BytesView, Env, ProgressFunction, encode
from ._library import Verification as VerificationView
from ._progress import close, progress_function
from ._rule import Rule

if TYPE_CHECKING:
    from ._labels import Samples
    from ._learnt import Learnt
    from ._problem import Problem

GridValues = Union[float, str, Iterable[Any], None]


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
        """K, M, penalty, negations and, where many samples bear more than those of fit, cuts: `model.set_params(**cv.chosen)`."""
        found = {name: self.answer[name] for name in ("K", "M", "penalty", "negations")}
        return found if self.answer["cuts"] == "mdl:3" else {**found, "cuts": self.answer["cuts"]}

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


class Studies:
    """What a classifier can tell of data beside one rule: a part of RuleClassifier, which has the settings."""

    if TYPE_CHECKING:
        progress: Union[bool, ProgressFunction]
        time_limit: float
        work_limit: int
        tune: bool

        def _fitted(self) -> Learnt: ...
        def _threads(self) -> int: ...
        def _settings(self, **more: Any) -> Dict[str, Any]: ...
        def _samples(self, X: Any, y: Any, sample_weight: Any) -> Samples: ...
        def _problem(self, env: Env, samples: Samples, settings: Dict[str, Any], needs_table: bool = True) -> Problem: ...

    def verify(self, X: Any, y: Any, certificate: Optional[str] = None, sample_weight: Any = None) -> Verification:
        """Checks the certificate (by default certificate_) of the proven rule on the data that it is about, without trusting the search."""
        learnt = self._fitted()
        certificate = certificate or getattr(self, "certificate_", None)
        if not isinstance(certificate, str):
            raise ValueError("there is no certificate: fit two classes with prove=True and certificate=True until status_ is 'optimal'")
        with Env() as env:
            samples = self._samples(X, y, sample_weight)
            problem = self._problem(env, samples, self._settings(certificate=True, K=None, M=None, penalty=None, negations=None))
            text = env.keep(encode(certificate))
            view = BytesView(data=text, size=len(text), name=b"certificate")
            proof = env.make("irl_certificate_parse", "irl_certificate_free", ctypes.byref(view))
            options = env.options({"threads": self._threads(), "time_limit": self.time_limit, "work_limit": self.work_limit})
            env.lib.irl_certificate_clear_options(options)  # defaults say something too
            env.call("irl_certificate_options", proof, options)
            found = VerificationView(size=ctypes.sizeof(VerificationView))
            rule = env.rule(learnt.rules[0].json)
            env.work("irl_verify_table", "", rule, problem.table, options, proof, ctypes.byref(found))
            env.raise_interrupt()
        return Verification(found.valid, found.cut, int(found.line), found.reason.decode(errors="replace"), int(found.nodes))

    def curve(self, X: Any, y: Any, sizes: bool = False, threshold: float = 0.01) -> Curve:
        """The trade-off of sensitivity and specificity, and with sizes=True of accuracy and size, for these settings.

        >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]] * 5)
        >>> RuleClassifier(K=1, M=2).curve(X, X[:, 0] & X[:, 1]).area
        1.0
        """
        progress = progress_function(self.progress)
        with Env(progress) as env:
            try:
                samples = self._samples(X, y, None)
                problem = self._problem(env, samples, self._settings(sizes=sizes, threshold=float(threshold)), needs_table=False)
                fit = env.work("irl_fit_for_curve", "irl_fit_free", problem.coded(), problem.options)
                env.raise_interrupt()
                curve = env.work("irl_curve_make", "irl_curve_free", fit, problem.options)
                env.raise_interrupt()
            finally:
                close(progress)
            return Curve(json.loads(env.text("irl_curve_render", curve, JSON)), env.text("irl_curve_export", curve, b"svg"))

    def plot_curve(self, X: Any, y: Any, ax: Any = None, **settings: Any) -> Any:
        """Draws `curve` with matplotlib; returns the axes."""
        return self.curve(X, y, **settings).plot(ax)

    def cross_validate(self, X: Any, y: Any, K: GridValues = None, M: GridValues = None, penalty: GridValues = None, *,
                       folds: int = 10, repeats: int = 1, nested: bool = False, choose: Optional[str] = None,
                       negations: GridValues = None, sample_weight: Any = None) -> CrossValidation:
        """Cross-validation over values such as K=[1, 2, 4], M=range(1, 4), penalty=0.01 or K="1..4": codings and rules are learnt
        without each fold. None: what `ireland cv` tries. negations: are literals negated too? [False, True] tries both ways.

        >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]] * 10)
        >>> cv = RuleClassifier().cross_validate(X, X[:, 0] & X[:, 1], K=[1, 2], M="1..2", penalty=0, folds=4)
        >>> cv.chosen
        {'K': 1, 'M': 2, 'penalty': 0, 'negations': False}
        """
        settings = self._settings(folds=folds, repeats=repeats, nested=nested, choose=choose, K=None, M=None, penalty=None)
        progress = progress_function(self.progress)
        with Env(progress) as env:
            try:
                problem = self._problem(env, self._samples(X, y, sample_weight), settings)
                grid = env.grid(K, M, penalty, negations)
                result = env.work("irl_cv", "irl_cv_free", problem.table, problem.options, ctypes.byref(grid))
                env.raise_interrupt()
            finally:
                close(progress)
            return CrossValidation(json.loads(env.text("irl_cv_render", result, JSON)))

    def optimal_rules(self, X: Any, y: Any, n: int = 100, within: float = 0.0, sample_weight: Any = None) -> Tuple[List[Rule], bool]:
        """Up to n rules of the least loss, or of up to (1 + within) times as much, best first; and whether these are all. Searches anew.

        >>> X = np.array([[1, 1], [1, 1], [0, 0], [0, 0]] * 5)
        >>> rules, is_all = RuleClassifier(K=1, M=1).optimal_rules(X, X[:, 0])
        >>> sorted(map(str, rules)), is_all
        (['(x0)', '(x1)'], True)
        """
        settings = self._settings(all_optimal=n, within=float(within) or None, prove=True)
        with Env(progress_function(self.progress)) as env:
            problem = self._problem(env, self._samples(X, y, sample_weight), settings)
            result = problem.fit()
            env.raise_interrupt()
            is_complete = ctypes.c_bool(False)
            count = env.lib.irl_fit_n_optimal_rules(result, ctypes.byref(is_complete))
            handles = [env.make("irl_fit_optimal_rule", "irl_rule_free", result, i) for i in range(count)]
            return [Rule(env.text("irl_rule_render", handle, JSON)) for handle in handles], bool(is_complete.value)

    def report(self, X: Any, y: Any, path: Optional[str] = None, curve: bool = False, sample_weight: Any = None) -> str:
        """A page in HTML about the rule: how good and how certain it is, what it was learnt from, with curve=True the trade-off.
        Learns it anew, by the same settings; `path` writes a file too."""
        with Env(progress_function(self.progress)) as env:
            problem = self._problem(env, self._samples(X, y, sample_weight), self._settings(tune=self.tune))
            result = problem.fit()
            env.raise_interrupt()
            points = None
            if curve:
                fit = env.work("irl_fit_for_curve", "irl_fit_free", problem.coded(), problem.options)
                points = env.work("irl_curve_make", "irl_curve_free", fit, problem.options)
                env.raise_interrupt()
            page = env.text("irl_report_render", result, points, problem.options, None)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page
