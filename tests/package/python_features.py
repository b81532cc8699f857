"""What the Python package has beside a binary rule: classes, frames, proofs, studies, exports. Run by test_python.sh in the environment
that the wheel was installed in."""
import doctest
import importlib
import io
import json
import os
import pickle
import re
import subprocess
import sys
import warnings

import numpy as np

import python_suite as suite
from ireland import IrelandError, Progress, Rule, RuleClassifier, best_clause, fit_file, generate, library_path
from python_suite import pd, patients, planted, raises, sklearn, test

suite.tests.clear()
try:
    import scipy.sparse as sparse
except ImportError:
    sparse = suite.sparse = None
try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None
suite.sparse, suite.matplotlib = sparse, matplotlib
FOLDER = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(FOLDER, "..", "..", "data")


def noisy(n=300, j=8, seed=0, noise=0.1):
    X, y = planted(n, j, seed)
    return X, y ^ (np.random.default_rng(seed).random(n) < noise)


# ---- classes and weights ----


@test()
def more_than_two_classes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 6))
    y = np.array(["a", "b", "c"])[np.where(X[:, 0], 0, np.where(X[:, 1], 1, 2))]
    model = RuleClassifier(K=2, M=2, negations=True).fit(X, y)
    assert model.score(X, y) == 1 and list(model.rule_) == ["a", "b", "c"] and model.rule_["a"] == "(x0)", model.rule_
    proba = model.predict_proba(X)
    assert proba.shape == (300, 3) and np.allclose(proba.sum(axis=1), 1) and (model.classes_[proba.argmax(axis=1)] == y).all()
    assert len(model.rule_objects_) == 3 and len(model.answer_) == 3 and model.status_ in ("optimal", "feasible")
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == y).all() and "<b>b</b>" in again._repr_html_()
    assert model.fit(X, y == "a").rule_ == "(x0)" and model.clause_probability_.shape == (1,)
    raises(ValueError, "3 classes; this is for two", lambda: model.curve(X, y))
    raises(ValueError, "positive is for two classes", lambda: RuleClassifier(positive="a").fit(X, y))


@test()
def weights_of_classes():
    X = np.array([[1, 0]] * 6 + [[0, 1]] * 6)
    y = np.array([1] * 4 + [0] * 2 + [1] * 2 + [0] * 4)
    by_class = RuleClassifier(K=1, M=1, class_weight={0: 3.0, 1: 1.0}).fit(X, y)
    by_sample = RuleClassifier(K=1, M=1).fit(X, y, sample_weight=np.where(y, 1.0, 3.0))
    assert by_class.answer_["objective"] == by_sample.answer_["objective"] and by_class.rule_ == by_sample.rule_
    assert RuleClassifier(K=1, M=1, class_weight="balanced").fit(X, y).rule_ == "(x0)"
    raises(ValueError, "class_weight has classes that y has not", lambda: RuleClassifier(class_weight={7: 1.0}).fit(X, y))
    raises(ValueError, "class_weight is", lambda: RuleClassifier(class_weight="heavy").fit(X, y))


@test()
def labels_that_are_wrong():
    X, y = planted()
    raises(ValueError, "1 class, two or more", lambda: RuleClassifier().fit(X, np.zeros(len(X))))
    raises(ValueError, "different types", lambda: RuleClassifier().fit(X, np.array([1, "a"] * 200, dtype=object)))
    raises(ValueError, "missing labels", lambda: RuleClassifier().fit(X, np.array([1, None] * 200, dtype=object)))
    raises(ValueError, "y is None", lambda: RuleClassifier().fit(X, None))
    raises(ValueError, "n_jobs", lambda: RuleClassifier(n_jobs=0).fit(X, y))
    assert RuleClassifier(n_jobs=-1).fit(X, y).rule_ == RuleClassifier(n_jobs=1).fit(X, y).rule_


# ---- what samples may be kept in ----


