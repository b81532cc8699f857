"""The shared library by ctypes: its functions, handles for the length of a `with`, jobs that can be interrupted."""
import _thread
import ctypes
import os
import sys
import threading
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Type

from ._version import __version__

SONAME = "libireland.so.0"
INSIDE = {"win32": "ireland.dll", "darwin": "libireland.dylib"}.get(sys.platform, "libireland.so")  # of a wheel
TEXT, JSON = 0, 1  # irl_format
NO_MEMORY, LIMIT = 1, 7  # irl_status

_p, _text, _size, _status = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int


class IrelandError(ValueError):
    """What the library says is wrong with data or settings."""


class ColumnView(ctypes.Structure):
    _fields_ = [("size", _size), ("name", _text), ("type", ctypes.c_int), ("numbers", _p), ("codes", _p),
                ("values", ctypes.POINTER(_text)), ("n_values", ctypes.c_uint32)]


class TableView(ctypes.Structure):
    _fields_ = [("size", _size), ("n_samples", ctypes.c_uint32), ("n_columns", ctypes.c_uint32), ("columns", ctypes.POINTER(ColumnView)),
                ("labels", _p), ("weights", _p), ("target", _text), ("positive", _text), ("negative", _text)]


class DataInfo(ctypes.Structure):  # its beginning, of which its size tells the library
    _fields_ = [("size", _size), ("samples", ctypes.c_uint64), ("features", ctypes.c_uint64)]


class RuleInfo(ctypes.Structure):
    _fields_ = [("size", _size), ("clauses", ctypes.c_uint32), ("literals", ctypes.c_uint32)]


class ProgressView(ctypes.Structure):
    _fields_ = [("size", _size), ("part", _text), ("seconds", ctypes.c_double), ("work", ctypes.c_uint64),
                ("objective", ctypes.c_double), ("bound", ctypes.c_double), ("share", ctypes.c_double),
                ("left", ctypes.c_double)]


class GridView(ctypes.Structure):
    _fields_ = [("size", _size), ("K", _text), ("M", _text), ("penalty", _text), ("negations", _text)]


class BytesView(ctypes.Structure):
    _fields_ = [("data", _text), ("size", _size), ("name", _text)]


class OptionInfo(ctypes.Structure):
    _fields_ = [("name", _text), ("type", ctypes.c_int), ("preset", ctypes.c_double), ("low", ctypes.c_double), ("high", ctypes.c_double),
                ("jobs", ctypes.c_uint), ("inputs", ctypes.c_uint), ("changes", ctypes.c_bool), ("help", _text), ("offset", _size),
                ("words", _p), ("n_words", _size)]


class Verification(ctypes.Structure):
    _fields_ = [("size", _size), ("valid", ctypes.c_bool), ("cut", ctypes.c_bool), ("line", ctypes.c_uint64),
                ("reason", ctypes.c_char * 400), ("nodes", ctypes.c_uint64), ("clauses", ctypes.c_uint64), ("work", ctypes.c_uint64),
                ("cases", ctypes.c_uint64), ("controls", ctypes.c_uint64), ("rules", ctypes.c_uint64), ("loss", ctypes.c_double),
                ("most", ctypes.c_double), ("rule", ctypes.c_char * 400)]


LogHook = ctypes.CFUNCTYPE(None, _p, ctypes.c_int, _text)
ProgressHook = ctypes.CFUNCTYPE(ctypes.c_int, _p, ctypes.POINTER(ProgressView))

