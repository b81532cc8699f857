"""The Python classifier; run by test_python.sh, which sets PYTHONPATH and IRELAND_LIBRARY. Prints PASS, FAIL and SKIP lines.
PYTHON_ONLY names tests to run, PYTHON_ALARMS how many exceptions are raised at random moments."""
import copy
import ctypes
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
import warnings

import numpy as np

import ireland
from ireland import IrelandError, Rule, RuleClassifier, _library

try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import sklearn
except ImportError:
    sklearn = None

counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}
tests = []


def test(needs=()):
    def add(function):
        tests.append((function, needs))
        return function

    return add


def raises(kind, part, action):
    try:
        action()
    except kind as error:
        assert part in str(error), f"'{part}' is not in: {error}"
        return
    raise AssertionError(f"no {kind.__name__}")


def planted(n=400, j=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, j))
    return X, (X[:, 0] & X[:, 1]) | X[:, 2]


def patients(n=300, seed=1):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "age": rng.integers(20, 80, n).astype(float), "kind": rng.choice(["red", "green", "blue"], n),
        "smokes": rng.choice([True, False], n), "visits": pd.array(rng.integers(0, 9, n), dtype="Int64")})
    frame.loc[::9, "age"] = np.nan
    frame.loc[::11, "kind"] = None
    frame.loc[::13, "visits"] = pd.NA
    ill = ((frame["age"] > 50) & frame["smokes"]) | (frame["kind"] == "blue")
    return frame, np.where(ill, "ill", "well")


@test()
def bits_of_any_dtype():
    X, y = planted()
    for dtype in (int, np.uint8, bool, float, np.float32, object):
        model = RuleClassifier(K=2, M=2).fit(X.astype(dtype), y)
        assert model.rule_ == "(x2) OR (x0 AND x1)", model.rule_
        assert model.rules_ == [["x2"], ["x0", "x1"]] and model.status_ == "optimal"
        assert (model.predict(X.astype(dtype)) == y).all() and model.score(X, y) == 1
    assert model.objective_ == 0 and model.bound_ == 0 and model.n_features_in_ == 12
    assert not hasattr(model, "feature_names_in_")


@test()
def labels_of_any_two_values():
    X, y = planted()
    for labels in (["no", "yes"], [-1, 1], [2.5, 7.0], [False, True], ["b", "a"]):
        labels = np.array(labels)
        model = RuleClassifier(positive=labels[1]).fit(X, labels[y])
        assert model.classes_.tolist() == sorted(labels.tolist())
        assert (model.predict(X) == labels[y]).all()
        proba = model.predict_proba(X)
        assert np.allclose(proba.sum(axis=1), 1) and (model.classes_[proba.argmax(axis=1)] == labels[y]).all()


@test()
def numbers_and_missing_values():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 4))
    y = X[:, 1] > 0.3
    X[::7, 1] = np.nan
    model = RuleClassifier(K=1, M=1, cuts="all").fit(X, y)
    assert model.rule_.startswith("(x1 > "), model.rule_
    assert not model.predict(X)[::7].any(), "a literal on a missing value is false"
    negated = RuleClassifier(K=2, M=2, negations=True, method="ireland").fit(X, y)
    assert negated.score(X, y) >= model.score(X, y) - 0.05
    imputed = RuleClassifier(K=1, M=1, missing="impute").fit(X, y)
    assert imputed.predict(X).shape == (500,)


@test()
def other_values_than_in_training():
    X, y = planted()
    model = RuleClassifier().fit(X, y)
    other = X.astype(float)
    other[0] = 2  # neither 0 nor 1: no literal holds
    other[1] = np.nan
    assert model.predict(other)[:2].tolist() == [0, 0]
    assert (model.predict(other)[2:] == y[2:]).all()


