"""Readable Boolean rules from data, and how good they provably are.

    from ireland import RuleClassifier
    model = RuleClassifier(K=3, M=3).fit(X, y)
    print(model.rule_)              # (age > 52.5 AND smokes) OR (odor = foul)
    print(model.objective_, model.bound_, model.status_)
    model.predict(X_new)

One file over the shared library, without a build step: needs Python 3.8 and NumPy. Pandas frames
are understood, and scikit-learn's tools accept the classifier; neither is needed. The library is
found by the environment variable IRELAND_LIBRARY, beside an installation that this file belongs
to, or where the system finds libraries.
"""
import ctypes
import ctypes.util
import glob
import json
import os
import threading
import warnings

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import DataConversionWarning, NotFittedError
except ImportError:  # what is needed of them is small

    class BaseEstimator:
        def get_params(self, deep=True):
            """The settings, by name."""
            return {name: getattr(self, name) for name in _PARAMETERS}

        def set_params(self, **params):
            """Changes settings by name."""
            for name, value in params.items():
                if name not in _PARAMETERS:
                    raise ValueError(f"there is no parameter {name!r}; they are {', '.join(_PARAMETERS)}")
                setattr(self, name, value)
            return self

    class ClassifierMixin:
        def score(self, X, y, sample_weight=None):
            """The accuracy of the predictions for X."""
            return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

    class NotFittedError(ValueError, AttributeError):
        pass

    DataConversionWarning = UserWarning


__version__ = "0.1.0"
__all__ = ["RuleClassifier", "IrelandError", "library_path", "__version__"]


class IrelandError(ValueError):
    """What the library says is wrong with data or settings."""


# ---- the library -----------------------------------------------------------------------------

_SONAME = "libireland.so.0"
_BINARY, _NUMBER, _CATEGORY, _IGNORED = 0, 1, 2, 4  # irl_column_type
_MOST_VALUES, _FEW_VALUES = 1000, 20  # of a category, as in files: more are taken for identifiers
_TEXT, _JSON = 0, 1  # irl_format
_OUTCOMES = ("optimal", "feasible", "limit", "interrupted", "infeasible", "unbounded")

_p, _text, _size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t


class _OptionInfo(ctypes.Structure):
    _fields_ = [("name", _text), ("type", ctypes.c_int), ("preset", ctypes.c_double), ("low", ctypes.c_double),
                ("high", ctypes.c_double), ("jobs", ctypes.c_uint), ("inputs", ctypes.c_uint),
                ("changes", ctypes.c_bool), ("help", _text), ("offset", _size)]


class _ColumnView(ctypes.Structure):
    _fields_ = [("name", _text), ("type", ctypes.c_int), ("numbers", _p), ("codes", _p),
                ("values", ctypes.POINTER(_text)), ("n_values", ctypes.c_uint32)]


class _TableView(ctypes.Structure):
    _fields_ = [("n_samples", ctypes.c_uint32), ("n_columns", ctypes.c_uint32), ("columns", ctypes.POINTER(_ColumnView)),
                ("labels", _p), ("weights", _p), ("target", _text), ("positive", _text), ("negative", _text)]


class _FitInfo(ctypes.Structure):
    _fields_ = [("outcome", ctypes.c_int), ("objective", ctypes.c_double), ("bound", ctypes.c_double),
                ("gap", ctypes.c_double), ("total", ctypes.c_double), ("rate", ctypes.c_double), ("samples", ctypes.c_uint64), ("features", ctypes.c_uint64),
                ("K", ctypes.c_uint32), ("M", ctypes.c_uint32), ("method", _text), ("seed", ctypes.c_uint64),
                ("work", ctypes.c_uint64), ("nodes", ctypes.c_uint64), ("permutations", ctypes.c_uint32),
                ("p_value", ctypes.c_double), ("best_seconds", ctypes.c_double)]