@test(["sparse"])
def sparse_matrices():
    X, y = noisy()
    dense = RuleClassifier(K=2, M=2).fit(X, y)
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix):
        model = RuleClassifier(K=2, M=2).fit(kind(X), y)
        assert model.rules_ == dense.rules_ and model.objective_ == dense.objective_ and model.work_ == dense.work_
        assert (model.predict(kind(X)) == dense.predict(X)).all() and (model.predict(X) == dense.predict(X)).all()
        assert np.allclose(model.predict_proba(kind(X)), dense.predict_proba(X))
    Z = X * 2.5
    assert RuleClassifier(K=2, M=2).fit(sparse.csr_matrix(Z), y).rule_json_ == RuleClassifier(K=2, M=2).fit(Z, y).rule_json_
    duplicate = sparse.coo_matrix((np.ones(2), ([0, 0], [0, 0])), shape=(300, 2))
    assert RuleClassifier(K=1, M=1).fit(duplicate, np.arange(300) == 0).rule_.startswith("(x0 >"), "entries of one cell are added"
    wide = sparse.random(200, 5000, density=0.01, random_state=1, format="csr")
    wide.data[:] = 1
    label = np.asarray(wide[:, 17].todense()).ravel() == 1
    assert RuleClassifier(K=1, M=1).fit(wide, label).rule_ == "(x17)"


@test()
def large_bits_are_the_same():
    from ireland import _columns
    X, y = noisy(n=1000)
    table = RuleClassifier(K=2, M=2).fit(X, y)
    bits = _columns.bits_of(_columns.frame_of(X.astype(np.uint8)), least=0)
    assert bits is not None and bits.words.shape == (8, 16)
    original, _columns.bits_of = _columns.bits_of, None
    from ireland import _classifier
    try:
        _classifier.bits_of = lambda frame: original(frame, 0)
        model = RuleClassifier(K=2, M=2).fit(X.astype(np.uint8), y)
        assert model.rules_ == table.rules_ and model.work_ == table.work_ and model.answer_["scope"]["checksum"] == table.scope_["checksum"]
        assert (model.predict(X) == table.predict(X)).all()
        assert RuleClassifier(K=2, M=2).fit(X * 3, y).rules_ != [] and original(_columns.frame_of(X * 3), 0) is None
        assert RuleClassifier(options={"test": 0.25}).fit(X, y).answer_["test"]
    finally:
        _columns.bits_of = _classifier.bits_of = original


@test(["pandas"])
def frames_without_copies():
    from ireland import _columns
    frame = pd.DataFrame({"a": np.arange(5.0), "b": np.arange(5)})
    columns = _columns.columns_of(_columns.frame_of(frame))
    assert np.shares_memory(columns[0].numbers, frame["a"].to_numpy()) and not np.shares_memory(columns[1].numbers, frame["b"].to_numpy())
    matrix = np.asfortranarray(np.random.default_rng(0).random((5, 2)))
    assert np.shares_memory(_columns.columns_of(_columns.frame_of(matrix))[1].numbers, matrix)


@test(["pandas"])
def types_of_frames():
    frame, y = patients()
    base = RuleClassifier(K=2, M=2, positive="ill").fit(frame, y)
    others = {"category": frame.assign(kind=frame["kind"].astype("category")), "string": frame.assign(kind=frame["kind"].astype("string")),
              "Float64": frame.assign(age=frame["age"].astype("Float64")), "boolean": frame.assign(smokes=frame["smokes"].astype("boolean")),
              "float32": frame.assign(visits=frame["visits"].astype("Float32")),
              "ordered": frame.assign(kind=pd.Categorical(frame["kind"], ["red", "blue", "green", "unused"], ordered=True))}
    for name, other in others.items():
        model = RuleClassifier(K=2, M=2, positive="ill").fit(other, y)
        assert model.rule_json_ == base.rule_json_, name
        assert (base.predict(other) == base.predict(frame)).all(), name
    raises(ValueError, "held numbers when the rule was learnt", lambda: base.predict(frame.assign(age="old")))
    raises(TypeError, "holds dates", lambda: base.fit(frame.assign(age=pd.Timestamp("2020-01-01")), y))
    assert base.fit(frame, pd.Series(y, name="state")).answer_["scope"]["target"] == "state"


