"""Learners in Python on prepared folds: learn.py tree|ripper FOLDER FOLDS. Prints a line `fold 0110...` of predictions for each test file.

tree: scikit-learn's with the depth that 5-fold cross-validation within the training samples chooses of 1 to 8, on coded columns; ripper:
wittgenstein's RIPPER with its defaults, on the columns as they are."""
import csv
import sys
import warnings

warnings.filterwarnings("ignore")
kind, folder, folds = sys.argv[1], sys.argv[2], int(sys.argv[3])


def coded(name):
    with open(f"{folder}/{name}", newline="") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    return [row[:-1] for row in rows], [int(row[-1]) for row in rows]


def tree(k):
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier
    search = GridSearchCV(DecisionTreeClassifier(random_state=1), {"max_depth": list(range(1, 9))}, cv=5)
    search.fit(*coded(f"coded.train.{k}.csv"))
    return search.predict(coded(f"coded.test.{k}.csv")[0])


def ripper(k):
    import pandas
    import wittgenstein
    train, test = (pandas.read_csv(f"{folder}/{part}.{k}.csv", na_values="?") for part in ("train", "test"))
    for frame in (train, test):
        for column in frame.columns[:-1]:
            frame[column] = frame[column].fillna("missing" if frame[column].dtype == object else train[column].median())
    model = wittgenstein.RIPPER(random_state=1)
    model.fit(train, class_feat="y", pos_class=1)
    return [int(label) for label in model.predict(test.drop(columns="y"))]


for k in range(folds):
    print("fold", "".join(str(int(label)) for label in {"tree": tree, "ripper": ripper}[kind](k)), flush=True)
