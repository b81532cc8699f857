"""What the classifier inherits: of scikit-learn where that is in use, the little that is needed of it elsewhere.

Importing scikit-learn takes several times as long as all else. So the classifier begins with a base of its own, and gets those of
scikit-learn in its place, once and for all its objects, when an object is made and scikit-learn is imported already, or when
something is asked for that only scikit-learn has. Whoever hands a model to scikit-learn has imported it, so that none sees the
difference.
"""
import sys
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Type

_OF_SCIKIT_LEARN = ("set_output", "get_metadata_routing", "set_fit_request", "set_score_request", "_get_tags", "_validate_params",
                    "_check_n_features", "_check_feature_names", "_validate_data", "_get_param_names", "_sklearn_auto_wrap_output_keys")
_lock = threading.Lock()


class Estimator:
    """A classifier and transformer with settings by name, as in scikit-learn."""

    _estimator_type = "classifier"

    def __init__(self) -> None:
        if "sklearn" in sys.modules:
            join_scikit_learn()

    def _defaults(self) -> Dict[str, Any]:
        import inspect
        parameters = inspect.signature(type(self).__init__).parameters
        return {name: parameter.default for name, parameter in list(parameters.items())[1:]}

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The settings, by name."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Any:
        """Changes settings by name."""
        names = list(self._defaults())
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"there is no parameter {name!r}; they are {', '.join(names)}")
            setattr(self, name, value)
        return self

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy of the predictions for X."""
        import numpy as np
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))  # type: ignore[attr-defined]

    def fit_transform(self, X: Any, y: Any = None, **settings: Any) -> Any:
        """fit, then transform of the same samples."""
        return self.fit(X, y, **settings).transform(X)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        changed = (f"{name}={getattr(self, name)!r}" for name, value in self._defaults().items() if getattr(self, name) is not value)
        return f"{type(self).__name__}({', '.join(changed)})"

    if TYPE_CHECKING:
        def __sklearn_tags__(self) -> Any: ...
    else:
        def __getattr__(self, name: str) -> Any:
            if name in _OF_SCIKIT_LEARN and join_scikit_learn():
                return getattr(self, name)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _below(cls: Type[Any]) -> Iterator[Type[Any]]:
    for other in cls.__subclasses__():
        yield other
        yield from _below(other)


def join_scikit_learn() -> bool:
    """Puts scikit-learn's bases in the place of Estimator; false where it is not installed."""
    with _lock:
        classes: List[Type[Any]] = Estimator.__subclasses__()
        if classes:
            try:
                from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin  # type: ignore[import]
            except ImportError:
                return False
            below = list(_below(Estimator))
            for cls in classes:
                place = cls.__bases__.index(Estimator)
                cls.__bases__ = (*cls.__bases__[:place], ClassifierMixin, TransformerMixin, BaseEstimator, *cls.__bases__[place + 1:])
            for cls in below:  # what scikit-learn does to classes as they are made, such as wrapping `transform`
                super(cls, cls).__init_subclass__()
        return True


class _NotFittedError(ValueError, AttributeError):
    pass


def not_fitted_error(text: str) -> Exception:
    """That of scikit-learn where it is installed."""
    try:
        from sklearn.exceptions import NotFittedError  # type: ignore[import]
    except ImportError:
        NotFittedError = _NotFittedError
    error: Exception = NotFittedError(text)
    return error


def conversion_warning() -> Type[Warning]:
    """The category of warnings about labels in a column: that of scikit-learn where it is installed."""
    try:
        from sklearn.exceptions import DataConversionWarning
    except ImportError:
        return UserWarning
    category: Type[Warning] = DataConversionWarning
    return category
