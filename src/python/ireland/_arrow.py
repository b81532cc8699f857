"""Columns of frames that are neither of pandas nor arrays: Polars, pyarrow, DuckDB and others, by the two protocols that they share.

Most have the Arrow C data interface (`__arrow_c_stream__`): a capsule with a C structure that hands out chunks, each a few pointers to
memory in Arrow's layout. Older ones have the dataframe interchange protocol (`__dataframe__`), whose buffers are addresses too. Both are
read here with ctypes, so that no version of any of these packages is needed. Numbers without nulls that come in one chunk stay where
they are; the views keep their owner alive, and a chunk is released with the last of its views.
"""
import ctypes
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import numpy as np

from ._columns import Array, Coded, Frame

_p, _i64, _text = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
_Release = ctypes.CFUNCTYPE(None, _p)


class Schema(ctypes.Structure):
    """struct ArrowSchema."""


class Chunk(ctypes.Structure):
    """struct ArrowArray."""


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""

    _fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, _p, _p)), ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, _p, _p)),
                ("get_last_error", ctypes.CFUNCTYPE(_text, _p)), ("release", _p), ("private_data", _p)]


Schema._fields_ = [("format", _text), ("name", _text), ("metadata", _p), ("flags", _i64), ("n_children", _i64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)), ("release", _p),
                   ("private_data", _p)]
Chunk._fields_ = [("length", _i64), ("null_count", _i64), ("offset", _i64), ("n_buffers", _i64), ("n_children", _i64),
                  ("buffers", ctypes.POINTER(_p)), ("children", ctypes.POINTER(ctypes.POINTER(Chunk))),
                  ("dictionary", ctypes.POINTER(Chunk)), ("release", _p), ("private_data", _p)]

_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4", "g": "f8"}
_OFFSETS = {"u": "i4", "U": "i8", "z": "i4", "Z": "i8"}
_VIEWS = ("vu", "vz")
_VIEW_SIZE, _INLINE = 16, 12  # bytes of a view, and of a text that stands in it
_DATES = "t"  # begins the types of dates, times and durations


# ---- memory ----------------------------------------------------------------------------------


class _Memory:
    """n values at an address, for NumPy, which keeps this object and so the owner of the memory."""

    def __init__(self, owner: Any, address: int, n: int, dtype: str) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": np.dtype(dtype).str, "shape": (n,), "data": (address, True)}


def _at(owner: Any, address: Optional[int], first: int, n: int, dtype: str) -> Array:
    """n values from number `first` on."""
    if n <= 0:
        return np.empty(0, dtype=dtype)
    if not address:
        raise ValueError("a frame says that it has values, but not where")
    return np.asarray(_Memory(owner, address + first * np.dtype(dtype).itemsize, n, dtype))


def _bits_at(owner: Any, address: Optional[int], first: int, n: int) -> Array:
    """n booleans of a bitmap, from bit `first` on."""
    whole = _at(owner, address, 0, (first + n + 7) // 8, "u1")
    return np.unpackbits(whole, bitorder="little")[first:first + n].astype(bool)


class _Owner:
    """A C structure that is released when nothing looks at its memory any more."""

    def __init__(self, structure: Any) -> None:
        self.structure = structure

    def __del__(self) -> None:
        if self.structure.release:
            _Release(self.structure.release)(ctypes.addressof(self.structure))


# ---- values, whatever they came by ------------------------------------------------------------


def _with_nan(values: Array, nulls: Optional[Array]) -> Array:
    if nulls is None or not nulls.any():
        return values
    numbers = values.astype(np.float64)
    numbers[nulls] = np.nan
    return numbers


def _with_codes(codes: Array, nulls: Optional[Array], values: List[Any]) -> Coded:
    codes = codes.astype(np.int64)
    if nulls is not None:
        codes[nulls] = -1
    return Coded(codes, values)


def _count_texts(texts: List[bytes], nulls: Optional[Array]) -> Coded:
    numbers: Dict[bytes, int] = {}
    codes = np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)
    return _with_codes(codes, nulls, [text.decode(errors="replace") for text in numbers])