# name: argument types; all return a status but for those in _OTHERS.
_FUNCTIONS: Dict[str, List[Any]] = {
    "irl_env_create": [_p, _p],
    "irl_options_set": [_p, _p, _text, _text],
    "irl_table_from_columns": [_p, _p, _p, _p],
    "irl_table_read": [_p, _text, _p, _p],
    "irl_data_read_for": [_p, _text, _p, _p, ctypes.c_bool, _p],
    "irl_table_data_for": [_p, _p, _p, _p],
    "irl_table_code": [_p, _p, _p, _p, _p],
    "irl_table_data": [_p, _p, _p, _p, _p],
    "irl_data_from_bits": [_p, ctypes.c_uint32, ctypes.c_uint32, _p, _p, _p, _p],
    "irl_generate": [_p, _p, _p, _p],
    "irl_data_write": [_p, _p, _text],
    "irl_fit_table": [_p, _p, _p, _p],
    "irl_fit": [_p, _p, _p, _p],
    "irl_fit_for_curve": [_p, _p, _p, _p],
    "irl_fit_render": [_p, _p, ctypes.c_int, _p],
    "irl_fit_certificate": [_p, _p, _p],
    "irl_fit_optimal_rule": [_p, _p, ctypes.c_uint32, _p],
    "irl_rule_parse_json": [_p, _text, _size, _p],
    "irl_rule_render": [_p, _p, ctypes.c_int, _p],
    "irl_rule_export": [_p, _p, _text, _p],
    "irl_predict_bytes": [_p, _p, _p, _p, _p],
    "irl_predict_render": [_p, _p, _p, ctypes.c_int, ctypes.c_bool, _p],
    "irl_evaluate_render": [_p, _p, _p, ctypes.c_int, _p],
    "irl_certificate_parse": [_p, _p, _p],
    "irl_certificate_options": [_p, _p, _p],
    "irl_verify_table": [_p, _p, _p, _p, _p, _p],
    "irl_verify": [_p, _p, _p, _p, _p, _p],
    "irl_verify_render": [_p, _p, _p, ctypes.c_int, _p],
    "irl_cv": [_p, _p, _p, _p, _p],
    "irl_cv_render": [_p, _p, ctypes.c_int, _p],
    "irl_curve_make": [_p, _p, _p, _p],
    "irl_curve_render": [_p, _p, ctypes.c_int, _p],
    "irl_curve_export": [_p, _p, _text, _p],
    "irl_report_render": [_p, _p, _p, _p, _text, _p],
    "irl_clause_solve": [_p, _p, _p, _p],
    "irl_clause_render": [_p, _p, ctypes.c_int, _p],
}
_OTHERS: Dict[str, Tuple[Any, List[Any]]] = {
    "irl_version": (_text, []),
    "irl_env_free": (None, [_p]),
    "irl_env_error": (_text, [_p]),
    "irl_env_stop": (None, [_p]),
    "irl_env_set_log": (None, [_p, LogHook, _p]),
    "irl_env_set_progress": (None, [_p, ProgressHook, _p]),
    "irl_options_init": (None, [_p, _size]),
    "irl_options_size": (_size, []),
    "irl_options_table": (ctypes.POINTER(OptionInfo), [ctypes.POINTER(_size)]),
    "irl_data_free": (None, [_p]),
    "irl_data_describe": (_status, [_p, _p]),
    "irl_table_free": (None, [_p]),
    "irl_coding_free": (None, [_p]),
    "irl_rule_free": (None, [_p]),
    "irl_rule_describe": (_status, [_p, _p]),
    "irl_fit_free": (None, [_p]),
    "irl_fit_rule": (_p, [_p]),
    "irl_fit_reason": (_text, [_p]),
    "irl_fit_n_optimal_rules": (ctypes.c_uint32, [_p, _p]),
    "irl_certificate_free": (None, [_p]),
    "irl_certificate_clear_options": (None, [_p]),
    "irl_cv_free": (None, [_p]),
    "irl_curve_free": (None, [_p]),
    "irl_curve_rule": (_p, [_p, ctypes.c_int, ctypes.c_uint32]),
    "irl_clause_free": (None, [_p]),
    "irl_text_free": (None, [_p, _p]),
}


