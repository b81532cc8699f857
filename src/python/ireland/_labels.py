"""Samples with their labels and weights as scikit-learn has them."""
import warnings
from typing import Any, List, Mapping, Optional, Tuple, Union

import numpy as np

from ._bases import conversion_warning
from ._columns import Array, Frame, frame_of, is_missing

ClassWeight = Union[str, Mapping[Any, float], None]


def take_labels(y: Any, n: int) -> Tuple[Array, Array]:
    """The classes, and for each sample the number of its class."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    if hasattr(y, "__arrow_c_stream__") and not hasattr(y, "iloc"):
        from ._arrow import arrow_list
        y = arrow_list(y)
    elif hasattr(y, "__arrow_c_array__") and hasattr(y, "to_pylist"):
        y = y.to_pylist()
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected", conversion_warning(), stacklevel=5)
        y = y.ravel()
    if y.ndim != 1 or len(y) != n:
        raise ValueError(f"y must have one label per sample: X has {n} samples, y has shape {y.shape}")
    if y.dtype.kind in "fO" and (np.isnan(y).any() if y.dtype.kind == "f" else any(is_missing(v) for v in y)):
        raise ValueError("y contains NaN or missing labels: leave these samples out")
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers")
    try:
        classes, numbers = np.unique(y, return_inverse=True)
    except TypeError:
        raise ValueError("y holds labels of different types, such as numbers and texts: make texts of all") from None
    if y.dtype.kind == "f" and len(classes) > 2 and not np.equal(np.mod(classes, 1), 0).all():
        raise ValueError("Unknown label type: continuous; y must hold classes")
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class, two or more are needed: nothing can be told apart")
    return classes, numbers


def take_weights(sample_weight: Any, class_weight: ClassWeight, classes: Array, numbers: Array) -> Optional[Array]:
    """A weight per sample; None: all are the same."""
    n = len(numbers)
    weights: Optional[Array] = None
    if sample_weight is not None:
        weights = np.array(np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), n))
    if class_weight is None:
        return weights
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f'class_weight is "balanced", a dictionary or None, not {class_weight!r}')
        counts = np.bincount(numbers, minlength=len(classes))
        factors = n / (len(classes) * counts)
    else:
        unknown = [label for label in class_weight if label not in classes.tolist()]
        if unknown:
            raise ValueError(f"class_weight has classes that y has not: {unknown}")
        factors = np.array([float(class_weight.get(label, 1.0)) for label in classes.tolist()])
    factors = factors[numbers]
    return factors if weights is None else weights * factors


class Samples:
    """What fit and its kin are given, checked."""

    def __init__(self, X: Any, y: Any, sample_weight: Any, class_weight: ClassWeight = None, positive: Any = None) -> None:
        self.frame: Frame = frame_of(X)
        n, n_features = self.frame.n_samples, len(self.frame.names)
        for count, what, least in ((n, "sample(s)", 2), (n_features, "feature(s)", 1)):
            if count < least:
                raise ValueError(f"Found array with {count} {what} (shape=({n}, {n_features})) while a minimum of {least} "
                                 f"is required.")
        self.classes, self.numbers = take_labels(y, n)
        self.weights = take_weights(sample_weight, class_weight, self.classes, self.numbers)
        self.target = str(getattr(y, "name", None) or "y")
        if positive is not None and len(self.classes) > 2:
            raise ValueError(f"positive is for two classes, y has {len(self.classes)}: pass y == {positive!r}, or leave it out for a "
                             "rule for each of them")
        self.positive = 1 if positive is None else self._place(positive)
        self.case = [self.positive] if len(self.classes) == 2 else list(range(len(self.classes)))

    def _place(self, positive: Any) -> int:
        if positive not in self.classes.tolist():
            raise ValueError(f"positive is {positive!r}, but the classes are {self.classes.tolist()}")
        return int(self.classes.tolist().index(positive))

    def labels(self, k: int) -> Array:
        """1 for the cases of rule k."""
        return np.array(self.numbers == self.case[k], dtype=np.uint8)
