"""Columns of arrays, sparse matrices and frames as the library takes them; _arrow.py has those of Polars, Arrow and others.

Numbers go to the library where they are if they are float64 and next to each other in memory; others are converted, a column at a
time. Categories go as codes: those of pandas and Arrow are used, texts are counted once.
"""
import ctypes
import sys
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._library import ColumnView, Env, encode

BINARY, NUMBER, CATEGORY, IGNORED = 0, 1, 2, 4  # irl_column_type
MOST_VALUES, FEW_VALUES = 1000, 20  # of a category, as in files: more are taken for identifiers
MOST = 2**31 - 1  # samples and columns
_GLANCE = 1000  # values that tell of most columns what they are not

if TYPE_CHECKING:
    import numpy.typing as npt
    Array = npt.NDArray[Any]
else:
    Array = np.ndarray


def is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, (float, np.floating)) and value != value)


def spell(value: Any) -> str:
    """A category's value as text; 1 and 1.0 are the same."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


# ---- where columns come from -----------------------------------------------------------------


class Coded(NamedTuple):
    """The number of each value among the different ones, -1 where it is missing, and these."""

    codes: Array
    values: List[Any]


class Frame:
    """Samples in columns, whatever they are kept in."""

    is_named = False  # do the columns have names of their own?
    is_sparse = False

    def __init__(self, n_samples: int, names: List[str]) -> None:
        self.n_samples, self.names = n_samples, names

    def values(self, j: int) -> Any:
        raise NotImplementedError


class _Matrix(Frame):
    def __init__(self, X: Array) -> None:
        super().__init__(X.shape[0], [f"x{j}" for j in range(X.shape[1])])
        self.X = X

    def values(self, j: int) -> Any:
        return self.X[:, j]


class _Sparse(Frame):
    is_sparse = True

    def __init__(self, X: Any) -> None:
        super().__init__(X.shape[0], [f"x{j}" for j in range(X.shape[1])])
        self.X = X.tocsc(copy=True)
        self.X.sum_duplicates()

    def rows(self, j: int) -> Tuple[Array, Array]:
        """The rows of a column that are stored, and their values."""
        part = slice(self.X.indptr[j], self.X.indptr[j + 1])
        return self.X.indices[part], self.X.data[part]

    def values(self, j: int) -> Any:
        rows, data = self.rows(j)
        column = np.zeros(self.n_samples, dtype=data.dtype if data.dtype.kind == "c" else np.float64)
        column[rows] = data
        return column


class _Pandas(Frame):
    def __init__(self, X: Any) -> None:
        super().__init__(len(X), [str(name) for name in X.columns])
        self.X, self.is_named = X, all(isinstance(name, str) for name in X.columns)

    def values(self, j: int) -> Any:
        return self.X.iloc[:, j]


def frame_of(X: Any) -> Frame:
    """What columns are taken from: a frame as it is, anything else as an array of two dimensions."""
    if isinstance(X, Frame):
        return X
    if hasattr(X, "columns") and hasattr(X, "iloc"):
        return _Pandas(X)
    if hasattr(X, "tocsc") and hasattr(X, "toarray"):
        return _Sparse(X)
    if hasattr(X, "__arrow_c_stream__"):
        from ._arrow import ArrowFrame
        return ArrowFrame(X)
    if hasattr(X, "__dataframe__"):
        from ._arrow import ExchangedFrame
        return ExchangedFrame(X)
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: a row per sample, "
                         "a column per feature; array.reshape(-1, 1) makes one column, array.reshape(1, -1) one sample")
    return _Matrix(X)


# ---- a column --------------------------------------------------------------------------------


def _factorize(name: str, values: Array) -> Coded:
    pandas = sys.modules.get("pandas")
    try:
        if values.dtype.kind in "US":
            unique, codes = np.unique(values, return_inverse=True)
            return Coded(codes, unique.tolist())
        if pandas is not None:
            codes, unique = pandas.factorize(values)
            return Coded(codes, list(unique))
        numbers: Dict[Any, int] = {}
        return Coded(np.array([-1 if is_missing(v) else numbers.setdefault(v, len(numbers)) for v in values], dtype=np.int64), list(numbers))
    except TypeError:
        other = next(v for v in values if not _is_plain(v))
        raise TypeError(f"column {name!r}: argument must be a string or a number, not {type(other).__name__!r}") from None


def _is_plain(value: Any) -> bool:
    return is_missing(value) or isinstance(value, (str, bytes, bool, int, float, np.generic))


class Column:
    """Values as the library takes them: numbers with NaN, or codes of texts with -1 where they are missing."""

    def __init__(self, name: str, values: Any, n: int, kind: Optional[int] = None) -> None:
        self.name, self.n, self.kind = name, n, NUMBER
        self.numbers: Optional[Array] = None
        self.codes: Optional[Array] = None
        self.values: List[str] = []
        dtype = getattr(values, "dtype", None)
        coded: Optional[Coded] = None
        if isinstance(values, Coded):
            array, coded = None, values
        elif str(dtype) == "category" and hasattr(values, "cat"):
            array, coded = None, Coded(values.cat.codes.to_numpy(), list(values.cat.categories))
        elif hasattr(values, "to_numpy") and hasattr(dtype, "na_value") and getattr(dtype, "kind", "O") in "biuf":
            array = values.to_numpy(dtype=np.float64, na_value=np.nan)  # nullable numbers
        else:
            array = np.asarray(values)
        shape = (coded[0] if coded is not None else np.asarray(array)).shape
        if shape != (n,):
            raise ValueError(f"column {name!r} has shape {shape}, not one value for each of {n} samples")
        if coded is not None:
            self._take_codes(*coded, kind)
        else:
            assert array is not None
            self._take(array, kind)

    def _take(self, array: Array, kind: Optional[int]) -> None:
        if array.dtype.kind in "mM":
            raise TypeError(f"column {self.name!r} holds dates; make numbers of them first")
        if array.dtype.kind == "c":
            raise ValueError(f"column {self.name!r}: Complex data not supported")
        if array.dtype.kind in "OUS":
            self._take_codes(*_factorize(self.name, array), kind, is_text=array.dtype.kind != "O")
        elif kind == CATEGORY:
            self._take_codes(*_factorize(self.name, array.astype(object)), kind)
        else:
            self._take_numbers(np.ascontiguousarray(array, dtype=np.float64))

    def _take_codes(self, codes: Array, values: List[Any], kind: Optional[int], is_text: Optional[bool] = None) -> None:
        """Codes of values that may still be numbers, missing or the same texts. `is_text` None: they were coded by their owner."""
        for value in values:
            if not _is_plain(value):
                raise TypeError(f"column {self.name!r}: argument must be a string or a number, not {type(value).__name__!r}")
        if kind == NUMBER or (kind is None and is_text is False and not any(isinstance(v, (str, bytes)) for v in values)):
            try:
                numbers = np.array([np.nan if is_missing(v) else float(v) for v in values] + [np.nan])
                return self._take_numbers(numbers[codes])
            except (TypeError, ValueError):
                if kind == NUMBER:
                    raise ValueError(f"column {self.name!r} held numbers when the rule was learnt; now it holds texts") from None
        texts = [None if is_missing(v) else spell(v) for v in values]
        used = np.zeros(len(values) + 1, dtype=bool)
        used[codes] = True
        self.values = sorted({text for text, is_used in zip(texts, used) if is_used and text is not None})
        number = {text: i for i, text in enumerate(self.values)}
        translated = np.array([number.get(text, -1) if text is not None else -1 for text in texts] + [-1], dtype=np.int32)
        self.codes, self.kind = np.ascontiguousarray(translated[codes]), CATEGORY

    def _take_numbers(self, numbers: Array) -> None:
        self.numbers = numbers
        glance = numbers[:_GLANCE]
        self.kind = BINARY
        if ((glance != 0) & (glance != 1) & (glance == glance)).any() or ((numbers != 0) & (numbers != 1) & (numbers == numbers)).any():
            self.kind = NUMBER
            if np.isinf(numbers).any():
                raise ValueError(f"column {self.name!r} contains infinity")

    def is_identifier(self) -> bool:
        """Texts that tell which sample it is, not what it is like."""
        n = len(self.values)
        return self.kind == CATEGORY and (n > MOST_VALUES or (n > FEW_VALUES and 2 * n > self.n))

    def view(self, env: Env, kind: int) -> ColumnView:
        view = ColumnView(size=ctypes.sizeof(ColumnView), name=env.keep(encode(self.name)), type=kind)
        env.keep(self)
        if self.numbers is not None:
            view.numbers = self.numbers.ctypes.data
        else:
            assert self.codes is not None
            view.codes = self.codes.ctypes.data
            texts = env.keep((ctypes.c_char_p * max(1, len(self.values)))(*(encode(text) for text in self.values)))
            view.values, view.n_values = ctypes.cast(texts, ctypes.POINTER(ctypes.c_char_p)), len(self.values)
        return view


def columns_of(frame: Frame, wanted: Optional[Sequence[int]] = None, kinds: Optional[Iterable[Optional[int]]] = None) -> List[Column]:
    places = range(len(frame.names)) if wanted is None else wanted
    return [Column(frame.names[j], frame.values(j), frame.n_samples, kind) for j, kind in zip(places, kinds or [None] * len(places))]


# ---- bits ------------------------------------------------------------------------------------


class Bits:
    """0/1 features as bits, for data that would be large as numbers: a vector per feature, whole words of 64 samples."""

    def __init__(self, names: List[str], n_samples: int, words: Array) -> None:
        self.names, self.n, self.words = names, n_samples, words
        assert words.shape == (len(names), (n_samples + 63) // 64) and words.flags.c_contiguous


def pack(bits: Array) -> Array:
    """Columns of booleans as rows of words, sample i being bit i % 64 of word i / 64."""
    packed = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
    padded = np.zeros((packed.shape[0], (bits.shape[0] + 63) // 64 * 8), dtype=np.uint8)
    padded[:, :packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def bits_of(frame: Frame, least: int = 2**24) -> Optional[Bits]:
    """The bits of a sparse or a large dense matrix of 0/1; None: it is not one, or not large."""
    n, m = frame.n_samples, len(frame.names)
    if isinstance(frame, _Sparse):
        if not (frame.X.data == 1).all() or n == 0:
            return None
    elif not isinstance(frame, _Matrix) or n * m < least or frame.X.dtype.kind not in "biu":
        return None
    words = np.zeros((m, (n + 63) // 64), dtype=np.uint64)
    for first in range(0, m, 256):
        places = range(first, min(first + 256, m))
        if isinstance(frame, _Sparse):
            block = np.zeros((n, len(places)), dtype=bool)
            for k, j in enumerate(places):
                block[frame.rows(j)[0], k] = True
        else:
            assert isinstance(frame, _Matrix)
            part = frame.X[:, first:places.stop]
            if part.dtype.kind != "b" and ((part != 0) & (part != 1)).any():
                return None
            block = part.astype(bool)
        words[first:places.stop] = pack(block)
    return Bits(frame.names, n, words)
