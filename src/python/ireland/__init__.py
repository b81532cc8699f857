"""Readable Boolean rules from data, and how good they provably are.

>>> import numpy as np
>>> from ireland import RuleClassifier
>>> X = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1]] * 5)
>>> y = X[:, 0] & X[:, 1] | X[:, 2]
>>> model = RuleClassifier(K=2, M=2).fit(X, y)
>>> print(model.rule_)
(x2) OR (x0 AND x1)
>>> model.status_, model.objective_, model.bound_
('optimal', 0, 0)
>>> model.predict(np.array([[1, 1, 0], [0, 1, 0]]))
array([1, 0])

A package over the shared library, which is inside; it needs Python 3.8 and NumPy. Frames of pandas, Polars and Arrow, sparse
matrices and scikit-learn's tools are understood, and none of them is needed.
"""
from typing import TYPE_CHECKING, Any, List

from ._library import IrelandError, Progress, library_path
from ._version import __version__

if TYPE_CHECKING:
    from ._classifier import RuleClassifier as RuleClassifier
    from ._rule import Rule as Rule
    from ._study import CrossValidation as CrossValidation
    from ._study import Curve as Curve
    from ._study import CurvePoint as CurvePoint
    from ._study import Explanation as Explanation
    from ._study import Generated as Generated
    from ._study import Verification as Verification
    from ._tools import FileFit as FileFit
    from ._tools import best_clause as best_clause
    from ._tools import fit_file as fit_file
    from ._tools import generate as generate

# What brings NumPy, and scikit-learn if it is there, is imported when it is first asked for.
_LAZY = {"RuleClassifier": "_classifier", "Rule": "_rule", "Curve": "_study", "CurvePoint": "_study", "CrossValidation": "_study",
         "Explanation": "_study", "Verification": "_study", "Generated": "_study", "generate": "_tools", "best_clause": "_tools",
         "fit_file": "_tools", "FileFit": "_tools"}

__all__ = ["RuleClassifier", "Rule", "Curve", "CurvePoint", "CrossValidation", "Explanation", "FileFit", "Generated", "Progress", "Verification",
           "IrelandError", "best_clause", "fit_file", "generate", "library_path", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module
        return getattr(import_module("." + _LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted(set(globals()) | set(__all__))