@test()
def weights_of_samples():
    X = np.array([[1, 0]] * 6 + [[0, 1]] * 6)
    y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1])
    heavy = np.where(X[:, 0] == y, 5.0, 1.0)
    assert RuleClassifier(K=1, M=1).fit(X, y, sample_weight=heavy).rule_ == "(x0)"
    assert RuleClassifier(K=1, M=1).fit(X, y, sample_weight=6 - heavy).rule_ == "(x1)"
    raises(IrelandError, "weight of sample 0", lambda: RuleClassifier().fit(X, y, sample_weight=-heavy))


@test()
def probabilities_are_shares():
    X, y = planted()
    y = y ^ (np.arange(len(y)) % 10 == 0)
    model = RuleClassifier(K=2, M=2).fit(X, y)
    fires = model.fires(X)
    assert fires.shape == (len(y), 2) and ((fires.any(axis=1)) == model.predict(X)).all()
    rest = ~fires.any(axis=1)
    assert abs(model.rest_probability_ - (y[rest].sum() + 0.5) / (rest.sum() + 1)) < 1e-12
    assert np.allclose(model.predict_proba(X)[rest, 1], model.rest_probability_)


@test()
def settings_by_name():
    X, y = planted()
    model = RuleClassifier(K=1, M=2, options={"profile": "paper", "budgets": "0,0.01"})
    assert model.get_params()["M"] == 2 and model.set_params(M=1).M == 1
    assert len(model.fit(X, y).rules_) <= 1
    raises(IrelandError, "there is no option named 'colour'", lambda: RuleClassifier(options={"colour": 1}).fit(X, y))
    raises(IrelandError, "option K takes", lambda: RuleClassifier(K=0).fit(X, y))
    raises(IrelandError, "option method takes", lambda: RuleClassifier(method="magic").fit(X, y))
    raises(ValueError, "colour", lambda: model.set_params(colour=1))


@test()
def options_have_an_effect_or_are_refused():
    X, y = planted()
    for data in (X, X + np.random.default_rng(1).random(X.shape) / 4):
        for name in ("target", "positive", "na", "weight_column", "delimiter"):
            raises(IrelandError, f"option {name} has no effect", lambda: RuleClassifier(options={name: "x0"}).fit(data, y))
        assert "x2" not in RuleClassifier(options={"ignore": "x2"}).fit(data, y).rule_
        assert set("".join(sum(RuleClassifier(options={"only": "x2"}).fit(data, y).rules_, []))[:2]) == {"x", "2"}
        raises(IrelandError, "x99", lambda: RuleClassifier(options={"only": "x99"}).fit(data, y))
        held_out = RuleClassifier(options={"test": 0.25, "permutations": 3}).fit(data, y)
        assert held_out.answer_["test"] and held_out.answer_["permutations"], held_out.answer_.keys()
        assert held_out.scope_["test"] == 0.25
    assert "x2" not in RuleClassifier(options={"forbid": "x2"}).fit(X, y).rule_


@test()
def mistakes_are_said():
    X, y = planted()
    raises(ValueError, "not fitted yet", lambda: RuleClassifier().predict(X))
    raises(ValueError, "1 class", lambda: RuleClassifier().fit(X, np.ones(len(X))))
    raises(ValueError, "Unknown label type: continuous", lambda: RuleClassifier().fit(X, np.linspace(0.1, 1, len(X))))
    raises(ValueError, "one label per sample", lambda: RuleClassifier().fit(X, y[:-1]))
    raises(ValueError, "missing labels", lambda: RuleClassifier().fit(X, np.where(y, np.nan, 1.0)))
    raises(ValueError, "2D array", lambda: RuleClassifier().fit(y, y))
    raises(ValueError, "positive is 7", lambda: RuleClassifier(positive=7).fit(X, y))
    raises(ValueError, "infinity", lambda: RuleClassifier().fit(np.where(X, np.inf, 0), y))
    model = RuleClassifier().fit(X, y)
    raises(ValueError, "X has 3 features, but RuleClassifier is expecting 12", lambda: model.predict(X[:, :3]))
    raises(IrelandError, "'cobol'", lambda: model.export("cobol"))


