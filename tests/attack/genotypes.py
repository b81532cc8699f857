"""Genotypes in PLINK's .bed, .raw, in VCF and BCF, written by the attack itself. The columns that are no variants are covariates.

A case has such a form if its first columns are SNPs called rs1_A, rs2_A, ... and its labels 2 and 1, in a column `phenotype`.
"""
import os
import re

FORMS = ("bed", "raw", "vcf")


def may_be(case):
    """Can the table be written as genotypes?"""
    kinds = [column["kind"] for column in case["columns"]]
    n = kinds.count("snp")
    names = all(re.fullmatch(r"rs\d+_A", column["name"]) for column in case["columns"][:n])
    return n > 0 and "snp" not in kinds[n:] and names and set(case["labels"]) <= {"1", "2"} and case["positive"] == "2"


def make_fit(case):
    """The drawn table with its SNPs first and the labels that PLINK has; options on how text is read go."""
    columns = case["columns"]
    if all(column["kind"] != "snp" for column in columns):
        columns[0]["kind"] = "snp"
        columns[0]["cells"] = [None if cell is None else str(min(2, len(cell + str(i)) + i % 3 - 2)) for i, cell in enumerate(columns[0]["cells"])]
    columns.sort(key=lambda column: column["kind"] != "snp")
    for j, column in enumerate(columns):
        if column["kind"] == "snp":
            column["name"] = "rs%d_A" % (j + 1)
    case["labels"] = ["2" if label == case["positive"] else "1" for label in case["labels"]]
    case["positive"], case["label_name"] = "2", "phenotype"
    for name in ("target", "delimiter", "no-header", "na", "vs-rest", "decimal", "type", "types"):
        case["options"].pop(name, None)


def snps_of(case):
    return [column for column in case["columns"] if column["kind"] == "snp"]


def write_people(case, folder):
    n = len(case["labels"])
    with open(os.path.join(folder, "t.fam"), "w") as file:
        file.writelines("F%d S%d 0 0 %d %s\n" % (i, i, 1 + i % 2, case["labels"][i]) for i in range(n))
    with open(os.path.join(folder, "t.pheno"), "w") as file:
        file.write("FID IID phenotype\n")
        file.writelines("F%d S%d %s\n" % (i, i, case["labels"][i]) for i in range(n))


def write_covariates(case, more, folder):
    """The words that name the file; none if there is nothing to write."""
    names = [column["name"] for column in case["columns"] if column["kind"] != "snp"] + [name for name, _ in more]
    cells = [column["cells"] for column in case["columns"] if column["kind"] != "snp"] + [cells for _, cells in more]
    if not names:
        return []
    with open(os.path.join(folder, "t.covar"), "w") as file:
        file.write(",".join(["FID", "IID"] + names) + "\n")
        for i in range(len(case["labels"])):
            file.write(",".join(["F%d" % i, "S%d" % i] + ["NA" if c[i] is None else c[i] for c in cells]) + "\n")
    return ["--covar", "t.covar"]


def write_bed(case, folder):
    n = len(case["labels"])
    with open(os.path.join(folder, "t.bim"), "w") as file:
        file.writelines("1 %s 0 %d A C\n" % (snp["name"][:-2], 1000 * (j + 1)) for j, snp in enumerate(snps_of(case)))
    with open(os.path.join(folder, "t.bed"), "wb") as file:
        file.write(b"\x6c\x1b\x01")
        for snp in snps_of(case):
            codes = [{None: 1, "0": 3, "1": 2, "2": 0}[cell] for cell in snp["cells"]] + [0] * 3
            file.write(bytes(codes[i] | codes[i + 1] << 2 | codes[i + 2] << 4 | codes[i + 3] << 6 for i in range(0, n, 4)))


def write_raw(case, folder):
    snps = snps_of(case)
    with open(os.path.join(folder, "t.raw"), "w") as file:
        file.write(" ".join(["FID IID PAT MAT SEX PHENOTYPE"] + [snp["name"] for snp in snps]) + "\n")
        for i, label in enumerate(case["labels"]):
            file.write(" ".join(["F%d S%d 0 0 %d %s" % (i, i, 1 + i % 2, label)] + [snp["cells"][i] or "NA" for snp in snps]) + "\n")


def sample_name(case, i):
    """In every other case as `plink --recode vcf` names samples, family and all."""
    return ("F%d_S%d" % (i, i)) if len(case["labels"]) % 2 else "S%d" % i


def header(case):
    return ("##fileformat=VCFv4.2\n##FILTER=<ID=PASS,Description=\"All filters passed\">\n##contig=<ID=1>\n"
            "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
            "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t%s\n" % "\t".join(sample_name(case, i) for i in range(len(case["labels"]))))


def write_vcf(case, folder):
    texts = {None: ("./.", ".", "./1"), "0": ("0/0", "0|0"), "1": ("0/1", "1|0"), "2": ("1/1", "1|1")}
    with open(os.path.join(folder, "t.vcf"), "w") as file:
        file.write(header(case))
        for j, snp in enumerate(snps_of(case)):
            calls = [texts[cell][(i + j) % len(texts[cell])] for i, cell in enumerate(snp["cells"])]
            calls = ["./." if call == "." else call for call in calls]  # one allele beside two is refused
            file.write("\t".join(["1", str(1000 * (j + 1)), snp["name"][:-2], "C", "A", ".", "PASS", ".", "GT"] + calls) + "\n")


def write(case, form, folder, more):
    """Writes the files of this form; the words of the command line that go with them."""
    write_people(case, folder)
    {"bed": write_bed, "raw": write_raw, "vcf": write_vcf}[form](case, folder)
    words = ["--pheno", "t.pheno"] if form == "vcf" else []
    return words + write_covariates(case, more, folder)