def _candidates() -> List[str]:
    import glob
    named = os.environ.get("IRELAND_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.normpath(os.path.join(here, "..", "..", "..", "..", "lib"))  # PREFIX/share/ireland/python/ireland
    source = os.path.normpath(os.path.join(here, "..", "..", ".."))  # src/python/ireland of the sources
    found = [os.path.join(here, INSIDE), os.path.join(installed, SONAME), *sorted(glob.glob(os.path.join(installed, "*", SONAME))),
             os.path.join(installed + "64", SONAME), os.path.join(source, SONAME)]
    found = [path for path in found if os.path.exists(path)]
    if found:
        return found
    import ctypes.util
    system = ctypes.util.find_library("ireland")
    return ([system] if system else []) + [SONAME]


def _declare(library: Any, path: str) -> None:
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = _status, arguments
    for name, (result, arguments) in _OTHERS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    version = library.irl_version().decode()
    if version.split(".")[:2] != __version__.split(".")[:2]:
        raise ImportError(f"{path} is ireland {version}, the Python package is {__version__}: install both anew")
    library.path = path


def _load() -> Any:
    reasons = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
            continue
        _declare(library, path)
        return library
    raise ImportError(f"the shared library of ireland was not found: install the package with pip, which builds it, or let the "
                      f"environment variable IRELAND_LIBRARY name {SONAME} ({'; '.join(reasons)})")


_library: Any = None


def lib() -> Any:
    """The library, loaded when it is first used."""
    global _library
    if _library is None:
        _library = _load()
    return _library


def library_path() -> str:
    """The file of the shared library in use."""
    return str(lib().path)


def encode(text: str) -> bytes:
    """A text for the library, in which a NUL would be the end."""
    if "\0" in text:
        raise ValueError(f"{text!r} has a NUL character")
    return text.encode()


def grid_text(values: Any) -> Optional[str]:
    """What a cross-validation is to try, as the library reads it: "1..4" as it is, values with commas."""
    if values is None or isinstance(values, str):
        return values
    if isinstance(values, Iterable):
        return ",".join(grid_text(value) or "" for value in values)
    return str(int(values) if values in (False, True) else values)


class Progress(NamedTuple):
    """What a fit has come to: its part, seconds, work, the best rule's objective and the bound (NaN: not known yet)."""

    part: str
    seconds: float
    work: int
    objective: float
    bound: float

    @property
    def gap(self) -> float:
        """(objective - bound) / objective; NaN while one of them is not known."""
        return (self.objective - self.bound) / self.objective if self.objective else self.objective - self.bound


ProgressFunction = Callable[[Progress], Optional[bool]]


class Env:
    """One handle of the library, with what it made, for the length of a `with`.

    Python runs signal handlers in the main thread, between any two of its steps, and they may raise anything: Ctrl-C, a
    timeout, sys.exit. So long jobs run in threads of their own (`work`), for which the main thread only waits, and whoever
    leaves last, the `with` or such a thread, frees what there is: nothing is freed while the library uses it.
    """

    def __init__(self, progress: Optional[ProgressFunction] = None) -> None:
        self.progress = progress
        self.interrupt: Optional[KeyboardInterrupt] = None  # that ended a job, whose result is there all the same
        self.failure: Optional[BaseException] = None  # of a hook

    def __enter__(self) -> "Env":
        self.lib: Any = lib()
        self.made: List[Tuple[Any, Any]] = []
        self.kept: List[Any] = []
        self.warnings: List[str] = []
        self.lock, self.users, self.process = threading.Lock(), 1, os.getpid()
        self.handle = _p()
        if self.lib.irl_env_create(None, ctypes.byref(self.handle)):
            raise MemoryError("out of memory")
        self._set_hooks()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.leave()

    def _set_hooks(self) -> None:
        def log(_: Any, kind: int, line: bytes) -> None:
            if kind == 1:
                self.warnings.append(line.decode(errors="replace"))

        def show(_: Any, view: Any) -> int:
            p = view.contents
            try:
                assert self.progress is not None
                return int(bool(self.progress(Progress(p.part.decode(), p.seconds, p.work, p.objective, p.bound))))
            except BaseException as error:  # raised once the library has ended
                self.failure = error
                return 1

        self.lib.irl_env_set_log(self.handle, self.keep(LogHook(log)), None)
        if self.progress:
            self.lib.irl_env_set_progress(self.handle, self.keep(ProgressHook(show)), None)

    def join(self) -> bool:
        """One more uses it; false if the last one has left."""
        with self.lock:
            self.users += self.users > 0
            return self.users > 0

    def leave(self) -> None:
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
        self.kept.clear()  # hooks and this object keep each other alive

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.lib, name)(self.handle, *arguments)
        if self.failure is not None:
            raise self.failure
        if status == NO_MEMORY:
            raise MemoryError("out of memory")
        if status:
            raise IrelandError(self.lib.irl_env_error(self.handle).decode(errors="replace"))

    def make(self, name: str, free: str, *arguments: Any) -> Any:
        """A handle by a function whose last argument is where it goes. Without `free` its last argument is the caller's."""
        if not free:
            self.call(name, *arguments)
            return True
        handle = _p()
        self.made.append((getattr(self.lib, free), handle))  # before, since freeing nothing is allowed
        self.call(name, *arguments, ctypes.byref(handle))
        return handle

    def work(self, name: str, free: str, *arguments: Any) -> Any:
        """Like make, for long jobs. What a signal handler raises meanwhile asks the library to stop and is raised once it has; of
        several the last one. After Ctrl-C there is a result nevertheless, and `interrupt` is to be raised by the caller."""
        return self.wait_for(lambda: self.make(name, free, *arguments))

    def wait_for(self, function: Callable[[], Any]) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return function()
        job: Optional[Job] = Job(self, function)
        raised: Optional[BaseException] = None
        assert job is not None
        try:
            while True:
                try:
                    if raised is None:
                        job.start()
                    else:
                        job.stop()
                    result = job.answer(raised)
                    self.interrupt = raised if isinstance(raised, KeyboardInterrupt) else None
                    return result
                except BaseException as error:
                    if job.is_ended():
                        raise
                    raised = error
        finally:
            if not job.is_ended():  # an exception came between the lines above
                job.stop()
            job = raised = None  # or they would keep each other alive

    def raise_interrupt(self) -> None:
        if self.interrupt is not None:
            interrupt, self.interrupt = self.interrupt, None
            raise interrupt

    def text(self, name: str, *arguments: Any) -> str:
        pointer = _p()
        self.call(name, *arguments, ctypes.byref(pointer))
        try:
            return ctypes.string_at(pointer).decode(errors="replace") if pointer else ""
        finally:
            self.lib.irl_text_free(self.handle, pointer)

    def keep(self, thing: Any) -> Any:
        """Memory that the library borrows must live as long as the handle."""
        self.kept.append(thing)
        return thing

    def options(self, settings: Mapping[str, Any]) -> Any:
        options = self.keep(ctypes.create_string_buffer(self.lib.irl_options_size()))
        self.lib.irl_options_init(options, self.lib.irl_options_size())
        for name, value in settings.items():
            if value is None or value is False:
                continue
            if isinstance(value, bytes):
                self._set_pointer(options, name, BytesView(data=value, size=len(value), name=self.keep(name.encode())))
                continue
            if isinstance(value, ctypes.Structure):
                self._set_pointer(options, name, value)
                continue
            value = "" if value is True else repr(float(value)) if isinstance(value, float) else str(value)
            self.call("irl_options_set", options, encode(name), self.keep(encode(value)))
        return options

    def grid(self, *values: Any) -> Any:
        """What to choose from: K, M, penalty, negations."""
        texts = [grid_text(value) for value in values]
        return self.keep(GridView(ctypes.sizeof(GridView), *(None if text is None else self.keep(encode(text)) for text in texts)))

    def _set_pointer(self, options: Any, name: str, view: Any) -> None:
        """An option that is a pointer, at the place that the library tells."""
        count = _size()
        table = self.lib.irl_options_table(ctypes.byref(count))
        place = next(table[i].offset for i in range(count.value) if table[i].name == name.encode())
        ctypes.cast(ctypes.byref(options, place), ctypes.POINTER(_p))[0] = ctypes.addressof(self.keep(view))

    def rule(self, json: str) -> Any:
        """The handle of a rule from its JSON."""
        text = encode(json)
        return self.make("irl_rule_parse_json", "irl_rule_free", text, len(text))


