"""Rows of a CSV file that grows while a series runs."""
import csv


def append(path, fields, row):
    """Adds a row; after one that was cut off a new line begins."""
    with open(path, "a+", newline="") as file:
        file.seek(0)
        before = file.read()
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        if not before:
            writer.writeheader()
        elif not before.endswith("\n"):
            file.write("\n")
        writer.writerow(row)
