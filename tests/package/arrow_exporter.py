"""Frames that hand out their columns by the Arrow C data interface alone, in any layout that it has: what Polars, pyarrow and others do,
written down again after its specification so that the tests need none of them.

    frame = Exporter({"a": ("g", [1.0, None]), "b": ("u", ["x", None])}, chunks=2, padding=3)
    frame.__arrow_c_stream__()

`padding` values stand before those of each array (its offset). `alive` counts chunks that nobody has released.
"""
import ctypes

import numpy as np

from ireland._arrow import Chunk, Schema, Stream

_release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_last_error = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_NAME = b"arrow_array_stream"
_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4", "g": "f8",
            "tdD": "i4"}
alive = {}  # address: all that a structure needs


def _capsule_pointer(capsule):
    """Of a capsule that is about to go: an address, not an object."""
    function = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
    return function(capsule, _NAME)


_DESTROY = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(lambda capsule: alive.pop(_capsule_pointer(capsule)) and None)


def _bitmap(bits):
    return np.packbits(np.array(bits, dtype=bool), bitorder="little")


def _offset_texts(values, dtype):
    encoded = [b"" if v is None else v.encode() for v in values]
    return [np.cumsum([0] + [len(e) for e in encoded]).astype(dtype), np.frombuffer(b"".join(encoded) or b"\0", dtype="u1")]


def _viewed_texts(values):
    views, longer, place = b"", b"", 0
    for value in values:
        text = b"" if value is None else value.encode()
        if len(text) <= 12:
            views += len(text).to_bytes(4, "little") + text.ljust(12, b"\0")
        else:
            views += len(text).to_bytes(4, "little") + text[:4] + (0).to_bytes(4, "little") + place.to_bytes(4, "little")
            longer, place = longer + text, place + len(text)
    return [np.frombuffer(views or b"\0", dtype="u1"), np.frombuffer(longer or b"\0", dtype="u1"), np.array([len(longer)], dtype="i8")]


def _fill_schema(schema, form, name, children=(), dictionary=None):
    kept = [form.encode(), name.encode()]
    schema.format, schema.name, schema.n_children = kept[0], kept[1], len(children)
    if children:
        pointers = (ctypes.POINTER(Schema) * len(children))(*(ctypes.pointer(c) for c in children))
        kept += [pointers, children]
        schema.children = pointers
    if dictionary is not None:
        kept.append(dictionary)
        schema.dictionary = ctypes.pointer(dictionary)
    schema.release = ctypes.cast(_RELEASE_SCHEMA, ctypes.c_void_p)
    alive[ctypes.addressof(schema)] = kept


def _fill_chunk(chunk, n, offset, buffers, children=(), dictionary=None, nulls=0):
    pointers = (ctypes.c_void_p * max(1, len(buffers)))(*(None if b is None else b.ctypes.data for b in buffers))
    kept = [pointers, buffers, children, dictionary]
    chunk.length, chunk.offset, chunk.null_count, chunk.n_buffers, chunk.n_children = n, offset, nulls, len(buffers), len(children)
    chunk.buffers = pointers
    if children:
        places = (ctypes.POINTER(Chunk) * len(children))(*(ctypes.pointer(c) for c in children))
        kept.append(places)
        chunk.children = places
    if dictionary is not None:
        chunk.dictionary = ctypes.pointer(dictionary)
    chunk.release = ctypes.cast(_RELEASE_CHUNK, ctypes.c_void_p)
    alive[ctypes.addressof(chunk)] = kept


def _released(kind):
    def release(address):
        structure = kind.from_address(address)
        for k in range(structure.n_children):
            child = structure.children[k].contents
            if child.release:
                release(ctypes.addressof(child))
        if structure.dictionary and structure.dictionary.contents.release:
            release(ctypes.addressof(structure.dictionary.contents))
        structure.release = None
        # Memory that is looked at after this shall be wrong.
        for thing in alive.pop(address):
            for buffer in thing if isinstance(thing, list) else []:
                if isinstance(buffer, np.ndarray) and buffer.flags.writeable:
                    buffer.view("u1")[:] = 255

    return _release(release)