class Job:
    """A function in a thread that uses an Env."""

    def __init__(self, env: Env, function: Callable[[], Any]) -> None:
        self.env, self.process = env, os.getpid()
        self.function: Optional[Callable[[], Any]] = function
        self.lock, self.is_begun, self.is_stopped = threading.Lock(), False, False
        self.gate, self.is_over = threading.Lock(), False  # held until it is over
        self.gate.acquire()
        self.result: Any = None
        self.error: Optional[BaseException] = None

    def begin(self) -> bool:
        """A thread that starts after it was told to stop, or after its env was left, does nothing."""
        with self.lock:
            self.is_begun = not self.is_stopped and self.env.join()
            return self.is_begun

    def run(self) -> None:
        if not self.begin():
            return
        try:
            assert self.function is not None
            self.result = self.function()
        except BaseException as error:
            self.error = error
        finally:
            self.env.leave()
            self.function = None
            self.is_over = True
            self.gate.release()

    def start(self) -> None:
        try:
            _thread.start_new_thread(self.run, ())  # in one step, which Thread.start is not
        except RuntimeError as error:
            if not str(error).startswith("can't"):
                raise
            self.run()  # where there is none to be had nothing can interrupt it

    def stop(self) -> None:
        """What runs ends soon; what has not begun does not begin."""
        if os.getpid() == self.process:
            with self.lock:
                self.is_stopped = True
            self.env.lib.irl_env_stop(self.env.handle)

    def is_ended(self) -> bool:
        """Is nothing more to come? In a process that a signal handler forked off nothing does."""
        return self.is_over or (self.is_stopped and not self.is_begun) or os.getpid() != self.process

    def answer(self, raised: Optional[BaseException]) -> Any:
        while not self.is_ended():
            self.gate.acquire(timeout=1)
        is_there = self.is_over and self.error is None and self.result is not None
        if raised is not None and not (isinstance(raised, KeyboardInterrupt) and is_there):
            raise raised
        if os.getpid() != self.process:
            raise RuntimeError("a signal handler has forked: the library runs in the other process")
        if self.error is not None:
            raise self.error
        return self.result
