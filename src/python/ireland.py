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
import _thread
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
_MOST = 2**31 - 1  # samples and columns

_p, _text, _size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t


class _ColumnView(ctypes.Structure):
    _fields_ = [("size", _size), ("name", _text), ("type", ctypes.c_int), ("numbers", _p), ("codes", _p),
                ("values", ctypes.POINTER(_text)), ("n_values", ctypes.c_uint32)]


class _TableView(ctypes.Structure):
    _fields_ = [("size", _size), ("n_samples", ctypes.c_uint32), ("n_columns", ctypes.c_uint32), ("columns", ctypes.POINTER(_ColumnView)),
                ("labels", _p), ("weights", _p), ("target", _text), ("positive", _text), ("negative", _text)]


class _DataInfo(ctypes.Structure):  # its beginning, of which its size tells the library
    _fields_ = [("size", _size), ("samples", ctypes.c_uint64), ("features", ctypes.c_uint64)]


class _RuleInfo(ctypes.Structure):
    _fields_ = [("size", _size), ("clauses", ctypes.c_uint32), ("literals", ctypes.c_uint32)]


# name: argument types; all return a status but for those in _OTHERS.
_FUNCTIONS = {
    "irl_env_create": [_p, _p],
    "irl_options_set": [_p, _p, _text, _text],
    "irl_table_from_columns": [_p, _p, _p, _p],
    "irl_table_data_for": [_p, _p, _p, _p],
    "irl_fit_table": [_p, _p, _p, _p],
    "irl_fit_render": [_p, _p, ctypes.c_int, _p],
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
    "irl_options_init": (None, [_p, _size]),
    "irl_options_size": (_size, []),
    "irl_data_free": (None, [_p]),
    "irl_data_describe": (ctypes.c_int, [_p, _p]),
    "irl_table_free": (None, [_p]),
    "irl_rule_free": (None, [_p]),
    "irl_rule_describe": (ctypes.c_int, [_p, _p]),
    "irl_fit_free": (None, [_p]),
    "irl_fit_rule": (_p, [_p]),
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


def _bytes(text):
    """A text for the library, in which a NUL would be the end."""
    if "\0" in text:
        raise ValueError(f"{text!r} has a NUL character")
    return text.encode()


class _Env:
    """One handle of the library, with what it made, for the length of a `with`.

    Python runs signal handlers in the main thread, between any two of its steps, and they may raise anything: Ctrl-C, a
    timeout, sys.exit. So long jobs run in threads of their own (`work`), for which the main thread only waits, and whoever
    leaves last, the `with` or such a thread, frees what there is: nothing is freed while the library uses it.
    """

    def __enter__(self):
        self.lib, self.made, self.kept = _lib(), [], []
        self.lock, self.users, self.process = threading.Lock(), 1, os.getpid()
        self.handle = _p()
        if self.lib.irl_env_create(None, ctypes.byref(self.handle)):
            raise MemoryError("out of memory")
        return self

    def __exit__(self, *_):
        self.leave()

    def join(self):
        """One more uses it; false if the last one has left."""
        with self.lock:
            self.users += self.users > 0
            return self.users > 0

    def leave(self):
        if os.getpid() != self.process:
            return  # forked off by a signal handler: the lock may be held for ever
        with self.lock:
            self.users -= 1
            if self.users:
                return
        while self.made:
            free, handle = self.made.pop()
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
        self.made.append((getattr(self.lib, free), handle))  # before, since freeing nothing is allowed
        self.call(name, *arguments, ctypes.byref(handle))
        return handle

    def work(self, name, free, *arguments):
        """Like make, for long jobs. What a signal handler raises meanwhile asks the library to stop and is raised once it has;
        of several the last one."""
        if threading.current_thread() is not threading.main_thread():
            return self.make(name, free, *arguments)
        job, raised = _Job(self, lambda: self.make(name, free, *arguments)), None
        try:
            while True:
                try:
                    if raised is None:
                        job.start()
                    else:
                        job.stop()
                    return job.answer(raised)
                except BaseException as error:
                    if job.is_ended():
                        raise
                    raised = error
        finally:
            if not job.is_ended():  # an exception came between the lines above
                job.stop()
            job = raised = None  # or they would keep each other alive

    def text(self, name, *arguments):
        pointer = _p()
        self.call(name, *arguments, ctypes.byref(pointer))
        try:
            return ctypes.string_at(pointer).decode(errors="replace")
        finally:
            self.lib.irl_text_free(self.handle, pointer)

    def keep(self, thing):
        """Memory that the library borrows must live as long as the handle."""
        self.kept.append(thing)
        return thing

    def options(self, settings):
        options = self.keep(ctypes.create_string_buffer(self.lib.irl_options_size()))
        self.lib.irl_options_init(options, self.lib.irl_options_size())
        for name, value in settings.items():
            if value is None or value is False:
                continue
            value = "" if value is True else repr(float(value)) if isinstance(value, float) else str(value)
            self.call("irl_options_set", options, _bytes(name), self.keep(_bytes(value)))
        return options


class _Job:
    """A function in a thread that uses an _Env."""

    def __init__(self, env, function):
        self.env, self.function, self.process = env, function, os.getpid()
        self.lock, self.is_begun, self.is_stopped = threading.Lock(), False, False
        self.gate, self.is_over = threading.Lock(), False  # held until it is over
        self.gate.acquire()
        self.result = self.error = None

    def begin(self):
        """A thread that starts after it was told to stop, or after its env was left, does nothing."""
        with self.lock:
            self.is_begun = not self.is_stopped and self.env.join()
            return self.is_begun

    def run(self):
        if not self.begin():
            return
        try:
            self.result = self.function()
        except BaseException as error:
            self.error = error
        finally:
            self.env.leave()
            self.function = None
            self.is_over = True
            self.gate.release()

    def start(self):
        try:
            _thread.start_new_thread(self.run, ())  # in one step, which Thread.start is not
        except RuntimeError as error:
            if not str(error).startswith("can't"):
                raise
            self.run()  # where there is none to be had nothing can interrupt it

    def stop(self):
        """What runs ends soon; what has not begun does not begin."""
        if os.getpid() == self.process:
            with self.lock:
                self.is_stopped = True
            self.env.lib.irl_env_stop(self.env.handle)

    def is_ended(self):
        """Is nothing more to come? In a process that a signal handler forked off nothing does."""
        return self.is_over or (self.is_stopped and not self.is_begun) or os.getpid() != self.process

    def answer(self, raised):
        while not self.is_ended():
            self.gate.acquire(timeout=1)
        if raised is not None:
            raise raised
        if os.getpid() != self.process:
            raise RuntimeError("a signal handler has forked: the library runs in the other process")
        if self.error is not None:
            raise self.error
        return self.result


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

    def __init__(self, name, values, n, kind=None):
        self.name, self.n = name, n
        dtype = getattr(values, "dtype", None)
        values = np.asarray(values)
        if values.shape != (n,):
            raise ValueError(f"column {name!r} has shape {values.shape}, not one value for each of {n} samples")
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
            self._take_numbers(np.array(values, dtype=np.float64))  # a copy, whatever happens to the original meanwhile

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
        return self.kind == _CATEGORY and (n > _MOST_VALUES or (n > _FEW_VALUES and 2 * n > self.n))

    def view(self, env, kind):
        view = _ColumnView(size=ctypes.sizeof(_ColumnView), name=env.keep(_bytes(self.name)), type=kind)
        env.keep(self)
        if self.numbers is not None:
            view.numbers = self.numbers.ctypes.data
        else:
            view.codes = self.codes.ctypes.data
            texts = env.keep((_text * max(1, len(self.values)))(*(_bytes(text) for text in self.values)))
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


class _Learnt:
    """What a fit has learnt, as predictions use it. The public attributes are copies: whoever changes one changes no other."""

    def __init__(self, columns, classes, positive_index):
        self.names, self.kinds = [c.name for c in columns], [c.kind for c in columns]
        self.classes, self.positive_index = classes, positive_index
        self.rule_json = self.used = self.is_cnf = None
        self.order = self.clause_probability = self.rest_probability = None

    def take_rule(self, rule_json, is_cnf):
        """A CNF comes as the rule for the controls that it negates."""
        rule = json.loads(rule_json)
        self.rule_json, self.is_cnf = rule_json, is_cnf
        columns = {literal["name"]: literal["column"] for literal in rule.get("literals", [])}
        names = {literal[literal.startswith("!"):] for clause in rule["clauses"] for literal in clause}
        self.used = {columns.get(name, name) for name in names}

    def label_names(self):
        """Of the cases, and of the controls."""
        return [_spell(self.classes[i]) for i in (self.positive_index, 1 - self.positive_index)]

    def fired(self, columns, threads):
        """Which clauses hold, a row per sample."""
        columns = [c for c in columns if c.name in self.used] or columns[:1]
        with _Env() as env:
            text = self.rule_json.encode()
            rule = env.make("irl_rule_parse_json", "irl_rule_free", text, len(text))
            kinds = [_CATEGORY if c.kind == _CATEGORY else _NUMBER for c in columns]  # 0/1 literals of other numbers are false
            table = _table(env, columns, kinds, env.options({"threads": threads}))
            data = env.make("irl_table_data_for", "irl_data_free", table, rule)
            return _predict(env, rule, data)

    def estimate(self, fired, labels, weights):
        """Shares of cases, with one half added to each class: among samples whose best clause is the same."""
        weights = np.ones(len(labels)) if weights is None else weights

        def share(which):
            total, cases = weights[which].sum(), (weights * labels)[which].sum()
            return (cases + 0.5) / (total + 1)

        alone = np.array([share(fired[:, k]) for k in range(fired.shape[1])])
        self.order = np.argsort(alone if self.is_cnf else -alone, kind="stable")
        first = self.first(fired)
        self.clause_probability = np.array([share(first == k) for k in range(fired.shape[1])])
        self.rest_probability = share(first < 0)

    def first(self, fired):
        """The clause that fires and comes first in the order of their shares; -1: none fires."""
        first = np.full(len(fired), -1)
        for k in self.order[::-1]:
            first[fired[:, k]] = k
        return first


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
    rule_json_ : the rule as the command line keeps it; with the option cnf that for the controls, as export gives it too.
    status_, objective_, bound_, gap_ : how good it is, and how good any rule can be.
    scope_ : among which rules: a dictionary of limits, literals, weights.
    answer_ : all that `ireland fit --json` says, as of the options test, permutations and all_optimal.
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
        classes = np.unique(y)
        if len(classes) != 2:
            raise ValueError(f"Only binary classification is supported: y has {len(classes)} "
                             f"class{'es' if len(classes) != 1 else ''}, two are needed")
        positive = classes[1] if self.positive is None else self.positive
        if positive not in list(classes):
            raise ValueError(f"positive is {positive!r}, but the classes are {classes.tolist()}")
        return np.array(y == positive, dtype=np.uint8), classes, int(np.flatnonzero(classes == positive)[0])

    def _columns_of(self, X):
        names = _names_of(X)
        wanted = {str(c) if not isinstance(c, (int, np.integer)) or hasattr(X, "columns") else names[c]
                  for c in (self.categories or [])}
        unknown = wanted - set(names)
        if unknown:
            raise ValueError(f"categories names columns that are not there: {', '.join(sorted(unknown))}")
        columns = [_Column(name, _values_of(X, j), len(X), _CATEGORY if name in wanted else None)
                   for j, name in enumerate(names)]
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
        labels, classes, positive_index = self._labels(y, n)
        weights = None
        if sample_weight is not None:
            weights = np.array(np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), n))
        columns = self._columns_of(X)
        learnt = _Learnt(columns, classes, positive_index)
        public = self._learn(learnt, columns, labels, weights)
        learnt.estimate(learnt.fired(columns, self.threads), labels, weights)
        public.update(_learnt=learnt, classes_=classes.copy(), n_features_in_=n_features,
                      clause_probability_=learnt.clause_probability.copy(), rest_probability_=learnt.rest_probability)
        if hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns):
            public["feature_names_in_"] = np.array(X.columns, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.__dict__.update(public)  # all at once: a fit that fails or is interrupted changes nothing
        return self

    def _learn(self, learnt, columns, labels, weights):
        """The attributes that the fit gives."""
        with _Env() as env:
            options = env.options(self._settings())
            table = _table(env, columns, learnt.kinds, options, labels, weights, learnt.label_names())
            result = env.work("irl_fit_table", "irl_fit_free", table, options)
            answer = json.loads(env.text("irl_fit_render", result, _JSON))
            if answer["objective"] is None:
                raise IrelandError(f"no rule was found: {answer['status']}")
            rule = env.lib.irl_fit_rule(result)
            text, rule_json = (env.text("irl_rule_render", rule, form) for form in (_TEXT, _JSON))
        learnt.take_rule(rule_json, answer.get("form") == "cnf")
        if learnt.is_cnf:
            text = " AND ".join(f"({' OR '.join(map(_literal, clause))})" for clause in answer["clauses"]) or "TRUE"
        return {"status_": answer["status"], "objective_": answer["objective"], "bound_": answer["bound"], "gap_": answer["gap"],
                "work_": answer["work"], "scope_": answer.get("scope"), "answer_": answer, "rule_": text, "rule_json_": rule_json,
                "rules_": [list(clause) for clause in answer["clauses"]]}

    def _fitted(self):
        if not hasattr(self, "_learnt"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first.")
        return self._learnt

    def _prepare(self, X, learnt):
        """The columns of new samples, by name where there are names."""
        X = _as_matrix(X)
        names, n_features = _names_of(X), len(learnt.names)
        if hasattr(X, "columns") and hasattr(self, "feature_names_in_"):
            missing = [name for name in learnt.names if name not in names]
            if missing:
                raise ValueError(f"The feature names should match those that were passed during fit. Missing: {', '.join(missing)}")
            where = [names.index(name) for name in learnt.names]
        elif X.shape[1] != n_features:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {n_features} features as input")
        else:
            where = range(n_features)
        if len(X) == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required")
        wanted = [j for j, name in enumerate(learnt.names) if name in learnt.used] or [0]
        kinds = [_CATEGORY if learnt.kinds[j] == _CATEGORY else _NUMBER for j in wanted]
        return [_Column(learnt.names[j], _values_of(X, where[j]), len(X), kind) for j, kind in zip(wanted, kinds)]

    def fires(self, X):
        """A matrix of booleans: does clause k of rules_ hold for sample i?"""
        learnt = self._fitted()
        return learnt.fired(self._prepare(X, learnt), self.threads) != learnt.is_cnf

    def predict(self, X):
        """The labels that the rule gives to samples X."""
        learnt = self._fitted()
        fires = self.fires(X)
        is_case = fires.all(axis=1) if learnt.is_cnf else fires.any(axis=1)
        return learnt.classes[np.where(is_case, learnt.positive_index, 1 - learnt.positive_index)]

    def predict_proba(self, X):
        """The share of each class among the training samples for which the same clause speaks: of those that
        fire, the one with the greatest share of cases (of a CNF: of those that fail, the one with the least). With balanced weights a rule may say 'case' where cases
        are fewer than half, so the greater share need not be what `predict` says."""
        learnt = self._fitted()
        first = learnt.first(self.fires(X) != learnt.is_cnf)
        case = np.append(learnt.clause_probability, learnt.rest_probability)[first]
        columns = [1 - case, case] if learnt.positive_index == 1 else [case, 1 - case]
        return np.stack(columns, axis=1)

    def export(self, language):
        """The rule as code: "c", "python", "sql", "r", "javascript" or "text"."""
        text = self._fitted().rule_json.encode()
        with _Env() as env:
            rule = env.make("irl_rule_parse_json", "irl_rule_free", text, len(text))
            return env.text("irl_rule_export", rule, _bytes(language))

    def _more_tags(self):  # scikit-learn before 1.6
        return {"binary_only": True, "allow_nan": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


_PARAMETERS = [name for name in RuleClassifier.__init__.__code__.co_varnames[1:] if name != "self"]


def _literal(name):
    return "NOT " + name[1:] if name.startswith("!") else name


def _check_sizes(columns, *others):
    """The library believes the sizes that it is told."""
    n = columns[0].n
    if max(n, len(columns)) > _MOST or any(c.n != n for c in columns) or any(len(o) != n for o in others if o is not None):
        raise ValueError("columns, labels and weights differ in length, or are too many")
    return n


def _table(env, columns, kinds, options, labels=None, weights=None, label_names=(None, None)):
    """Columns of any kind as a table."""
    n = _check_sizes(columns, labels, weights)
    views = env.keep((_ColumnView * len(columns))(*(c.view(env, kind) for c, kind in zip(columns, kinds))))
    positive, negative = (None if name is None else env.keep(_bytes(name)) for name in label_names)
    view = _TableView(size=ctypes.sizeof(_TableView), n_samples=n, n_columns=len(columns), columns=views, positive=positive, negative=negative,
                      labels=None if labels is None else labels.ctypes.data,
                      weights=None if weights is None else weights.ctypes.data)
    return env.make("irl_table_from_columns", "irl_table_free", ctypes.byref(view), options)


def _predict(env, rule, data):
    """Which clauses hold, a row per sample, in memory of the size that rule and data have."""
    rule_info, data_info = _RuleInfo(ctypes.sizeof(_RuleInfo)), _DataInfo(ctypes.sizeof(_DataInfo))
    env.lib.irl_rule_describe(rule, ctypes.byref(rule_info))
    env.lib.irl_data_describe(data, ctypes.byref(data_info))
    predicted = np.zeros(data_info.samples, dtype=np.uint8)
    fired = np.zeros((data_info.samples, rule_info.clauses), dtype=np.uint8)
    env.call("irl_predict_bytes", rule, data, predicted.ctypes.data, fired.ctypes.data)
    return fired.astype(bool)