_RELEASE_SCHEMA, _RELEASE_CHUNK = _released(Schema), _released(Chunk)


def _column(form, values, offset, words=None):
    """An array with `offset` values before its own."""
    padded = [values[0] if values else None] * offset + list(values)
    nulls = [v is None for v in padded]
    validity = _bitmap([not null for null in nulls]) if any(nulls) else None
    if form == "n":
        buffers = []
    elif words is not None:  # codes of a dictionary
        buffers = [validity, np.array([0 if v is None else words.index(v) for v in padded] or [0], dtype=_NUMBERS[form])]
    elif form in _NUMBERS:
        buffers = [validity, np.array([0 if v is None else v for v in padded] or [0], dtype=_NUMBERS[form])]
    elif form == "b":
        buffers = [validity, _bitmap([bool(v) for v in padded] or [False])]
    elif form in ("u", "z", "U", "Z"):
        buffers = [validity, *_offset_texts(padded, "i4" if form in "uz" else "i8")]
    else:
        buffers = [validity, *_viewed_texts(padded)]
    dictionary = None
    if words is not None:
        dictionary = _column("u", words, 0)
    chunk = Chunk()
    _fill_chunk(chunk, len(values), offset, buffers, dictionary=dictionary, nulls=-1 if any(nulls) else 0)
    return chunk


class Exporter:
    """A frame of {name: (format, values)}; (format, values, words) is a column of codes of a dictionary. Without `is_frame` one column."""

    def __init__(self, columns, chunks=1, padding=0, outer=0, failure=None, is_frame=True):
        self.spec, self.padding, self.outer, self.failure, self.is_frame = columns, padding, outer, failure, is_frame
        self.n = len(next(iter(columns.values()))[1])
        self.edges = np.linspace(0, self.n, chunks + 1).astype(int)

    def _type(self, schema):
        children = []
        for name, (form, _, *words) in self.spec.items():
            dictionary = None
            if words:
                dictionary = Schema()
                _fill_schema(dictionary, "u", "")
            child = Schema() if self.is_frame else schema
            _fill_schema(child, form, name, dictionary=dictionary)
            children.append(child)
        if self.is_frame:
            _fill_schema(schema, "+s", "", children)

    def _chunk(self, chunk, a, b):
        outer = self.outer if self.is_frame else 0
        children = [_column(form, list(values[a:a + 1]) * outer + list(values[a:b]), self.padding, *words)
                    for form, values, *words in self.spec.values()]
        if self.is_frame:
            _fill_chunk(chunk, int(b - a), outer, [None], children)
        else:
            ctypes.memmove(ctypes.addressof(chunk), ctypes.addressof(children[0]), ctypes.sizeof(Chunk))
            alive[ctypes.addressof(chunk)] = alive.pop(ctypes.addressof(children[0])) + [children]

    def __arrow_c_stream__(self, requested_schema=None):
        stream, state = Stream(), {"k": 0}

        def get_schema(_, address):
            self._type(Schema.from_address(address))
            return 0

        def get_next(_, address):
            k, state["k"] = state["k"], state["k"] + 1
            if self.failure and k == 1:
                return 5
            if k < len(self.edges) - 1:
                self._chunk(Chunk.from_address(address), self.edges[k], self.edges[k + 1])
            else:
                Chunk.from_address(address).release = None
            return 0

        fields = dict(Stream._fields_)
        stream.get_schema, stream.get_next = fields["get_schema"](get_schema), fields["get_next"](get_next)
        message = ctypes.create_string_buffer(self.failure or b"")
        last_error = _last_error(lambda _: ctypes.addressof(message))
        stream.get_last_error = ctypes.cast(last_error, fields["get_last_error"])
        address = ctypes.addressof(stream)
        alive[address] = [stream, last_error, message]
        new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
        return new(address, _NAME, ctypes.cast(_DESTROY, ctypes.c_void_p))