@test()
def the_same_as_the_program():
    X, y = planted(seed=5)
    y = y ^ (np.random.default_rng(5).random(len(y)) < 0.1)
    path = os.path.join(os.environ["TEST_DIR"], "planted.csv")
    header = ",".join([f"x{j}" for j in range(X.shape[1])] + ["y"])
    np.savetxt(path, np.column_stack([X, y]), fmt="%d", delimiter=",", header=header, comments="")
    output = subprocess.run([os.environ["IRELAND"], "fit", path, "--json", "--quiet"], capture_output=True, check=True).stdout
    answer = json.loads(output)
    model = RuleClassifier().fit(X, y)
    assert model.rules_ == answer["clauses"] and model.work_ == answer["work"]
    assert abs(model.objective_ - answer["objective"]) < 1e-12


@test()
def pickles_and_copies():
    X, y = planted()
    model = pickle.loads(pickle.dumps(RuleClassifier().fit(X, y)))
    assert (model.predict(X) == y).all()
    namespace = {}
    exec(model.export("python"), namespace)
    row = {f"x{j}": int(v) for j, v in enumerate(X[0])}
    assert namespace["predict"](row) == y[0]


@test()
def layouts_of_structures():
    """What ctypes is told of the structures in ireland.h, against a C compiler."""
    fields = {"irl_column_view": _library.ColumnView, "irl_table_view": _library.TableView,
              "irl_data_info": _library.DataInfo, "irl_rule_info": _library.RuleInfo,
              "irl_progress": _library.ProgressView, "irl_cv_grid": _library.GridView, "irl_bytes": _library.BytesView,
              "irl_verification": _library.Verification, "irl_option_info": _library.OptionInfo}
    rows, expected = [], []
    for name, structure in fields.items():
        known = [field for field, _ in structure._fields_]
        rows += [f"(size_t)offsetof({name}, {field})" for field in known]
        expected += [getattr(structure, field).offset for field in known]
        rows.append(f"sizeof({name})")
        expected.append(ctypes.sizeof(structure))
    source = os.path.join(os.environ["TEST_DIR"], "layouts.c")
    with open(source, "w") as file:
        file.write('#include "ireland_data.h"\n#include "ireland_study.h"\n#include <stdio.h>\nint main(void) {\n'
                   + "".join(f'  printf("%zu\\n", {row});\n' for row in rows) + "}\n")
    program = source[:-2]
    subprocess.run([*os.environ.get("CC", "cc").split(), "-Iinclude", source, "-o", program], check=True)
    sizes = [int(line) for line in subprocess.run([program], capture_output=True, check=True).stdout.split()]
    for row, is_, known in zip(rows, sizes, expected):
        is_begun = known <= is_ if row in ("sizeof(irl_data_info)", "sizeof(irl_rule_info)") else known == is_
        assert is_begun, f"{row} is {is_}, not {known}"