# name: argument types; all return a status but for those in _OTHERS.
_FUNCTIONS = {
    "irl_env_create": [_p, _p],
    "irl_options_set": [_p, _p, _text, _text],
    "irl_data_from_bytes": [_p, ctypes.c_uint32, ctypes.c_uint32, _p, _p, _p, _p],
    "irl_table_from_columns": [_p, _p, _p, _p],
    "irl_table_data_for": [_p, _p, _p, _p],
    "irl_fit": [_p, _p, _p, _p],
    "irl_fit_table": [_p, _p, _p, _p],
    "irl_rule_parse_json": [_p, _text, _size, _p],
    "irl_rule_render": [_p, _p, ctypes.c_int, _p],
    "irl_rule_export": [_p, _p, _text, _p],
    "irl_predict_bytes": [_p, _p, _p, _p, _p],
}
_OTHERS = {
    "irl_version": (_text, []),
    "irl_env_free": (None, [_p]),
    "irl_env_error": (_text, [_p]),
    "irl_env_stop": (None, [_p]),
    "irl_options_init": (None, [_p]),
    "irl_options_table": (ctypes.POINTER(_OptionInfo), [ctypes.POINTER(_size)]),
    "irl_data_free": (None, [_p]),
    "irl_table_free": (None, [_p]),
    "irl_rule_free": (None, [_p]),
    "irl_fit_free": (None, [_p]),
    "irl_fit_rule": (_p, [_p]),
    "irl_fit_describe": (None, [_p, _p]),
    "irl_text_free": (None, [_p, _p]),
}


def _candidates():
    named = os.environ.get("IRELAND_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.normpath(os.path.join(here, "..", "..", "..", "lib"))  # PREFIX/share/ireland/python
    source = os.path.normpath(os.path.join(here, "..", ".."))  # src/python of the sources
    found = [os.path.join(installed, _SONAME), *sorted(glob.glob(os.path.join(installed, "*", _SONAME))),
             os.path.join(installed + "64", _SONAME), os.path.join(source, _SONAME)]
    found = [path for path in found if os.path.exists(path)]
    system = ctypes.util.find_library("ireland")
    return found + ([system] if system else []) + [_SONAME]


def _load():
    reasons = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
            continue
        for name, arguments in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = ctypes.c_int, arguments
        for name, (result, arguments) in _OTHERS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        version = library.irl_version().decode()
        if version.split(".")[:2] != __version__.split(".")[:2]:
            raise ImportError(f"{path} is ireland {version}, this is ireland.py {__version__}")
        library.path = path
        return library
    raise ImportError(f"{_SONAME} was not found; IRELAND_LIBRARY may name it ({'; '.join(reasons)})")


_library = None


def _lib():
    global _library
    if _library is None:
        _library = _load()
    return _library


def library_path():
    """The file of the shared library in use."""
    return _lib().path


class _Env:
    """One handle of the library, with what it made; all is freed at the end of the `with`."""

    def __enter__(self):
        self.lib, self.made, self.kept = _lib(), [], []
        self.handle = _p()
        if self.lib.irl_env_create(None, ctypes.byref(self.handle)):
            raise MemoryError("out of memory")
        return self

    def __exit__(self, *_):
        for free, handle in reversed(self.made):
            free(handle)
        self.lib.irl_env_free(self.handle)

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(self.handle, *arguments)
        if status == 1:
            raise MemoryError("out of memory")
        if status:
            raise IrelandError(self.lib.irl_env_error(self.handle).decode(errors="replace"))

    def make(self, name, free, *arguments):
        """A handle by a function whose last argument is where it goes."""
        handle = _p()
        self.call(name, *arguments, ctypes.byref(handle))
        self.made.append((getattr(self.lib, free), handle))
        return handle

    def text(self, name, *arguments):
        pointer = _p()
        self.call(name, *arguments, ctypes.byref(pointer))
        text = ctypes.string_at(pointer).decode()
        self.lib.irl_text_free(self.handle, pointer)
        return text

    def keep(self, thing):
        """Memory that the library borrows must live as long as the handle."""
        self.kept.append(thing)
        return thing

    def options(self, settings):
        count = _size()
        table = self.lib.irl_options_table(ctypes.byref(count))
        size = max(table[i].offset for i in range(count.value)) + ctypes.sizeof(_p)
        options = self.keep(ctypes.create_string_buffer(size))
        self.lib.irl_options_init(options)
        for name, value in settings.items():
            if value is None or value is False:
                continue
            value = "" if value is True else repr(float(value)) if isinstance(value, float) else str(value)
            self.call("irl_options_set", options, name.encode(), self.keep(value.encode()))
        return options

    def work(self, name, free, *arguments):
        """Like make, for long jobs: Ctrl-C asks the library to stop, and is raised once it has."""
        if threading.current_thread() is not threading.main_thread():
            return self.make(name, free, *arguments)
        done, is_over, interrupt = [], threading.Event(), None

        def run():
            try:
                done.append(self.make(name, free, *arguments))
            except Exception as error:
                done.append(error)
            finally:
                is_over.set()

        threading.Thread(target=run, daemon=True).start()
        while not is_over.is_set():
            try:
                is_over.wait()
            except KeyboardInterrupt as error:
                self.lib.irl_env_stop(self.handle)
                interrupt = error
        if interrupt:
            raise interrupt
        if isinstance(done[0], Exception):
            raise done[0]
        return done[0]


# ---- columns ---------------------------------------------------------------------------------


def _is_missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, (float, np.floating)) and value != value)