def _texts(owner: Any, offsets: Array, data: Optional[int]) -> List[bytes]:
    """Texts that stand one after another, by the places where they begin and the last ends."""
    if not len(offsets):
        return []
    first, last = int(offsets[0]), int(offsets[-1])
    whole = _at(owner, data, first, last - first, "u1").tobytes()
    places = (offsets - first).tolist()
    return [whole[a:b] for a, b in zip(places, places[1:])]


def _list(column: Any) -> List[Any]:
    """A column as a list, with None where a value is missing."""
    if isinstance(column, Coded):
        return [None if code < 0 else column.values[code] for code in column.codes.tolist()]
    return [None if value != value else value for value in column.tolist()]


def _joined(parts: List[Any]) -> Any:
    """The chunks of a column as one."""
    if len(parts) == 1:
        return parts[0]
    if not any(isinstance(part, Coded) for part in parts):
        return np.concatenate(parts) if parts else np.empty(0)
    codes: List[Array] = []
    values: List[Any] = []
    for part in parts:
        codes.append(np.where(part.codes < 0, -1, part.codes + len(values)))
        values += part.values
    return Coded(np.concatenate(codes), values)


def _refused(name: str, form: str) -> Exception:
    if form.startswith(_DATES):
        return TypeError(f"column {name!r} holds dates; make numbers of them first")
    return TypeError(f"column {name!r} is of Arrow's type {form!r}, neither numbers nor texts: cast it first")


# ---- the Arrow C data interface ---------------------------------------------------------------


class _Type(NamedTuple):
    name: str
    format: str
    dictionary: Any
    children: List[Any]


def _type_of(schema: Any) -> _Type:
    dictionary = _type_of(schema.dictionary.contents) if schema.dictionary else None
    children = [_type_of(schema.children[j].contents) for j in range(schema.n_children)]
    return _Type((schema.name or b"").decode(errors="replace"), schema.format.decode(), dictionary, children)


def _viewed_texts(owner: Any, chunk: Any, first: int, n: int) -> List[bytes]:
    """Short texts stand in their views, longer ones in one of several buffers."""
    whole = _at(owner, chunk.buffers[1], _VIEW_SIZE * first, _VIEW_SIZE * n, "u1").tobytes()
    words = np.frombuffer(whole, dtype="<i4").reshape(n, 4).tolist()
    return [whole[_VIEW_SIZE * i + 4:_VIEW_SIZE * i + 4 + size] if size <= _INLINE
            else ctypes.string_at(chunk.buffers[2 + buffer] + place, size) for i, (size, _, buffer, place) in enumerate(words)]


def _nulls_of(owner: Any, chunk: Any, first: int, n: int) -> Optional[Array]:
    if chunk.null_count == 0 or not chunk.n_buffers or not chunk.buffers[0]:
        return None
    return ~_bits_at(owner, chunk.buffers[0], first, n)


def _column(owner: Any, chunk: Any, kind: _Type, first: int, n: int) -> Any:
    """n values of an Arrow array from number `first` on: an array, or codes."""
    first += chunk.offset
    form = kind.format
    if form == "n":
        return np.full(n, np.nan)
    nulls = _nulls_of(owner, chunk, first, n)
    if kind.dictionary is not None:
        words = chunk.dictionary.contents
        return _with_codes(_at(owner, chunk.buffers[1], first, n, _NUMBERS[form]), nulls,
                           _list(_column(owner, words, kind.dictionary, 0, words.length)))
    if form in _NUMBERS:
        return _with_nan(_at(owner, chunk.buffers[1], first, n, _NUMBERS[form]), nulls)
    if form == "b":
        return _with_nan(_bits_at(owner, chunk.buffers[1], first, n), nulls)
    if form in _OFFSETS:
        return _count_texts(_texts(owner, _at(owner, chunk.buffers[1], first, n + 1 if n else 0, _OFFSETS[form]), chunk.buffers[2]), nulls)
    if form in _VIEWS:
        return _count_texts(_viewed_texts(owner, chunk, first, n), nulls)
    raise _refused(kind.name, form)