@test()
def changed_attributes():
    X, y = planted()
    model = RuleClassifier(K=2, M=2).fit(X, y)
    expected = model.predict(X), model.predict_proba(X), model.fires(X), model.export("c")
    model.rules_.clear()
    model.classes_[:] = 7
    model.clause_probability_[:] = 7
    model.rule_ = model.rule_json_ = model.rest_probability_ = model.n_features_in_ = model.scope_ = None
    for one in (model, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        found = one.predict(X), one.predict_proba(X), one.fires(X), one.export("c")
        assert all(np.array_equal(a, b) for a, b in zip(expected, found))
    del model.rules_, model.classes_, model.rule_json_
    assert np.array_equal(model.predict(X), expected[0])


@test()
def failed_fits_change_nothing():
    X, y = planted()
    model = RuleClassifier(K=2, M=2).fit(X, y)
    before = {name: repr(value) for name, value in vars(model).items()}
    for bad in (lambda: model.fit(X[:, :3], np.where(y, "a", "b")[:-1]), lambda: model.fit(X[:, :3], np.ones(len(y))),
                lambda: model.set_params(K=0).fit(X[:, :3], np.where(y, "a", "b")),
                lambda: model.set_params(K=2, min_sensitivity=1, min_specificity=1).fit(X[:, 3:5], np.where(y, "a", "b"))):
        raises(ValueError, "", bad)
        model.set_params(K=2, min_sensitivity=0.0, min_specificity=0.0)
        assert {name: repr(value) for name, value in vars(model).items()} == before
        assert (model.predict(X) == y).all()


@test()
def sizes_that_lie():
    class Frame:  # looks like one of pandas
        columns, shape = ["a", "b"], (400, 2)

        def __init__(self, lengths):
            self.values = [np.arange(n) % 2 for n in lengths]

        def __len__(self):
            return 400

        @property
        def iloc(self):
            return self

        def __getitem__(self, key):
            return self.values[key[1]]

    y = np.arange(400) % 2
    model = RuleClassifier(K=1, M=1).fit(Frame([400, 400]), y)
    raises(ValueError, "column 'b' has shape (3,)", lambda: RuleClassifier().fit(Frame([400, 3]), y))
    raises(ValueError, "column 'a' has shape (3,)", lambda: model.predict(Frame([3, 3])))
    raises(ValueError, "NUL", lambda: RuleClassifier(categories=[0]).fit(np.array([["a\0b"], ["a\0c"]] * 20, dtype=object), y[:40]))
    raises(ValueError, "NUL", lambda: RuleClassifier(options={"cuts": "all\0"}).fit(Frame([400, 400]), y))
    raises(ValueError, "", lambda: RuleClassifier().fit(Frame([400, 400]), y, sample_weight=np.ones(7)))


@test()
def a_cnf_is_the_negation():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 6))
    y = (X[:, 0] | X[:, 1]) & (X[:, 2] | X[:, 3])
    for Z in (X, X + rng.normal(size=X.shape) * 0.01):
        model = RuleClassifier(K=2, M=2, options={"cnf": True, "prove": True}).fit(Z, y)
        assert model.score(Z, y) > 0.97 and (model.fires(Z).all(axis=1) == model.predict(Z)).all()
        assert ((model.predict_proba(Z)[:, 1] > 0.5) == model.predict(Z)).all() and model.scope_["form"] == "cnf"
    model = RuleClassifier(K=2, M=2, options={"cnf": True}).fit(X, y)
    assert sorted(model.rules_) == [["x0", "x1"], ["x2", "x3"]] and " AND " in model.rule_, model.rule_


# ---- signals: whatever a handler raises, and whenever, the library ends first and nothing is freed under it ----


class Alarm(Exception):
    pass


def endless(n=600, j=300):
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, (n, j)), rng.integers(0, 2, n)


def wait_for(event):
    while not event():
        time.sleep(0.01)


fitting = []  # jobs that run in threads of their own
run_job = _library.Job.run


def run_and_note(job):
    fitting.append(job)
    try:
        run_job(job)
    finally:
        fitting.remove(job)


_library.Job.run = run_and_note


@test()
def ctrl_c():
    X, y = endless()
    model = RuleClassifier(K=1, M=1, work_limit=1000).fit(X, y)
    before = model.rule_
    for number, kind in ((signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit), (signal.SIGALRM, Alarm)):
        def handler(*_):
            raise kind()

        old = signal.signal(number, handler)
        killer = threading.Thread(target=lambda: (wait_for(lambda: fitting), os.kill(os.getpid(), number)))
        killer.start()
        try:
            model.set_params(K=5, M=4, prove=True, work_limit=0).fit(X, y)
            raise AssertionError("it went on")
        except kind:
            assert not fitting or fitting[0].is_over, "it was raised before the library had ended"
            assert (model.status_ == "interrupted") == (kind is KeyboardInterrupt)
        finally:
            killer.join()
            signal.signal(number, old)
        if kind is KeyboardInterrupt:  # the best rule so far is kept
            assert model.predict(X).shape == y.shape and model.bound_ <= model.objective_
            model = RuleClassifier(K=1, M=1, work_limit=1000).fit(X, y)
        assert model.rule_ == before and model.predict(X).shape == y.shape


