"""Functions beside the classifier: rules from files, planted data, and the best single clause."""
import json
import os
import tempfile
from typing import Any, Dict, NamedTuple, Optional, Union

import numpy as np

from ._columns import columns_of, frame_of
from ._labels import take_labels
from ._library import JSON, Env, IrelandError, ProgressFunction, encode
from ._problem import Problem
from ._progress import close, progress_function
from ._rule import Rule
from ._study import Generated


_CONTENTS = ("types", "pheno", "covar", "keep", "remove", "extract", "exclude", "genes")  # options that name files


class FileFit(NamedTuple):
    """A rule from a file, all that `ireland fit --json` says of it, and its certificate, if it was asked for and the rule is proven."""

    rule: Rule
    answer: Dict[str, Any]
    certificate: Optional[str]


def fit_file(path: str, *, certificate: bool = False, progress: Union[bool, ProgressFunction] = False, **options: Any) -> FileFit:
    """The rule that `ireland fit` learns from a file, by the same options: fit_file("cohort.bed", K=2, pheno="ill.txt", strata="site").

    It reads CSV, TSV, ARFF, LIBSVM, .irb, PLINK's .bed and .raw and VCF. Options have the names of the command line with '_' for '-';
    types, pheno, covar, keep, remove, extract, exclude and genes are paths there and here.
    """
    settings = dict(options, certificate=certificate)
    for name in _CONTENTS:
        if settings.get(name) is not None:
            with open(settings[name], "rb") as file:
                settings[name] = file.read()
    show = progress_function(progress)
    with Env(show) as env:
        try:
            values = env.options(settings)
            table = env.work("irl_table_read", "irl_table_free", encode(os.fspath(path)), values)
            env.raise_interrupt()
            result = env.work("irl_fit_table", "irl_fit_free", table, values)
        finally:
            close(show)
        env.raise_interrupt()
        answer: Dict[str, Any] = json.loads(env.text("irl_fit_render", result, JSON))
        if answer["objective"] is None:
            raise IrelandError(f"no rule was found: {answer['status']}")
        proof = env.text("irl_fit_certificate", result) or None if certificate else None
        return FileFit(Rule(env.text("irl_rule_render", env.lib.irl_fit_rule(result), JSON)), answer, proof)


def generate(N: int = 1000, J: int = 100, K: int = 3, M: int = 3, *, noise: float = 0.0, density: float = 0.5, exact_size: bool = False,
             seed: int = 1) -> Generated:
    """Planted data: a random rule of K clauses labels N random samples of J features, then some labels are inverted.

    >>> X, y, rule = generate(N=200, J=10, K=2, M=2, seed=7)
    >>> X.shape, bool((rule.predict(X, names=[f"f{j + 1}" for j in range(10)]) == y).all())
    ((200, 10), True)
    """
    import ctypes
    with Env() as env, tempfile.TemporaryDirectory() as folder:
        options = env.options({"N": N, "J": J, "K": K, "M": M, "noise": float(noise), "density": float(density),
                               "exact_size": exact_size, "seed": seed})
        planted = ctypes.c_void_p()
        env.made.append((env.lib.irl_rule_free, planted))
        data = ctypes.c_void_p()
        env.made.append((env.lib.irl_data_free, data))
        env.call("irl_generate", options, ctypes.byref(data), ctypes.byref(planted))
        path = os.path.join(folder, "planted.csv")
        env.call("irl_data_write", data, encode(path))
        cells = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.uint8, ndmin=2)
        rule = Rule(env.text("irl_rule_render", planted, JSON))
    return Generated(cells[:, :-1], cells[:, -1], rule)


def best_clause(X: Any, y: Any, *, M: int = 3, budget: float = 0.0, prove: bool = False, positive: Any = None,
                **options: Any) -> Dict[str, Any]:
    """The single clause of at most M literals that covers most cases and at most `budget` of the controls, as `ireland clause --json`.

    >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]] * 5)
    >>> best_clause(X, X[:, 0] & X[:, 1], M=2)["clause"]
    ['x0', 'x1']
    """
    frame = frame_of(X)
    classes, numbers = take_labels(y, frame.n_samples)
    if len(classes) != 2:
        raise ValueError(f"y has {len(classes)} classes; best_clause is for two: pass y == label")
    case = 1 if positive is None else classes.tolist().index(positive)
    with Env() as env:
        settings = env.options({"M": M, "budget": float(budget), "prove": prove, **options})
        labels = np.array(numbers == case, dtype=np.uint8)
        problem = Problem(env, columns_of(frame), labels, None, (None, None, None), settings)
        solution = env.work("irl_clause_solve", "irl_clause_free", problem.coded(), settings)
        answer: Dict[str, Any] = json.loads(env.text("irl_clause_render", solution, JSON))
        env.raise_interrupt()
        return answer