def _spell(value):
    """A category's value as text; 1 and 1.0 are the same."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


class _Column:
    """Values as the library takes them: numbers with NaN, or codes of texts with -1 where they are missing."""

    def __init__(self, name, values, kind=None):
        self.name = name
        dtype = getattr(values, "dtype", None)
        values = np.asarray(values)
        if kind is None and str(dtype) == "category":
            kind = _CATEGORY
        if values.dtype.kind in "mM":
            raise TypeError(f"column {name!r} holds dates; make numbers of them first")
        if values.dtype.kind == "c":
            raise ValueError(f"column {name!r}: Complex data not supported")
        if values.dtype.kind in "OUS":
            self._take_objects(values, kind)
        elif kind == _CATEGORY:
            self._take_texts(values.astype(object))
        else:
            self._take_numbers(np.ascontiguousarray(values, dtype=np.float64))

    def _take_objects(self, values, kind):
        if kind != _CATEGORY:
            try:
                numbers = np.array([np.nan if _is_missing(v) else float(v) for v in values])
                if kind == _NUMBER or not any(isinstance(v, str) for v in values):
                    return self._take_numbers(numbers)
            except (TypeError, ValueError):
                if kind == _NUMBER:
                    raise ValueError(f"column {self.name!r} held numbers when the rule was learnt; now it holds texts") from None
        return self._take_texts(values)

    def _take_numbers(self, numbers):
        if np.isinf(numbers).any():
            raise ValueError(f"column {self.name!r} contains infinity")
        self.numbers, self.codes, self.values = numbers, None, []
        known = numbers[~np.isnan(numbers)]
        self.kind = _BINARY if ((known == 0) | (known == 1)).all() else _NUMBER

    def _take_texts(self, values):
        for value in values:
            if not _is_missing(value) and not isinstance(value, (str, bytes, bool, int, float, np.generic)):
                raise TypeError(f"column {self.name!r}: argument must be a string or a number, not {type(value).__name__!r}")
        texts = [None if _is_missing(v) else _spell(v) for v in values]
        self.values = sorted({t for t in texts if t is not None})
        number = {text: i for i, text in enumerate(self.values)}
        self.codes = np.array([-1 if t is None else number[t] for t in texts], dtype=np.int32)
        self.numbers, self.kind = None, _CATEGORY

    def is_identifier(self):
        """Texts that tell which sample it is, not what it is like."""
        n = len(self.values)
        return self.kind == _CATEGORY and (n > _MOST_VALUES or (n > _FEW_VALUES and 2 * n > len(self.codes)))

    def is_bits(self):
        return self.kind == _BINARY and not np.isnan(self.numbers).any()

    def view(self, env, kind):
        view = _ColumnView(name=env.keep(self.name.encode()), type=kind)
        if self.numbers is not None:
            view.numbers = self.numbers.ctypes.data
        else:
            view.codes = self.codes.ctypes.data
            texts = env.keep((_text * max(1, len(self.values)))(*(text.encode() for text in self.values)))
            view.values, view.n_values = ctypes.cast(texts, ctypes.POINTER(_text)), len(self.values)
        return view


def _as_matrix(X):
    """What columns are taken from: a frame as it is, anything else as an array of two dimensions."""
    if hasattr(X, "columns") and hasattr(X, "iloc"):
        return X
    if hasattr(X, "toarray"):
        raise TypeError("Sparse data was passed, but dense data is required; use X.toarray()")
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: a row per sample, "
                         "a column per feature; array.reshape(-1, 1) makes one column, array.reshape(1, -1) one sample")
    return X


def _names_of(X):
    if hasattr(X, "columns"):
        return [str(name) for name in X.columns]
    return [f"x{j}" for j in range(X.shape[1])]


def _values_of(X, j):
    return X.iloc[:, j] if hasattr(X, "iloc") else X[:, j]


# ---- the classifier --------------------------------------------------------------------------


class RuleClassifier(ClassifierMixin, BaseEstimator):
    """A rule of at most K clauses (joined by OR) of at most M literals each (joined by AND).

    Parameters
    ----------
    K, M : the most clauses, and the most literals in a clause.
    method : "ireland" (default), "brcg", or "bp1" to "bp6".
    negations : may literals be negated?
    prove : search until the best rule of all is proven, or a limit.
    weights : "balanced" (default without sample_weight) or "unit" for plain accuracy.
    penalty : loss per clause and literal, as a share of all weights.
    max_literals : in the whole rule; 0: any number.
    min_sensitivity, min_specificity : only rules that reach them.
    cuts : of number columns: "quantile:9" (default), "mdl" or "all".
    missing : of values: "false" (default; a literal on a missing value does not hold) or "impute".
    categories : names (or numbers) of columns to take as categories though they hold numbers.
    positive : the label of the cases; by default the greater one.
    threads, seed, time_limit, work_limit : as on the command line; 0 threads: one per core.
    options : a dictionary of any other options of the library, by their names.

    Attributes
    ----------
    rule_ : the rule as text. rules_ : its clauses, lists of literals ("!x" is NOT x).
    status_, objective_, bound_, gap_ : how good it is, and how good any rule can be.
    clause_probability_, rest_probability_ : shares of cases, see predict_proba.
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.
    """

    def __init__(self, K=3, M=3, method="ireland", negations=False, prove=False, weights=None, penalty=0.0,
                 max_literals=0, min_sensitivity=0.0, min_specificity=0.0, cuts=None, missing=None, categories=None,
                 positive=None, threads=0, seed=1, time_limit=0.0, work_limit=0, options=None):
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

    def _settings(self):
        own = ("K", "M", "method", "negations", "prove", "weights", "penalty", "max_literals", "min_sensitivity",
               "min_specificity", "cuts", "missing", "threads", "seed", "time_limit", "work_limit")
        settings = {name: getattr(self, name) for name in own}
        settings.update(self.options or {})
        if settings.get("missing") in ("drop", "error"):
            raise ValueError("missing is 'false' or 'impute' here: drop samples before fit")
        return settings

    def _labels(self, y, n):
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            warnings.warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning, stacklevel=3)
            y = y.ravel()
        if y.ndim != 1 or len(y) != n:
            raise ValueError(f"y must have one label per sample: X has {n} samples, y has shape {y.shape}")
        if any(_is_missing(v) for v in y):
            raise ValueError("y contains NaN or missing labels")
        if y.dtype.kind == "f" and len(np.unique(y)) > 2 and not np.equal(np.mod(y, 1), 0).all():
            raise ValueError("Unknown label type: continuous; y must hold two classes")
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            raise ValueError(f"Only binary classification is supported: y has {len(self.classes_)} "
                             f"class{'es' if len(self.classes_) != 1 else ''}, two are needed")
        positive = self.classes_[1] if self.positive is None else self.positive
        if positive not in list(self.classes_):
            raise ValueError(f"positive is {positive!r}, but the classes are {self.classes_.tolist()}")
        self._positive_index = int(np.flatnonzero(self.classes_ == positive)[0])
        return np.ascontiguousarray(y == positive, dtype=np.uint8)

    def _columns_of(self, X):
        names = _names_of(X)
        wanted = {str(c) if not isinstance(c, (int, np.integer)) or hasattr(X, "columns") else names[c]
                  for c in (self.categories or [])}
        unknown = wanted - set(names)
        if unknown:
            raise ValueError(f"categories names columns that are not there: {', '.join(sorted(unknown))}")
        columns = [_Column(name, _values_of(X, j), _CATEGORY if name in wanted else None) for j, name in enumerate(names)]
        for column in columns:
            if column.name not in wanted and column.is_identifier():
                warnings.warn(f"column {column.name!r} has {len(column.values)} different texts, is taken for an identifier and "
                              "left out; categories=[...] keeps it", UserWarning, stacklevel=3)
                column.kind = _IGNORED
        return columns

    def fit(self, X, y, sample_weight=None):
        """Learns the rule from samples X (array or frame) with labels y of any two values."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        X = _as_matrix(X)
        n, n_features = X.shape
        for count, what, least in ((n, "sample(s)", 2), (n_features, "feature(s)", 1)):
            if count < least:
                raise ValueError(f"Found array with {count} {what} (shape=({n}, {n_features})) while a minimum of {least} "
                                 f"is required.")
        labels = self._labels(y, n)
        weights = None
        if sample_weight is not None:
            weights = np.ascontiguousarray(np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), n))
        columns = self._columns_of(X)
        self.n_features_in_ = n_features
        self._names = [c.name for c in columns]
        self._kinds = [c.kind for c in columns]
        if hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        with _Env() as env:
            self._learn(env, columns, labels, weights)
        fired = self._fired(columns)
        self._estimate(fired, labels, weights)
        return self

    def _learn(self, env, columns, labels, weights):
        options = env.options(self._settings())
        names = (self.classes_[self._positive_index], self.classes_[1 - self._positive_index])
        if weights is None and all(c.is_bits() for c in columns):
            data = _bits(env, columns, labels)
            result = env.work("irl_fit", "irl_fit_free", data, options)
        else:
            table = _table(env, columns, self._kinds, options, labels, weights, [_spell(name) for name in names])
            result = env.work("irl_fit_table", "irl_fit_free", table, options)
        info = _FitInfo()
        env.lib.irl_fit_describe(result, ctypes.byref(info))
        if info.objective != info.objective:
            raise IrelandError(f"no rule was found: {_OUTCOMES[info.outcome]}")
        rule = env.lib.irl_fit_rule(result)
        self.status_ = _OUTCOMES[info.outcome]
        self.objective_, self.bound_, self.gap_, self.work_ = info.objective, info.bound, info.gap, info.work
        self.rule_ = env.text("irl_rule_render", rule, _TEXT)
        self.rule_json_ = env.text("irl_rule_render", rule, _JSON)
        self.rules_ = json.loads(self.rule_json_)["clauses"]

    def _used(self):
        """The columns that the rule looks at."""
        rule = json.loads(self.rule_json_)
        columns = {literal["name"]: literal["column"] for literal in rule.get("literals", [])}
        names = {literal[literal.startswith("!"):] for clause in rule["clauses"] for literal in clause}
        return {columns.get(name, name) for name in names}

    def _fired(self, columns):
        """Which clauses hold, a row per sample."""
        used = self._used()
        columns = [c for c in columns if c.name in used] or columns[:1]
        n = len(columns[0].codes if columns[0].numbers is None else columns[0].numbers)
        predicted, fired = np.zeros(n, dtype=np.uint8), np.zeros((n, max(1, len(self.rules_))), dtype=np.uint8)
        with _Env() as env:
            text = self.rule_json_.encode()
            rule = env.make("irl_rule_parse_json", "irl_rule_free", text, len(text))
            if "literals" not in json.loads(self.rule_json_) and all(c.is_bits() for c in columns):
                data = _bits(env, columns, None)
            else:  # a number other than 0 and 1 makes a 0/1 literal false
                kinds = [_CATEGORY if c.kind == _CATEGORY else _NUMBER for c in columns]
                table = _table(env, columns, kinds, env.options({"threads": self.threads}))
                data = env.make("irl_table_data_for", "irl_data_free", table, rule)
            env.call("irl_predict_bytes", rule, data, predicted.ctypes.data, fired.ctypes.data)
        return fired[:, :len(self.rules_)].astype(bool)

    def _estimate(self, fired, labels, weights):
        """Shares of cases, with one half added to each class: among samples whose best clause is the same."""
        weights = np.ones(len(labels)) if weights is None else weights

        def share(which):
            total, cases = weights[which].sum(), (weights * labels)[which].sum()
            return (cases + 0.5) / (total + 1)

        alone = np.array([share(fired[:, k]) for k in range(fired.shape[1])])
        self._order = np.argsort(-alone, kind="stable")
        first = self._first(fired)
        self.clause_probability_ = np.array([share(first == k) for k in range(fired.shape[1])])
        self.rest_probability_ = share(first < 0)

    def _first(self, fired):
        """The clause that fires and comes first in the order of their shares; -1: none fires."""
        first = np.full(len(fired), -1)
        for k in self._order[::-1]:
            first[fired[:, k]] = k
        return first

    def _prepare(self, X):
        """The columns of new samples, by name where there are names."""
        if not hasattr(self, "rule_json_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first.")
        X = _as_matrix(X)
        names = _names_of(X)
        if hasattr(X, "columns") and hasattr(self, "feature_names_in_"):
            missing = [name for name in self._names if name not in names]
            if missing:
                raise ValueError(f"The feature names should match those that were passed during fit. Missing: {', '.join(missing)}")
            where = [names.index(name) for name in self._names]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        else:
            where = range(self.n_features_in_)
        used = self._used()
        wanted = [j for j, name in enumerate(self._names) if name in used] or [0]
        kinds = [_CATEGORY if self._kinds[j] == _CATEGORY else _NUMBER for j in wanted]
        return [_Column(self._names[j], _values_of(X, where[j]), kind) for j, kind in zip(wanted, kinds)]

    def fires(self, X):
        """A matrix of booleans: does clause k of rules_ hold for sample i?"""
        columns = self._prepare(X)
        if len(_as_matrix(X)) == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required")
        return self._fired(columns)

    def predict(self, X):
        """The labels that the rule gives to samples X."""
        is_case = self.fires(X).any(axis=1)
        return self.classes_[np.where(is_case, self._positive_index, 1 - self._positive_index)]

    def predict_proba(self, X):
        """The share of each class among the training samples for which the same clause speaks: of those that
        fire, the one with the greatest share of cases. With balanced weights a rule may say 'case' where cases
        are fewer than half, so the greater share need not be what `predict` says."""
        first = self._first(self.fires(X))
        case = np.append(self.clause_probability_, self.rest_probability_)[first]
        columns = [1 - case, case] if self._positive_index == 1 else [case, 1 - case]
        return np.stack(columns, axis=1)

    def export(self, language):
        """The rule as code: "c", "python", "sql", "r", "javascript" or "text"."""
        if not hasattr(self, "rule_json_"):
            raise NotFittedError("Call 'fit' first.")
        with _Env() as env:
            text = self.rule_json_.encode()
            rule = env.make("irl_rule_parse_json", "irl_rule_free", text, len(text))
            return env.text("irl_rule_export", rule, language.encode())

    def _more_tags(self):  # scikit-learn before 1.6
        return {"binary_only": True, "allow_nan": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


_PARAMETERS = [name for name in RuleClassifier.__init__.__code__.co_varnames[1:] if name != "self"]


def _bits(env, columns, labels):
    """Columns of zeros and ones as a data set."""
    cells = np.empty((len(columns[0].numbers), len(columns)), dtype=np.uint8)
    for j, column in enumerate(columns):
        cells[:, j] = column.numbers
    names = (_text * len(columns))(*(column.name.encode() for column in columns))
    return env.make("irl_data_from_bytes", "irl_data_free", cells.shape[0], cells.shape[1], cells.ctypes.data,
                    None if labels is None else labels.ctypes.data, names)


def _table(env, columns, kinds, options, labels=None, weights=None, label_names=(None, None)):
    """Columns of any kind as a table."""
    views = env.keep((_ColumnView * len(columns))(*(c.view(env, kind) for c, kind in zip(columns, kinds))))
    first = columns[0].codes if columns[0].numbers is None else columns[0].numbers
    positive, negative = (None if name is None else env.keep(name.encode()) for name in label_names)
    view = _TableView(n_samples=len(first), n_columns=len(columns), columns=views, positive=positive, negative=negative,
                      labels=None if labels is None else labels.ctypes.data,
                      weights=None if weights is None else weights.ctypes.data)
    return env.make("irl_table_from_columns", "irl_table_free", ctypes.byref(view), options)