@test()
def exceptions_at_any_moment():
    """Timers that raise at random moments, again and again while the first one is dealt with."""
    X, y = endless(300, 80)
    rng = np.random.default_rng(7)
    Z = np.where(X[:, :5] > 0, 0.25, rng.random((len(X), 5)))
    kinds = [Alarm, KeyboardInterrupt, SystemExit, RuntimeError, MemoryError]
    raised = [0]

    def handler(_, frame):
        while frame and frame.f_code is not RuleClassifier.fit.__code__:
            frame = frame.f_back
        if frame:  # not while this test deals with what was raised
            raised[0] += 1
            raise kinds[raised[0] % len(kinds)]("alarm")

    old, caught, rounds = signal.signal(signal.SIGALRM, handler), 0, 0
    while caught < int(os.environ.get("PYTHON_ALARMS", 100)):
        rounds += 1
        model, data = RuleClassifier(K=4, M=4, prove=True, work_limit=50000000), (X, Z)[rounds % 2]
        signal.setitimer(signal.ITIMER_REAL, float(rng.random() ** 3 * 0.05) + 1e-6, float(rng.choice([0, 1e-4, 1e-3])))
        try:
            model.fit(data, y)
        except tuple(kinds) as error:
            assert "alarm" in str(error), error
            caught += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert "rule_" not in vars(model) or model.predict(data).shape == y.shape
    signal.signal(signal.SIGALRM, old)
    print(f"# {raised[0]} exceptions in {rounds} fits, of which {caught} were ended by them", file=sys.stderr)
    wait_for(lambda: not fitting)
    assert RuleClassifier(K=1, M=1).fit(X, X[:, 3]).rule_ == "(x3)"


@test()
def a_handler_that_returns():
    X, y = endless()
    calls = []
    old = signal.signal(signal.SIGALRM, lambda *_: calls.append(RuleClassifier(K=1, M=1).fit(X, X[:, 3]).rule_))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        expected = RuleClassifier(K=3, M=3, work_limit=30000000).fit(X, y).rule_
        wait_for(lambda: calls)
        assert calls == ["(x3)"] and RuleClassifier(K=3, M=3, work_limit=30000000).fit(X, y).rule_ == expected
    finally:
        signal.signal(signal.SIGALRM, old)