class _Chunks:
    """What a stream has given: its type and all chunks."""

    def __init__(self, X: Any) -> None:
        capsule = X.__arrow_c_stream__()  # releases the stream when it goes
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = _p, [ctypes.py_object, _text]
        self.stream = Stream.from_address(address(capsule, b"arrow_array_stream"))
        schema = Schema()
        self._call(self.stream.get_schema, schema)
        owner = _Owner(schema)
        self.type = _type_of(owner.structure)
        self.owners: List[_Owner] = []
        while True:
            chunk = Chunk()
            self._call(self.stream.get_next, chunk)
            if not chunk.release:
                break
            self.owners.append(_Owner(chunk))
        del self.stream

    def _call(self, function: Callable[..., int], target: Any) -> None:
        if function(ctypes.addressof(self.stream), ctypes.addressof(target)):
            reason = self.stream.get_last_error(ctypes.addressof(self.stream)) or b"it does not say why"
            raise ValueError(f"the frame could not be read: {reason.decode(errors='replace')}")

    def __len__(self) -> int:
        return sum(owner.structure.length for owner in self.owners)

    def column(self, j: Optional[int] = None) -> Any:
        """Column j of a frame; without it the stream's values themselves."""
        parts = []
        for owner in self.owners:
            chunk = owner.structure
            if j is None:
                parts.append(_column(owner, chunk, self.type, 0, chunk.length))
            else:
                parts.append(_column(owner, chunk.children[j].contents, self.type.children[j], chunk.offset, chunk.length))
        return _joined(parts)


class ArrowFrame(Frame):
    """Of whatever has `__arrow_c_stream__`."""

    is_named = True

    def __init__(self, X: Any) -> None:
        self.chunks = _Chunks(X)
        if self.chunks.type.format != "+s":
            raise ValueError("Expected 2D array, got 1D array instead: X is one column; pass a frame")
        super().__init__(len(self.chunks), [kind.name for kind in self.chunks.type.children])

    def values(self, j: int) -> Any:
        return self.chunks.column(j)


def arrow_list(values: Any) -> List[Any]:
    """The values of an Arrow column, such as a Series of Polars, as a list."""
    return _list(_Chunks(values).column())


# ---- the dataframe interchange protocol --------------------------------------------------------


_BOOLEAN, _STRING, _DATE, _CATEGORY = 20, 21, 22, 23  # kinds of types beside integers, unsigned ones and floats: 0, 1, 2
_SENTINEL, _BITMASK, _BYTEMASK = 2, 3, 4  # kinds of nulls


def _buffer(column: Any, name: str, n_more: int = 0) -> Any:
    """The values of one of a column's buffers; None: there is none."""
    found = column.get_buffers().get(name)
    if found is None:
        return None
    memory, (kind, width, _, _) = found
    first, n = column.offset, column.size() + n_more
    if kind == _BOOLEAN and width == 1:
        return _bits_at(memory, memory.ptr, first, n)
    return _at(memory, memory.ptr, first, n, f"{'iuf'[kind] if kind < 3 else 'u'}{max(1, width // 8)}")


def _exchanged(name: str, column: Any) -> Any:
    """A chunk of a column: an array, or codes."""
    kind = int(column.dtype[0])
    how, mark = column.describe_null
    if kind == _DATE:
        raise _refused(name, _DATES)
    if kind not in (0, 1, 2, _BOOLEAN, _STRING, _CATEGORY):
        raise _refused(name, str(column.dtype))
    mask = _buffer(column, "validity") if how in (_BITMASK, _BYTEMASK) else None
    nulls = None if mask is None else mask == mark
    if kind == _STRING:
        offsets = _buffer(column, "offsets", 1)
        memory = column.get_buffers()["data"][0]
        return _count_texts(_texts(memory, offsets, memory.ptr), nulls)
    data = _buffer(column, "data")
    if how == _SENTINEL:
        nulls = data == mark
    if kind == _CATEGORY:
        return _with_codes(data, nulls, _list(_exchanged(name, column.describe_categorical["categories"])))
    return _with_nan(data.astype(bool) if kind == _BOOLEAN else data, nulls)


class ExchangedFrame(Frame):
    """Of whatever has `__dataframe__`."""

    is_named = True

    def __init__(self, X: Any) -> None:
        self.X = X.__dataframe__()
        super().__init__(self.X.num_rows(), [str(name) for name in self.X.column_names()])

    def values(self, j: int) -> Any:
        column = self.X.get_column(j)
        chunks = column.get_chunks() if column.num_chunks() > 1 else [column]
        return _joined([_exchanged(self.names[j], chunk) for chunk in chunks])
