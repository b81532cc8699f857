"""RuleClassifier: rules as a classifier of scikit-learn's kind."""
import json
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._bases import Estimator, join_scikit_learn, not_fitted_error
from ._columns import CATEGORY, IGNORED, Array, Bits, Column, Frame, bits_of, columns_of, frame_of, spell
from ._labels import ClassWeight, Samples
from ._learnt import ClassRule, Learnt
from ._library import JSON, TEXT, Env, IrelandError, ProgressFunction
from ._problem import Features, Problem, data_for
from ._progress import close, progress_function
from ._rule import Rule, escape, evaluation, rule_html
from ._study import CrossValidation, Explanation, GridValues, Studies

_OWN = ("K", "M", "method", "negations", "prove", "certificate", "weights", "penalty", "max_literals", "min_sensitivity",
        "min_specificity", "cuts", "missing", "seed", "time_limit", "work_limit")
_TUNED = {"K": 3, "M": 3, "penalty": 0.0, "negations": False}  # with their defaults, which tune takes for not given
_OF_TABLES = ("test", "permutations", "certificate", "tune")  # what bits cannot have


class RuleClassifier(Studies, Estimator):
    """A rule of at most K clauses (joined by OR) of at most M literals each (joined by AND); one for each of more than two classes.

    Parameters
    ----------
    K, M : the most clauses, and the most literals in a clause.
    method : "ireland" (default), "brcg", or "bp1" to "bp6".
    negations : may literals be negated?
    prove : search until the best rule of all is proven, or a limit.
    certificate : keep a certificate of the proof in certificate_, which `verify` checks.
    weights : "balanced" (default without weights of samples) or "unit" for plain accuracy.
    class_weight : weights of classes, a dictionary or "balanced", as in scikit-learn.
    penalty : loss per clause and literal, as a share of all weights.
    max_literals : in the whole rule; 0: any number.
    min_sensitivity, min_specificity : only rules that reach them.
    cuts : of number columns: "mdl:3" (default), "mdl", "quantile:9" or "all".
    missing : of values: "false" (default; a literal on a missing value does not hold) or "impute".
    tune : choose K, M, penalty, negations and cuts by cross-validation before. What differs from its default here restricts the choice:
        K=5, K=[3], M="1..4"; the nested estimate of the whole procedure is in tuning_.
    categories : names (or numbers) of columns to take as categories though they hold numbers.
    positive : of two classes the label of the cases; by default the greater one.
    threads, seed, time_limit, work_limit : as on the command line; 0 threads: one per core.
    n_jobs : threads in scikit-learn's words (-1: one per core); None: what `threads` says.
    progress : True shows a line while it runs; a function is called about ten times a second with a Progress, and ends the search
        if it returns True.
    options : a dictionary of any other options of the library, by their names.

    Attributes
    ----------
    rule_ : the rule as text; of more than two classes a dictionary of them. rules_ : its clauses, lists of literals ("!x" negates x),
        or a dictionary of them. rule_objects_ : Rule objects, one or one per class.
    rule_json_ : the rule as the command line keeps it; with the option cnf that for the controls, as export gives it too.
    status_, objective_, bound_, gap_ : how good it is, and how good any rule can be; of more classes the worst status and the sums.
    scope_ : among which rules: a dictionary of limits, literals, weights.
    tuning_ : with tune=True the CrossValidation that chose, a list of more classes; else None.
    answer_ : all that `ireland fit --json` says, as of the options test, permutations and all_optimal; a list of more classes.
    certificate_ : the certificate, if it was asked for and the rule is proven; else None.
    clause_probability_, rest_probability_ : of two classes the shares of cases, see predict_proba.
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 5))
    >>> y = np.where((X[:, 0] & X[:, 1]) | X[:, 2], "ill", "well")
    >>> model = RuleClassifier(K=2, M=2, positive="ill", prove=True, certificate=True).fit(X, y)
    >>> print(model.rule_)
    (x2) OR (x0 AND x1)
    >>> model.status_, model.score(X, y)
    ('optimal', 1.0)
    >>> model.explain(X[:1])[0].predicted == y[0]
    True
    >>> model.verify(X, y).valid
    True
    """

    rule_: Any
    rules_: Any
    rule_json_: Any
    answer_: Any
    scope_: Any
    certificate_: Optional[str]
    tuning_: Any
    classes_: Array
    feature_names_in_: Array
    n_features_in_: int

    def __init__(self, K: GridValues = 3, M: GridValues = 3, method: str = "ireland", negations: GridValues = False, prove: bool = False,
                 weights: Optional[str] = None, penalty: GridValues = 0.0, max_literals: int = 0, min_sensitivity: float = 0.0,
                 min_specificity: float = 0.0, cuts: Optional[str] = None, missing: Optional[str] = None,
                 categories: Optional[Sequence[Any]] = None, positive: Any = None, threads: int = 0, seed: int = 1,
                 time_limit: float = 0.0, work_limit: int = 0, options: Optional[Mapping[str, Any]] = None,
                 certificate: bool = False, class_weight: ClassWeight = None, n_jobs: Optional[int] = None,
                 progress: Union[bool, ProgressFunction] = False, tune: bool = False) -> None:
        super().__init__()
        self.K = K
        self.M = M
        self.method = method
        self.negations = negations
        self.prove = prove
        self.weights = weights
        self.penalty = penalty
        self.max_literals = max_literals
        self.min_sensitivity = min_sensitivity
        self.min_specificity = min_specificity
        self.cuts = cuts
        self.missing = missing
        self.categories = categories
        self.positive = positive
        self.threads = threads
        self.seed = seed
        self.time_limit = time_limit
        self.work_limit = work_limit
        self.options = options
        self.certificate = certificate
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.progress = progress
        self.tune = tune

    # ---- settings and samples ----

    def _threads(self) -> int:
        if self.n_jobs is None:
            return self.threads
        if self.n_jobs == 0:
            raise ValueError("n_jobs is a number of threads, or -1 for one per core; it cannot be 0")
        return max(0, self.n_jobs)

    def _settings(self, **more: Any) -> Dict[str, Any]:
        settings = {name: getattr(self, name) for name in _OWN}
        settings["threads"] = self._threads()
        settings.update(self.options or {})
        settings.update(more)
        if settings.get("missing") in ("drop", "error"):
            raise ValueError("missing is 'false' or 'impute' here: drop samples before fit")
        return settings

    def _options(self, env: Env, settings: Mapping[str, Any]) -> Any:
        if not settings.get("tune"):
            return env.options(settings)
        given = [None if np.isscalar(settings[name]) and settings[name] == usual else settings[name] for name, usual in _TUNED.items()]
        return env.options({**settings, **dict.fromkeys(_TUNED), "tune": env.grid(*given)})

    def _samples(self, X: Any, y: Any, sample_weight: Any) -> Samples:
        return Samples(X, y, sample_weight, self.class_weight, self.positive)

    def _columns_of(self, frame: Frame) -> List[Column]:
        names = frame.names
        wanted = {str(c) if not isinstance(c, (int, np.integer)) or frame.is_named else names[c] for c in (self.categories or [])}
        unknown = wanted - set(names)
        if unknown:
            raise ValueError(f"categories names columns that are not there: {', '.join(sorted(unknown))}")
        columns = columns_of(frame, None, [CATEGORY if name in wanted else None for name in names])
        for column in columns:
            if column.name not in wanted and column.is_identifier():
                warnings.warn(f"column {column.name!r} has {len(column.values)} different texts, is taken for an identifier and "
                              "left out; categories=[...] keeps it", UserWarning, stacklevel=4)
                column.kind = IGNORED
        return columns

    def _features(self, samples: Samples, settings: Mapping[str, Any], needs_table: bool = False) -> Features:
        """Columns; of large 0/1 data bits, unless a table is needed."""
        if not needs_table and samples.weights is None and not self.categories and not any(settings.get(o) for o in _OF_TABLES):
            bits = bits_of(samples.frame)
            if bits is not None:
                return bits
        return self._columns_of(samples.frame)

    def _problem(self, env: Env, samples: Samples, settings: Mapping[str, Any], needs_table: bool = True) -> Problem:
        """That of two classes, for studies."""
        if len(samples.classes) != 2:
            raise ValueError(f"y has {len(samples.classes)} classes; this is for two: pass y == label")
        names = [samples.target, *(spell(samples.classes[i]) for i in (samples.positive, 1 - samples.positive))]
        return Problem(env, self._features(samples, settings, needs_table), samples.labels(0), samples.weights, names,
                       self._options(env, settings))

    # ---- fit ----

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "RuleClassifier":
        """Learns the rule from samples X (array, sparse matrix or frame) with labels y.

        Ctrl-C ends the search: the model has the best rule so far (status_ "interrupted"), and KeyboardInterrupt is raised.
        """
        samples = self._samples(X, y, sample_weight)
        settings = self._settings(tune=self.tune)
        features = self._features(samples, settings)
        kinds = [0] * len(samples.frame.names) if isinstance(features, Bits) else [c.kind for c in features]
        learnt = Learnt(samples.frame.names, kinds, samples.classes, samples.positive, samples.frame.is_named)
        progress = progress_function(self.progress)
        with Env(progress) as env:
            try:
                answers = [self._learn(env, learnt, samples, features, settings, k) for k in range(len(samples.case))]
            except IrelandError:
                env.raise_interrupt()
                raise
            finally:
                close(progress)
            self._estimate(learnt, samples, features)
            self._publish(learnt, samples, answers)
            for line in env.warnings:
                warnings.warn(line, UserWarning, stacklevel=2)
            env.raise_interrupt()
        return self

    def _learn(self, env: Env, learnt: Learnt, samples: Samples, features: Features, settings: Mapping[str, Any],
               k: int) -> Dict[str, Any]:
        """The rule of class k, which goes to `learnt`, and the library's answer."""
        names = [samples.target, *learnt.label_names(k)]
        problem = Problem(env, features, samples.labels(k), samples.weights, names, self._options(env, settings))
        interrupt = env.interrupt
        result = problem.fit()
        env.interrupt = env.interrupt or interrupt
        answer: Dict[str, Any] = json.loads(env.text("irl_fit_render", result, JSON))
        if answer["objective"] is None:
            reason = env.lib.irl_fit_reason(result)
            raise IrelandError(f"no rule was found: {answer['status']}" + (f"; {reason.decode(errors='replace')}" if reason else ""))
        handle = env.lib.irl_fit_rule(result)
        text, rule_json = (env.text("irl_rule_render", handle, form).rstrip("\n") for form in (TEXT, JSON))
        is_cnf = answer.get("form") == "cnf"
        if is_cnf:
            text = " AND ".join(f"({' OR '.join(clause)})" for clause in answer["clauses"]) or "TRUE"
        learnt.rules.append(ClassRule(rule_json, is_cnf, [list(c) for c in answer["clauses"]], text))
        if settings.get("certificate"):
            answer["_certificate"] = env.text("irl_fit_certificate", result) or None
        return answer

    def _estimate(self, learnt: Learnt, samples: Samples, features: Features) -> None:
        """Shares of the classes where clauses hold, for predict_proba."""
        if isinstance(features, Bits):
            columns = learnt.columns(samples.frame, type(self).__name__)
        else:
            columns = features
            learnt.note_values(features)
        for k, rule in enumerate(learnt.rules):
            rule.estimate(rule.held(columns, self._threads()), samples.labels(k), samples.weights)

    def _publish(self, learnt: Learnt, samples: Samples, answers: List[Dict[str, Any]]) -> None:
        certificates = [answer.pop("_certificate", None) for answer in answers]
        tunings = [CrossValidation(answer["tuning"]) if "tuning" in answer else None for answer in answers]
        public: Dict[str, Any] = {"_learnt": learnt, "tuning_": tunings[0] if learnt.is_binary else tunings if any(tunings) else None, "classes_": learnt.classes.copy(), "n_features_in_": len(learnt.names)}
        first, rule = answers[0], learnt.rules[0]
        if learnt.is_binary:
            public.update(status_=first["status"], objective_=first["objective"], bound_=first["bound"], gap_=first["gap"],
                          work_=first["work"], scope_=first.get("scope"), answer_=first, rule_=rule.text, rule_json_=rule.json,
                          rules_=[list(c) for c in rule.clauses], clause_probability_=np.array(rule.shares), rest_probability_=rule.rest,
                          certificate_=certificates[0])
        else:
            labels = learnt.classes.tolist()
            objective, bound = sum(a["objective"] for a in answers), sum(a["bound"] for a in answers)
            worst = max(answers, key=lambda a: ["optimal", "feasible", "limit", "interrupted"].index(a["status"]))
            public.update(status_=worst["status"], objective_=objective, bound_=bound, work_=sum(a["work"] for a in answers),
                          gap_=(objective - bound) / objective if objective else 0.0, scope_=[a.get("scope") for a in answers],
                          answer_=answers, certificate_=certificates if any(certificates) else None)
            public.update(rule_={label: r.text for label, r in zip(labels, learnt.rules)},
                          rule_json_={label: r.json for label, r in zip(labels, learnt.rules)},
                          rules_={label: [list(c) for c in r.clauses] for label, r in zip(labels, learnt.rules)})
            for name in ("clause_probability_", "rest_probability_"):
                self.__dict__.pop(name, None)
        if samples.frame.is_named:
            public["feature_names_in_"] = np.array(samples.frame.names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(public)  # all at once: a fit that fails changes nothing

    @property
    def rule_objects_(self) -> List[Rule]:
        """The rules as objects, in the order of classes_; of two classes one."""
        return [Rule(rule.json) for rule in self._fitted().rules]

    # ---- predictions ----

    def _fitted(self) -> Learnt:
        learnt: Optional[Learnt] = getattr(self, "_learnt", None)
        if learnt is None:
            raise not_fitted_error(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first.")
        return learnt

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learnt")

    def _prepare(self, X: Any) -> Tuple[Learnt, List[Column]]:
        learnt = self._fitted()
        return learnt, learnt.columns(frame_of(X), type(self).__name__)

    def fires(self, X: Any) -> Array:
        """A matrix of booleans: does clause k hold for sample i? Clauses are those of rules_, of more classes one after another."""
        learnt, columns = self._prepare(X)
        return np.hstack([rule.fires(columns, self._threads()) for rule in learnt.rules])

    def transform(self, X: Any) -> Array:
        """The clauses as 0/1 features, for a model that follows; `set_output` gives frames."""
        return self.fires(X).astype(np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The clauses as texts: the names of what transform gives."""
        learnt, names = self._fitted(), []
        for k, rule in enumerate(learnt.rules):
            word = " OR " if rule.is_cnf else " AND "
            mark = "" if learnt.is_binary else f"{spell(learnt.classes[k])}: "
            names += [mark + word.join(clause) for clause in rule.clauses]
        return np.array(names, dtype=object)

    def predict(self, X: Any) -> Array:
        """The labels that the rule gives to samples X; of more than two classes the one with the greatest share."""
        learnt, columns = self._prepare(X)
        if not learnt.is_binary:
            return np.asarray(learnt.classes[self._shares(learnt, columns).argmax(axis=1)])
        rule = learnt.rules[0]
        is_case = rule.decide(rule.fires(columns, self._threads()))
        return np.asarray(learnt.classes[np.where(is_case, learnt.positive, 1 - learnt.positive)])

    def _shares(self, learnt: Learnt, columns: List[Column]) -> Array:
        shares = np.stack([rule.probability(rule.held(columns, self._threads())) for rule in learnt.rules], axis=1)
        if learnt.is_binary:
            case = shares[:, 0]
            return np.stack([1 - case, case] if learnt.positive == 1 else [case, 1 - case], axis=1)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def predict_proba(self, X: Any) -> Array:
        """The share of each class among the training samples for which the same clause speaks: of those that hold, the one with the
        greatest share of cases (of a CNF: of those that fail, the one with the least). With balanced weights a rule may say 'case'
        where cases are fewer than half, so the greater share need not be what `predict` says."""
        learnt, columns = self._prepare(X)
        return self._shares(learnt, columns)

    def explain(self, X: Any) -> List[Explanation]:
        """Why each sample is predicted so: the clauses that hold, or the one that misses fewest literals. Of two classes only.

        >>> model = RuleClassifier(K=1, M=2).fit([[1, 1], [1, 0], [0, 1], [0, 0]] * 5, [1, 0, 0, 0] * 5)
        >>> model.explain([[1, 0]])
        [Explanation(predicted=0, fired=[], closest=['x0', 'x1'], misses=['x1'])]
        """
        learnt, columns = self._prepare(X)
        if not learnt.is_binary:
            raise ValueError("explain is for two classes; fires and get_feature_names_out tell of the clauses of more")
        text = [spell(label) for label in learnt.classes]
        with Env() as env:
            rule = env.rule(learnt.rules[0].json)
            data = data_for(env, columns, rule, self._threads())
            rows = json.loads(env.text("irl_predict_render", rule, data, JSON, True))
        return [Explanation(learnt.classes[text.index(row["predicted"])], row["fired"], row.get("closest"), row.get("misses", []))
                for row in rows]

    def evaluate(self, X: Any, y: Any) -> Dict[str, Any]:
        """Confusion counts, measures and statistics of each clause, as `ireland evaluate --json`. Of two classes only."""
        learnt, columns = self._prepare(X)
        if not learnt.is_binary:
            raise ValueError("evaluate is for two classes; score tells of more")
        case, control = (learnt.classes[i] for i in (learnt.positive, 1 - learnt.positive))
        y = np.asarray(y)
        if y.shape != (columns[0].n,) or not np.isin(y, learnt.classes).all():
            raise ValueError(f"y must have one label per sample, {case!r} or {control!r}")
        is_positive = y == (control if learnt.rules[0].is_cnf else case)
        return evaluation(learnt.rules[0].json, columns, np.array(is_positive, dtype=np.uint8))

    # ---- exports ----

    def export(self, language: str) -> str:
        """The rule as code: "c", "python", "sql", "r", "javascript" or "text"; of more classes one after another."""
        learnt = self._fitted()
        parts = [Rule(rule.json).export(language) for rule in learnt.rules]
        return parts[0] if learnt.is_binary else "\n".join(parts)

    def to_sql(self) -> str:
        """The rule as a CASE expression of SQL."""
        return self.export("sql").rstrip("\n")

    def to_python(self) -> str:
        """The rule as a function of Python."""
        return self.export("python")

    def to_c(self) -> str:
        """The rule as a function of C."""
        return self.export("c")

    def to_r(self) -> str:
        """The rule as a function of R."""
        return self.export("r")

    def to_javascript(self) -> str:
        """The rule as a function of JavaScript."""
        return self.export("javascript")

    # ---- scikit-learn and notebooks ----

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if "_learnt" in state:
            state["_learnt"] = state["_learnt"].state()
        if callable(state.get("progress")):
            state["progress"] = False  # functions of a session stay there
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        state = dict(state)
        learnt = state.pop("_learnt", None)
        self.__dict__.update(state)
        if learnt is not None:
            self._learnt = Learnt.from_state(learnt)

    def _more_tags(self) -> Dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": True, "X_types": ["2darray", "sparse"], "preserves_dtype": []}

    def __sklearn_tags__(self) -> Any:
        join_scikit_learn()
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.sparse = tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _repr_mimebundle_(self, **_: Any) -> Dict[str, str]:  # or scikit-learn would show its settings alone
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        learnt: Optional[Learnt] = getattr(self, "_learnt", None)
        if learnt is None:
            return f"<code>{self!r}</code>"
        answers = [self.answer_] if learnt.is_binary else self.answer_
        parts = []
        for k, (rule, answer) in enumerate(zip(learnt.rules, answers)):
            statistics = None if rule.is_cnf else answer.get("clause_statistics")
            label = learnt.classes[learnt.positive if learnt.is_binary else k]
            parts.append(f"<p><b>{escape(spell(label))}</b> if (status {escape(answer['status'])}, objective {answer['objective']:.6g}, "
                         f"bound {answer['bound']:.6g})</p>" + rule_html(rule.clauses, statistics, "AND" if rule.is_cnf else "OR"))
        return "<div>" + "".join(parts) + "</div>"
