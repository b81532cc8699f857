"""What the classifier inherits: of scikit-learn where it is installed, the little that is needed of it elsewhere."""
import inspect
from typing import TYPE_CHECKING, Any, Dict, Type

import numpy as np


class _Parameters:
    """Settings by name, as in scikit-learn."""

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The settings, by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Any:
        """Changes settings by name."""
        names = list(inspect.signature(type(self)).parameters)
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"there is no parameter {name!r}; they are {', '.join(names)}")
            setattr(self, name, value)
        return self


class _Classifier:
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy of the predictions for X."""
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))  # type: ignore[attr-defined]


class _Transformer:
    def fit_transform(self, X: Any, y: Any = None, **settings: Any) -> Any:
        """fit, then transform of the same samples."""
        return self.fit(X, y, **settings).transform(X)  # type: ignore[attr-defined]


if TYPE_CHECKING:
    class BaseEstimator(_Parameters):
        def __sklearn_tags__(self) -> Any: ...

    class ClassifierMixin(_Classifier): ...

    class TransformerMixin(_Transformer): ...

    class NotFittedError(ValueError, AttributeError):
        pass

    DataConversionWarning: Type[Warning] = UserWarning
else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
        from sklearn.exceptions import DataConversionWarning, NotFittedError
    except ImportError:
        BaseEstimator, ClassifierMixin, TransformerMixin = _Parameters, _Classifier, _Transformer

        class NotFittedError(ValueError, AttributeError):
            pass

        DataConversionWarning = UserWarning