@test(["pandas"])
def only_the_columns_of_the_rule():
    frame, y = patients()
    model = RuleClassifier(K=1, M=1, positive="ill").fit(frame, y)
    used = [name for name in frame if name in model.rule_]
    assert len(used) == 1 and (model.predict(frame[used]) == model.predict(frame)).all()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = RuleClassifier(K=1, M=1, options={"only": "kind"}).fit(frame, y)
        model.predict(frame)
        assert not caught, caught[0].message
        model.predict(frame.assign(kind="violet"))
    assert "that it had not when the rule was learnt: violet" in str(caught[0].message)


def arrow_columns(frame, text="u", word="i"):
    """The patients in Arrow's formats: numbers with and without nulls, texts, codes, bits."""
    plain = {name: [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame}
    words = sorted({v for v in plain["kind"] if v})
    return {"age": ("g", plain["age"]), "kind": (word, plain["kind"], words) if word else (text, plain["kind"]),
            "smokes": ("b", plain["smokes"]), "visits": ("c", plain["visits"])}


@test(["pandas"])
def arrow_streams():
    """By an exporter of our own; real_arrow_and_polars tries the packages where they are."""
    import gc

    from arrow_exporter import Exporter, alive
    frame, y = patients()
    longer = frame.assign(kind=frame["kind"].map(lambda v: None if v is None else f"{v}, as are many others"))
    expected = RuleClassifier(K=2, M=2, positive="ill").fit(frame, y)
    long_json = RuleClassifier(K=2, M=2, positive="ill").fit(longer, y).rule_json_
    for chunks, padding, outer in ((1, 0, 0), (3, 0, 0), (1, 5, 0), (4, 3, 2)):
        for text, word in (("u", ""), ("U", ""), ("vu", ""), ("", "i"), ("", "C"), ("", "l")):
            one = Exporter(arrow_columns(frame, text, word), chunks, padding, outer)
            model = RuleClassifier(K=2, M=2, positive="ill").fit(one, y)
            assert model.rule_json_ == expected.rule_json_ and (model.predict(one) == expected.predict(frame)).all(), (chunks, text, word)
            if text:
                long = Exporter(arrow_columns(longer, text, ""), chunks, padding, outer)
                assert RuleClassifier(K=2, M=2, positive="ill").fit(long, y).rule_json_ == long_json, (chunks, text)
    gc.collect()
    assert not alive, "chunks are released when nothing needs them any more"
    labels = Exporter({"y": ("u", y.tolist())}, 3, is_frame=False)
    assert RuleClassifier(K=2, M=2, positive="ill").fit(frame, labels).rule_ == expected.rule_
    for form in ("c", "C", "s", "S", "i", "I", "l", "L", "e", "f", "g", "b"):
        X = Exporter({"a": (form, [0, 1, 1, 0] * 10), "empty": ("n", [None] * 40)})
        assert RuleClassifier(K=1, M=1).fit(X, [0, 1, 1, 0] * 10).rule_ == "(a)", form
    del model, labels, X, one, long
    gc.collect()
    assert not alive


@test()
def arrow_without_copies():
    import gc

    from arrow_exporter import Exporter, alive
    from ireland import _columns
    numbers = _columns.Column("a", _columns.frame_of(Exporter({"a": ("g", np.arange(5.0).tolist())}, 1, 2)).values(0), 5).numbers
    gc.collect()
    assert len(alive) == 2 and numbers.tolist() == [0, 1, 2, 3, 4] and not numbers.flags.owndata, "the view keeps its chunk"
    del numbers
    gc.collect()
    assert not alive


@test()
def arrow_that_is_wrong():
    from arrow_exporter import Exporter
    y = [0, 1] * 10
    raises(TypeError, "column 'd' holds dates", lambda: RuleClassifier().fit(Exporter({"d": ("tdD", y)}), y))
    raises(TypeError, "Arrow's type '+l'", lambda: RuleClassifier().fit(Exporter({"d": ("+l", ["a"] * 20)}), y))
    raises(ValueError, "the disk is gone", lambda: RuleClassifier().fit(Exporter({"d": ("g", y)}, 2, failure=b"the disk is gone"), y))
    raises(ValueError, "X is one column", lambda: RuleClassifier().fit(Exporter({"d": ("g", y)}, is_frame=False), y))
    raises(ValueError, "0 sample(s)", lambda: RuleClassifier().fit(Exporter({"d": ("g", [])}), []))
    model = RuleClassifier(K=1, M=1).fit(Exporter({"d": ("g", y)}), y)
    raises(ValueError, "held numbers when", lambda: model.predict(Exporter({"d": ("u", ["a", "b"])})))
    raises(ValueError, "now missing: d", lambda: model.predict(Exporter({"e": ("g", y)})))


@test(["pandas"])
def frames_of_the_interchange_protocol():
    frame, y = patients()
    numbers = frame.assign(kind=frame["kind"].astype("category"), visits=frame["visits"].astype("Float64").to_numpy(float, na_value=np.nan))

    class Other:  # pandas, but by the protocol alone
        def __init__(self, frame):
            self.frame = frame

        def __dataframe__(self, allow_copy=True):
            return self.frame.__dataframe__()

    expected = RuleClassifier(K=2, M=2, positive="ill").fit(frame, y)
    texts = numbers.assign(kind=frame["kind"].fillna("none").astype(object))
    for one in (numbers, texts):
        model = RuleClassifier(K=2, M=2, positive="ill").fit(Other(one), y)
        assert model.rule_json_ == RuleClassifier(K=2, M=2, positive="ill").fit(one, y).rule_json_ and (model.predict(Other(one)) == model.predict(one)).all()
    assert RuleClassifier(K=2, M=2, positive="ill").fit(Other(numbers), y).rule_json_ == expected.rule_json_
    raises(TypeError, "holds dates", lambda: RuleClassifier().fit(Other(frame[["age"]].assign(d=pd.Timestamp("2020-01-01"))), y))


@test(["pandas"])
def real_arrow_and_polars():
    frame, y = patients()
    plain = {name: [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame}
    expected = RuleClassifier(K=2, M=2, positive="ill").fit(frame, y)
    tried = []
    for module, make in (("pyarrow", lambda m: m.table(plain)), ("polars", lambda m: m.DataFrame(plain))):
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        table = make(found)
        raises(ValueError, "missing labels", lambda: RuleClassifier().fit(table, table["kind"]))
        model = RuleClassifier(K=2, M=2, positive="ill").fit(table, y)
        assert model.rule_json_ == expected.rule_json_ and (model.predict(table) == expected.predict(frame)).all(), module
        tried.append(module)
    print(f"# real frames: {', '.join(tried) or 'none is installed'}", file=sys.stderr)


@test(["pandas"])
def the_same_rule_as_the_program():
    """To the byte of its JSON, on tables of numbers, words, bits and missing values."""
    ireland, folder = os.environ["IRELAND"], os.environ["TEST_DIR"]
    sets = {name: pd.read_csv(os.path.join(DATA, f"{name}.csv")) for name in ("monks1", "monks2", "monks3", "tic_tac_toe", "planted_noisy")}
    people, label = patients()
    sets["patients"] = people.assign(smokes=people["smokes"].astype(int), state=label)
    for name, frame in sets.items():
        path, rule = os.path.join(folder, f"{name}.csv"), os.path.join(folder, f"{name}.json")
        frame.to_csv(path, index=False)
        X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
        greater = str(sorted(y.unique())[-1])
        subprocess.run([ireland, "fit", path, "-o", rule, "--quiet", "--positive", greater], check=True, capture_output=True)
        with open(rule) as file:
            assert RuleClassifier().fit(X, y).rule_json_ == file.read().rstrip("\n"), name


# ---- scikit-learn ----


@test(["sklearn", "pandas"])
def transform_and_set_output():
    X, y = planted()
    model = RuleClassifier(K=2, M=2).fit(X, y)
    assert model.transform(X).shape == (400, 2) and model.get_feature_names_out().tolist() == ["x2", "x0 AND x1"]
    out = model.set_output(transform="pandas").transform(X)
    assert list(out.columns) == ["x2", "x0 AND x1"] and (out.to_numpy() == model.fires(X)).all()
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    assert make_pipeline(RuleClassifier(K=2, M=2), LogisticRegression()).fit(X, y).score(X, y) == 1


@test(["sklearn"])
def clones_and_pipelines():
    from sklearn.base import clone, is_classifier
    from sklearn.utils.validation import check_is_fitted
    X, y = planted()
    model = RuleClassifier(K=2, M=2, class_weight="balanced", n_jobs=2, progress=False).fit(X, y)
    copy = clone(model)
    assert copy.get_params() == model.get_params() and not hasattr(copy, "rule_") and is_classifier(copy)
    check_is_fitted(model)
    raises(ValueError, "not fitted", lambda: check_is_fitted(copy))


# A model that was made before scikit-learn was imported, given to all that looks at its class.
LATE = """
import sys, pickle
import numpy as np
from ireland import RuleClassifier
class Other(RuleClassifier):
    def transform(self, X):
        return super().transform(X) * 2
X, y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 10), np.array([0, 1, 1, 0] * 10)
model, other = RuleClassifier(K=1, M=1).fit(X, y), Other(K=1, M=1).fit(X, y)
kept, shown = pickle.dumps(model), repr(model)
assert "sklearn" not in sys.modules
if STEP == 0:
    frame = model.set_output(transform="pandas").transform(X)
    assert list(frame.columns) == ["x0"] and other.set_output(transform="pandas").transform(X).iloc[1, 0] == 2
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
if STEP == 1:
    assert cross_val_score(model, X, y, cv=2).mean() == 1 and is_classifier(model)
if STEP == 2:
    assert is_classifier(model) and clone(other).get_params() == other.get_params()
if STEP == 3:
    assert make_pipeline(model).set_output(transform="pandas").fit(X, y).score(X, y) == 1
if STEP == 4:
    assert (pickle.loads(kept).predict(X) == y).all() and not RuleClassifier(K=1) is model
assert isinstance(RuleClassifier(), BaseEstimator) and isinstance(model, BaseEstimator) and isinstance(other, BaseEstimator)
assert (model.predict(X) == y).all() and (other.predict(X) == y).all() and repr(model) == shown == "RuleClassifier(K=1, M=1)"
assert set(model._repr_mimebundle_()) == {"text/plain", "text/html"} and "<table>" in model._repr_mimebundle_()["text/html"]
"""


@test(["sklearn", "pandas"])
def scikit_learn_that_comes_later():
    for step in range(5):
        subprocess.run([sys.executable, "-c", LATE.replace("STEP", str(step))], check=True)


@test()
def pickles_of_an_older_version():
    """The state that version 0.1.0 kept, in plain values."""
    with open(os.path.join(FOLDER, "model_state_1.json")) as file:
        kept = json.load(file)
    model = RuleClassifier.__new__(RuleClassifier)
    model.__setstate__({"K": 2, "M": 2, "threads": 0, "n_jobs": None, "_learnt": kept})
    X, y = planted()
    assert (model.predict(X) == y).all() and model.export("text").strip() == "(x2) OR (x0 AND x1)"
    fresh = RuleClassifier(K=2, M=2).fit(X, y)
    now = json.loads(json.dumps(fresh.__getstate__()["_learnt"]))
    # The rules inside are JSON of a format with a version of its own, whose scope may gain members.
    assert {k: type(v) for k, v in now.items()} == {k: type(v) for k, v in kept.items()}, "the state has changed: raise STATE_VERSION, read the old one too"
    raises(ValueError, "later version", lambda: model.__setstate__({"_learnt": dict(kept, version=99)}))
    assert b"_Learnt" not in pickle.dumps(fresh) and pickle.loads(pickle.dumps(fresh)).rule_ == fresh.rule_


# ---- proofs and studies ----


@test()
def proofs_and_certificates():
    X, y = noisy()
    model = RuleClassifier(K=2, M=2, prove=True, certificate=True).fit(X, y)
    assert model.status_ == "optimal" and model.bound_ == model.objective_ and model.certificate_.startswith("ireland")
    assert model.verify(X, y) and model.verify(X, y).reason == ""
    broken = model.certificate_.replace("end", "dne")
    assert not model.verify(X, y, broken).valid and model.verify(X, y, broken).line > 0
    other = model.verify(np.roll(X, 1, axis=0), y)
    assert not other.valid and "checksum" in other.reason, other
    Z = X + np.random.default_rng(1).random(X.shape) / 4
    numbers = RuleClassifier(K=1, M=2, prove=True, certificate=True).fit(Z, y)
    assert numbers.status_ == "optimal" and numbers.verify(Z, y).valid
    raises(ValueError, "there is no certificate", lambda: RuleClassifier().fit(X, y).verify(X, y))


@test()
def curves():
    X, y = noisy()
    curve = RuleClassifier(K=2, M=2).curve(X, y, sizes=True)
    points = curve.points
    assert 0.8 < curve.area <= 1 and len(points) >= 2 and curve.by_literals and curve.by_clauses and curve.svg.startswith("<svg")
    assert all(a.specificity >= b.specificity and a.sensitivity <= b.sensitivity for a, b in zip(points, points[1:]))
    rule = Rule(json.dumps({"format": "ireland-rule", "version": 1, "features": sorted({n.lstrip("!") for c in points[0].clauses for n in c}),
                            "clauses": points[0].clauses}))
    assert abs(rule.evaluate(X, y)["sensitivity"] - points[0].sensitivity) < 1e-12
    if pd is not None:
        assert len(curve.to_frame()) == len(points)


@test(["matplotlib"])
def plots():
    X, y = noisy()
    axes = RuleClassifier(K=2, M=2).plot_curve(X, y)
    assert axes.get_xlabel() == "1 - specificity" and len(axes.lines) == 2


@test()
def cross_validation():
    X, y = noisy()
    cv = RuleClassifier(weights="unit").cross_validate(X, y, K="1..2", M=[1, 2], penalty=0, folds=3, nested=True)
    assert len(cv.rows) == 8 and set(cv.chosen) == {"K", "M", "penalty", "negations"} and "accuracy" in repr(cv) and cv.nested["folds"] == 3
    assert RuleClassifier().set_params(**cv.chosen).fit(X, y).score(X, y) > 0.8
    for model, negations, found in ((RuleClassifier(), False, {False}), (RuleClassifier(), True, {True}), (RuleClassifier(negations=True), None, {True}),
                                    (RuleClassifier(), "0,1", {False, True})):
        cv = model.cross_validate(X, y, K="1", M="1,2", penalty="0", folds=3, negations=negations)
        assert len(cv.rows) == 2 * len(found) and {row["negations"] for row in cv.rows} == found and cv.chosen["negations"] in found


@test()
def tuning():
    X, y = noisy()
    model = RuleClassifier(tune=True, K=[1, 2], M="1..2", penalty=[0, 0.01], prove=True, certificate=True).fit(X, y)
    chosen = model.tuning_.chosen
    assert {(row["K"], row["M"]) for row in model.tuning_.rows} == {(1, 1), (1, 2), (2, 1), (2, 2)} and model.tuning_.nested["folds"] == 10
    assert (model.answer_["K"], model.answer_["M"]) == (chosen["K"], chosen["M"]) and model.verify(X, y)
    assert RuleClassifier().set_params(**chosen).fit(X, y).rule_ == model.rule_ and "tuning" in model.report(X, y)
    assert RuleClassifier(K=1).fit(X, y).tuning_ is None and {row["K"] for row in RuleClassifier(tune=True, K=1, M=2).fit(X, y).tuning_.rows} == {1}
    raises(IrelandError, "option tune has no effect with option cnf", lambda: RuleClassifier(tune=True, options={"cnf": True}).fit(X, y))


@test()
def all_optimal_rules():
    X, y = noisy(j=5)
    X = np.hstack([X, X[:, :1]])
    rules, is_all = RuleClassifier(K=2, M=2).optimal_rules(X, y, n=50)
    assert is_all and len(rules) >= 2 and len(set(rules)) == len(rules)
    errors = {round(rule.evaluate(X, y)["weighted_error"], 9) for rule in rules}
    assert len(errors) == 1


@test()
def reports_and_exports():
    X, y = noisy()
    model = RuleClassifier(K=2, M=2).fit(X, y)
    path = os.path.join(os.environ["TEST_DIR"], "page.html")
    page = model.report(X, y, path=path, curve=True)
    assert page.lstrip().lower().startswith("<!doctype html") and "svg" in page and open(path, encoding="utf-8").read() == page
    assert "\nCASE WHEN" in model.to_sql() and "def predict" in model.to_python() and model.to_c() and model.to_r() and model.to_javascript()
    namespace = {}
    exec(model.to_python(), namespace)
    assert [namespace["predict"]({f"x{j}": int(v) for j, v in enumerate(row)}) for row in X[:20]] == model.predict(X[:20]).tolist()
    html = RuleClassifier(K=1, M=1).fit(pd.DataFrame({"<b>": X[:, 2]}), X[:, 2])._repr_html_() if pd is not None else ""
    assert "<td style='text-align:left'><b>" not in html


@test()
def explanations():
    X, y = noisy()
    model = RuleClassifier(K=2, M=2).fit(X, y)
    fires, predicted = model.fires(X), model.predict(X)
    for i, row in enumerate(model.explain(X)):
        assert row.predicted == predicted[i] and row.fired == [model.rules_[k] for k in np.flatnonzero(fires[i])]
        assert (row.closest is None) == bool(row.fired) and bool(row.misses) != bool(row.fired)
    assert model.evaluate(X, y)["confusion"]["tp"] == int((predicted & y).sum())
    raises(ValueError, "y must have one label", lambda: model.evaluate(X, y + 5))


@test()
def rules_are_objects():
    X, y = planted()
    rule = RuleClassifier(K=2, M=2).fit(X, y).rule_objects_[0]
    path = os.path.join(os.environ["TEST_DIR"], "rule.json")
    rule.write(path)
    assert Rule.read(path) == rule == pickle.loads(pickle.dumps(rule)) and rule.columns == ["x2", "x0", "x1"] and len({rule, rule}) == 1
    assert (rule.predict(X) == y).all() and str(rule) == "(x2) OR (x0 AND x1)" and rule.scope["K"] == 2 and "<table>" in rule._repr_html_()
    raises(ValueError, "the rule needs columns", lambda: rule.predict(X[:, :1]))
    raises(IrelandError, "", lambda: Rule("{}"))
    X, y, planted_rule = generate(N=300, J=9, K=2, M=2, seed=3)
    assert (planted_rule.predict(X, names=[f"f{j + 1}" for j in range(9)]) == y).all()
    assert best_clause(X, X[:, 0] & X[:, 3], M=2, prove=True)["status"] == "optimal"


@test()
def rules_from_files():
    """By the options that only files have: strata, phenotypes, covariates, filters; the same rule as the program's, to the byte."""
    folder, program = os.environ["TEST_DIR"], os.environ["IRELAND"]
    study = os.path.join(folder, "study")
    subprocess.run([sys.executable, os.path.join(FOLDER, "..", "support", "make_genotypes.py"), study, "--people", "200", "--variants", "40", "--seed", "4"],
                   check=True, capture_output=True)
    jobs = [(os.path.join(DATA, "monks1.csv"), {"K": 2, "only": "a5=1,a1=1"}), (study + ".bed", {"K": 2, "M": 2, "maf": 0.1, "ld_r2": 0.0, "covar": study + ".cov"}),
            (os.path.join(DATA, "tic_tac_toe.csv"), {"K": 2, "vs_rest": "1", "cnf": True})]
    with open(study + ".cov", "w") as file, open(study + ".fam") as people:
        file.write("FID IID age\n" + "".join(f"{line.split()[0]} {line.split()[1]} {20 + i % 50}\n" for i, line in enumerate(people)))
    for path, options in jobs:
        words = [word for name, value in options.items() for word in
                 (("-" if len(name) == 1 else "--") + name.replace("_", "-"), *([] if value is True else [str(value)]))]
        out = path = os.fspath(path)
        out = os.path.join(folder, "file.json")
        subprocess.run([program, "fit", path, "--quiet", "-o", out, *words], check=True, capture_output=True)
        found = fit_file(path, **options)
        with open(out) as file:
            assert found.rule.json == file.read(), path
        predicted = subprocess.run([program, "predict", out, path, *(["--covar", options["covar"]] if "covar" in options else [])],
                                   capture_output=True, text=True, check=True).stdout.splitlines()[1:]
        if "covar" not in options and "cnf" not in options:
            assert found.rule.predict_file(path).sum() == sum(line.split("\t")[1] == "1" for line in predicted), path
    proven = fit_file(jobs[0][0], K=1, M=1, prove=True, certificate=True)
    assert proven.answer["status"] == "optimal" and proven.certificate.startswith("ireland")
    raises(IrelandError, "nowhere.csv", lambda: fit_file("nowhere.csv"))
    raises(IrelandError, "has no effect", lambda: fit_file(jobs[0][0], maf=0.1))
    raises(FileNotFoundError, "nobody", lambda: fit_file(study + ".bed", keep="nobody"))


# ---- progress ----


@test()
def progress_is_shown():
    X, y = suite.endless(600, 200)
    seen = []

    def watch(progress):
        seen.append(progress)
        return len(seen) == 3

    model = RuleClassifier(K=4, M=4, prove=True, progress=watch).fit(X, y)
    assert model.status_ == "interrupted" and len(seen) >= 3 and isinstance(seen[0], Progress)
    assert pickle.loads(pickle.dumps(model)).progress is False

    def fail(_):
        raise RuntimeError("no more")

    raises(RuntimeError, "no more", lambda: RuleClassifier(K=4, M=4, prove=True, progress=fail).fit(X, y))
    raises(TypeError, "progress is", lambda: RuleClassifier(progress=7).fit(X, y))
    stream, sys.stderr = sys.stderr, io.StringIO()
    try:
        RuleClassifier(K=4, M=4, work_limit=300000000, progress=True).fit(X, y)
        shown = sys.stderr.getvalue()
    finally:
        sys.stderr = stream
    assert shown.startswith("\r") and "objective" in shown and shown.endswith("\n"), shown


# ---- the package ----


@test()
def the_command_line():
    program = os.path.join(os.path.dirname(sys.executable), "ireland")
    if "libireland.so.0" in library_path():
        return  # a library that is not of a wheel has none
    path = os.path.join(DATA, "monks1.csv")
    for command in ([program], [sys.executable, "-m", "ireland"]):
        done = subprocess.run([*command, "fit", path, "--json", "--quiet"], capture_output=True, text=True)
        expected = subprocess.run([os.environ["IRELAND"], "fit", path, "--json", "--quiet"], capture_output=True, text=True)
        assert done.returncode == 0 and re.sub('"run": .*', "", done.stdout) == re.sub('"run": .*', "", expected.stdout), done.stderr
    wrong = subprocess.run([program, "fit", "nowhere.csv"], capture_output=True, text=True)
    assert wrong.returncode == 3 and "nowhere.csv" in wrong.stderr


@test()
def importing_is_quick():
    code = ("import sys, ireland; names = {'numpy', 'sklearn', 'pandas'}; before = sorted(names & set(sys.modules))\n"
            "model = ireland.RuleClassifier(K=2).fit([[0, 1], [1, 0]] * 5, [0, 1] * 5); print(before, sorted(names & set(sys.modules)), model)")
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output == "[] ['numpy'] RuleClassifier(K=2)\n", output
    assert set(__import__("ireland").__all__) <= set(dir(__import__("ireland")))
    raises(AttributeError, "no attribute 'Wrong'", lambda: __import__("ireland").Wrong)


@test()
def examples_of_the_documentation():
    for name in ("", "._classifier", "._study", "._rule", "._progress", "._tools"):
        found = doctest.testmod(importlib.import_module("ireland" + name), extraglobs={"np": np, "RuleClassifier": RuleClassifier})
        assert found.failed == 0 and found.attempted > 0, name


@test(["pandas", "sklearn"])
def the_tutorial():
    found = doctest.testfile(os.path.join(FOLDER, "..", "..", "src", "doc", "python.md"), module_relative=False,
                             optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 and found.attempted > 20


if __name__ == "__main__":
    suite.main()