@test()
def threads_of_the_caller():
    X, y = planted(seed=3)
    expected = RuleClassifier(K=2, M=2, seed=1).fit(X, y).rule_
    found = []
    threads = [threading.Thread(target=lambda: found.append(RuleClassifier(K=2, M=2, threads=2).fit(X, y).rule_)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4, found


# ---- processes: forked before or after the library was used ----


def fit_both(seed):
    """A fit of bits and one of numbers, with all that tells of them."""
    X, y = planted(seed=seed)
    Z = X + np.random.default_rng(seed).random(X.shape) / 4
    models = [RuleClassifier(K=2, M=2, threads=2).fit(data, y) for data in (X, Z)]
    return [(m.rule_, m.objective_, m.bound_, m.work_, m.predict_proba(d).tolist()) for m, d in zip(models, (X, Z))]


def forked(function, *arguments):
    """Its answer in a forked process."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if not child:
        signal.alarm(300)
        sender.send(function(*arguments))
        os._exit(0)
    sender.close()
    answer = receiver.recv()
    assert os.waitpid(child, 0)[1] == 0
    return answer


@test()
def forks():
    fresh = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True)
    assert fresh.stdout == "same\n", fresh.stderr
    expected = [fit_both(seed) for seed in range(4)]
    assert forked(fit_both, 0) == expected[0]
    assert forked(forked, fit_both, 1) == expected[1]
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        assert pool.map(fit_both, range(4)) == expected
    answer = []
    thread = threading.Thread(target=lambda: answer.extend([fit_both(2), forked(fit_both, 2)]))  # a fork of another thread
    thread.start()
    thread.join()
    assert answer == [expected[2]] * 2


# Forked before the first use, in a process that has not used it.
FRESH = """
import sys, os; sys.path.insert(0, "tests/package")
import python_suite as suite
child = suite.forked(suite.fit_both, 0)
print("same" if child == suite.fit_both(0) == suite.forked(suite.fit_both, 0) else "not the same")
"""


@test()
def forked_by_a_handler():
    """A handler that forks while the library runs: the parent goes on, the child does not wait for a thread that it has not."""
    X, y = endless()
    children = []

    def handler(*_):
        child = os.fork()
        if child:
            children.append(child)
        else:
            signal.alarm(300)

    old = signal.signal(signal.SIGALRM, handler)
    killer = threading.Thread(target=lambda: (wait_for(lambda: fitting), os.kill(os.getpid(), signal.SIGALRM)))
    killer.start()
    process = os.getpid()
    try:
        rule = RuleClassifier(K=3, M=3, work_limit=100000000).fit(X, y).rule_
    except RuntimeError as error:
        os._exit(0 if os.getpid() != process and "forked" in str(error) else 1)
    if os.getpid() != process:
        os._exit(2)
    signal.signal(signal.SIGALRM, old)
    killer.join()
    assert rule and [os.waitpid(child, 0)[1] for child in children] == [0]


@test(["sklearn"])
def scikit_learn_processes():
    import joblib
    from sklearn.model_selection import cross_val_score
    X, y = planted(seed=9)
    Z = X + np.random.default_rng(1).random(X.shape) / 4
    expected = [cross_val_score(RuleClassifier(K=2, M=2, threads=2), data, y, cv=4).tolist() for data in (X, Z)]
    for backend in ("loky", "multiprocessing", "threading"):
        with joblib.parallel_backend(backend, n_jobs=2):
            found = [cross_val_score(RuleClassifier(K=2, M=2, threads=2), data, y, cv=4).tolist() for data in (X, Z)]
        assert found == expected, backend


@test(["pandas"])
def frames():
    frame, y = patients()
    model = RuleClassifier(K=2, M=2, positive="ill", cuts="all").fit(frame, y)
    assert sorted(model.rules_) == [["age > 50.5", "smokes"], ["kind = blue"]] or model.score(frame, y) > 0.97, model.rule_
    assert model.feature_names_in_.tolist() == list(frame.columns) and model.n_features_in_ == 4
    assert (model.predict(frame[["kind", "visits", "smokes", "age"]]) == model.predict(frame)).all(), "columns go by name"
    raises(ValueError, "now missing: kind", lambda: model.predict(frame.drop(columns="kind")))
    unseen = frame.assign(kind="violet")
    assert model.predict(unseen).shape == y.shape
    coded = frame.assign(kind=frame["kind"].astype("category"))
    assert (model.predict(coded) == model.predict(frame)).all()
    dates = frame.assign(age=pd.Timestamp("2020-01-01"))
    raises(TypeError, "column 'age' holds dates", lambda: model.fit(dates, y))
    series = pd.Series(y, index=range(7, 7 + len(y)))
    assert model.fit(frame, series).rule_


@test(["pandas"])
def numbers_as_categories():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"zip": rng.choice([10, 20, 30, 40], 200), "x": rng.normal(size=200)})
    y = frame["zip"].isin([20]).to_numpy()
    model = RuleClassifier(K=1, M=1, categories=["zip"]).fit(frame, y)
    assert model.rule_ == "(zip = 20)" and (model.predict(frame.astype(float)) == y).all()
    raises(ValueError, "not there: zap", lambda: RuleClassifier(categories=["zap"]).fit(frame, y))


@test(["pandas"])
def identifiers_are_left_out():
    frame, y = patients()
    frame["patient"] = [f"P{i}" for i in range(len(frame))]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = RuleClassifier(positive="ill").fit(frame, y)
    assert any("'patient' has 300 different texts" in str(w.message) for w in caught)
    assert "patient" not in model.rule_ and model.predict(frame).shape == y.shape


@test(["sklearn"])
def scikit_learn_tools():
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
    X, y = planted()
    assert cross_val_score(RuleClassifier(K=2, M=2), X, y, cv=4).min() > 0.95
    assert clone(RuleClassifier(K=5, options={"profile": "paper"})).K == 5
    pipe = Pipeline([("scale", StandardScaler()), ("rules", RuleClassifier(K=2, M=2))])
    assert pipe.fit(X, y).score(X, y) == 1
    bins = Pipeline([("bins", KBinsDiscretizer(4, encode="onehot-dense")), ("rules", RuleClassifier())])
    Z = np.random.default_rng(1).normal(size=(200, 3))
    assert bins.fit(Z, Z[:, 0] > 0).score(Z, Z[:, 0] > 0) > 0.9
    grid = GridSearchCV(RuleClassifier(), {"K": [1, 2], "M": [1, 2]}, cv=3).fit(X, y)
    assert grid.best_params_ == {"K": 2, "M": 2}, grid.best_params_
    assert cross_val_score(RuleClassifier(), X, y, cv=3, scoring="roc_auc").min() > 0.95


@test(["sklearn", "pandas"])
def scikit_learn_with_frames():
    from sklearn.model_selection import cross_val_score
    frame, y = patients()
    assert cross_val_score(RuleClassifier(positive="ill"), frame, y, cv=3).mean() > 0.8


@test(["sklearn"])
def scikit_learn_checks():
    from sklearn.utils.estimator_checks import check_estimator
    if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6):
        reason = "weights of samples take the place of balanced ones, and cut points are those of the samples"
        failing = {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")}
        check_estimator(RuleClassifier(), expected_failed_checks=failing)
        return
    for estimator, check in check_estimator(RuleClassifier(), generate_only=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(estimator)


@test()
def without_scikit_learn():
    code = ("import sys; sys.modules['sklearn'] = sys.modules['sklearn.base'] = None\n"
            "import numpy as np; from ireland import RuleClassifier\n"
            "X = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 5); y = X[:, 0]\n"
            "m = RuleClassifier().set_params(K=1).fit(X, y); print(m.score(X, y), m.get_params()['K'])")
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output == "1.0 1\n", output


@test()
def library_that_is_not_there():
    code = "import ireland; ireland.library_path()"
    environment = dict(os.environ, IRELAND_LIBRARY="/nowhere/libireland.so.0")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert result.returncode and "install the package with pip" in result.stderr, result.stderr


def run(function, needs):
    missing = [name for name in needs if globals()["pd" if name == "pandas" else name] is None]
    if missing:
        return "SKIP", f": needs {', '.join(missing)}"
    try:
        function()
        return "PASS", ""
    except Exception:
        return "FAIL", ": " + traceback.format_exc().strip().replace("\n", "\n  ")


def main():
    only = os.environ.get("PYTHON_ONLY", "").split()
    for function, needs in tests:
        if only and function.__name__ not in only:
            continue
        word, note = run(function, needs)
        counts[word] += 1
        print(f"{word} {function.__name__}{note}", flush=True)
    print(f"# {ireland.library_path()}, NumPy {np.__version__}", file=sys.stderr)
    print(f"counts {counts['PASS']} {counts['FAIL']} {counts['SKIP']}")


if __name__ == "__main__":
    main()
