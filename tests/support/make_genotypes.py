#!/usr/bin/env python3
"""Genotypes with known structure, the same in every format: STEM.bed/.bim/.fam, .vcf, .vcf.gz (bgzip), .bcf, .raw, .pheno, .covar.

Two populations with other allele frequencies and another share of cases; blocks of linkage disequilibrium, made by copying haplotypes from a few
founders with switches between them; missing calls; a planted rule: an OR of pairs (carriers of both variants), with noise. Variants may lie on X, Y
and MT. usage: make_genotypes.py STEM [--people N] [--variants J] [--pairs P] [--missing S] [--noise S] [--seed S] [--sex-chromosomes] [--dosage]
[--bed-only]"""
import argparse
import random
import struct
import zlib


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("stem")
    p.add_argument("--people", type=int, default=200)
    p.add_argument("--variants", type=int, default=100)
    p.add_argument("--pairs", type=int, default=2)
    p.add_argument("--block", type=int, default=10)
    p.add_argument("--missing", type=float, default=0.02)
    p.add_argument("--noise", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--sex-chromosomes", action="store_true")
    p.add_argument("--dosage", action="store_true")
    p.add_argument("--bed-only", action="store_true")
    return p.parse_args()


def places(a):
    """Chromosome, position, identifier, counted and other allele of each variant."""
    draw = random.Random(a.seed)
    n_chromosomes = min(22, max(1, a.variants // 20))
    names = [str(c + 1) for c in range(n_chromosomes)] + (["X", "Y", "MT"] if a.sex_chromosomes else [])
    made = []
    for j in range(a.variants):
        c = names[j * len(names) // a.variants]
        counted, other = draw.sample("ACGT", 2)
        made.append((c, 1000 * (j + 1) + draw.randrange(500), f"rs{j + 1}", counted, other))
    return made


def haplotypes(a, draw, n, frequency):
    """Two of them for each of n people, block by block copied from eight founders."""
    people = [([], []) for _ in range(n)]
    for start in range(0, a.variants, a.block):
        width = min(a.block, a.variants - start)
        founders = []
        for _ in range(8):
            alleles = [int(draw.random() < frequency[start])]
            for k in range(1, width):
                alleles.append(alleles[-1] if draw.random() < 0.7 else int(draw.random() < frequency[start + k]))
            founders.append(alleles)
        for person in people:
            for strand in person:
                source = draw.randrange(8)
                for k in range(width):
                    if draw.random() < 0.05:
                        source = draw.randrange(8)
                    strand.append(founders[source][k])
    return people


def make(a):
    draw = random.Random(a.seed + 1)
    base = [draw.uniform(0.1, 0.5) for _ in range(a.variants)]
    counts, population = [], []
    for p in range(2):
        frequency = [min(0.9, max(0.05, f + draw.uniform(-0.2, 0.2))) for f in base] if p else base
        n = a.people // 2 if p else a.people - a.people // 2
        people = haplotypes(a, draw, n, frequency)
        counts += [list(zip(*person)) for person in people]
        population += [p] * n
    order = list(range(a.people))
    draw.shuffle(order)
    counts, population = [counts[i] for i in order], [population[i] for i in order]
    chosen = draw.sample(range(a.variants), 2 * a.pairs)
    pairs = [(chosen[2 * i], chosen[2 * i + 1]) for i in range(a.pairs)]
    ill = []
    for i, person in enumerate(counts):
        is_case = any(sum(person[x]) > 0 and sum(person[y]) > 0 for x, y in pairs)
        is_case ^= draw.random() < a.noise * (1 + population[i])
        ill.append(is_case)
    calls = [[None if draw.random() < a.missing else g for g in person] for person in counts]
    return calls, ill, population, pairs


def bgzip(data):
    """Blocks as bgzip writes them, and the empty one at the end."""
    out = []
    for start in list(range(0, len(data), 60000)) + [None]:
        part = b"" if start is None else data[start:start + 60000]
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = packer.compress(part) + packer.flush()
        out.append(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(body) + 25) + body
                   + struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(out)


def write_bed(a, where, calls, ill):
    with open(a.stem + ".bim", "w") as out:
        out.writelines(f"{c}\t{name}\t0\t{bp}\t{counted}\t{other}\n" for c, bp, name, counted, other in where)
    with open(a.stem + ".fam", "w") as out:
        out.writelines(f"F{i} S{i} 0 0 {1 + i % 2} {1 + ill[i]}\n" for i in range(a.people))
    with open(a.stem + ".bed", "wb") as out:
        out.write(b"\x6c\x1b\x01")
        for j in range(a.variants):
            codes = [1 if p[j] is None else (3, 2, 0)[sum(p[j])] for p in calls] + [0] * 3
            out.write(bytes(codes[i] | codes[i + 1] << 2 | codes[i + 2] << 4 | codes[i + 3] << 6 for i in range(0, a.people, 4)))


def header(a, where):
    lines = ["##fileformat=VCFv4.2", '##FILTER=<ID=PASS,Description="All filters passed">', '##FILTER=<ID=q10,Description="Quality, below 10">']
    lines += [f"##contig=<ID={c}>" for c in dict.fromkeys(w[0] for w in where)]
    lines.append('##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">')
    if a.dosage:
        lines.append('##FORMAT=<ID=DS,Number=A,Type=Float,Description="Dosage">')
    lines.append("#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join(f"S{i}" for i in range(a.people)))
    return "\n".join(lines) + "\n"


def dosage(call, draw):
    return None if call is None else round(min(2, max(0, sum(call) + draw.uniform(-0.3, 0.3))), 3)


def write_vcf(a, where, calls):
    draw, body, records = random.Random(a.seed + 2), [], []
    contigs = {c: i for i, c in enumerate(dict.fromkeys(w[0] for w in where))}
    for j, (c, bp, name, counted, other) in enumerate(where):
        mark = "/|"[j % 2]
        column = [p[j] for p in calls]
        # A person's rarer spellings: a call that is missing in part is missing as a whole.
        texts = [("./." if i % 3 else "./1") if g is None else f"{g[0]}{mark}{g[1]}" for i, g in enumerate(column)]
        doses = [dosage(g, draw) for g in column] if a.dosage else []
        if a.dosage:
            texts = [f"{t}:{'.' if d is None else d}" for t, d in zip(texts, doses)]
        body.append("\t".join([c, str(bp), name, other, counted, ".", "q10" if j % 7 == 3 else "PASS", ".", "GT:DS" if a.dosage else "GT"] + texts) + "\n")
        word = lambda text: bytes([len(text) << 4 | 7]) + text.encode()
        shared = struct.pack("<iiiIII", contigs[c], bp - 1, 1, 0x7f800001, 2 << 16, a.people | (2 if a.dosage else 1) << 24)
        shared += word(name) + word(other) + word(counted) + bytes([0x11, 1 if j % 7 == 3 else 0])
        samples = bytes([0x11, 2, 0x21]) + b"".join(bytes([0, 0 if i % 3 else 4]) if g is None else bytes([(g[0] + 1) << 1, (g[1] + 1) << 1 | j % 2]) for i, g in enumerate(column))
        if a.dosage:
            samples += bytes([0x11, 3, 0x15]) + b"".join(struct.pack("<I", 0x7f800001) if d is None else struct.pack("<f", d) for d in doses)
        records.append(struct.pack("<II", len(shared), len(samples)) + shared + samples)
    text = (header(a, where) + "".join(body)).encode()
    with open(a.stem + ".vcf", "wb") as out:
        out.write(text)
    with open(a.stem + ".vcf.gz", "wb") as out:
        out.write(bgzip(text))
    head = header(a, where).encode() + b"\0"
    with open(a.stem + ".bcf", "wb") as out:
        out.write(bgzip(b"BCF\2\2" + struct.pack("<I", len(head)) + head + b"".join(records)))


def write_raw(a, where, calls, ill):
    with open(a.stem + ".raw", "w") as out:
        out.write("FID IID PAT MAT SEX PHENOTYPE " + " ".join(f"{w[2]}_{w[3]}" for w in where) + "\n")
        for i, person in enumerate(calls):
            out.write(f"F{i} S{i} 0 0 {1 + i % 2} {1 + ill[i]} " + " ".join("NA" if g is None else str(sum(g)) for g in person) + "\n")


def main():
    a = parse()
    where = places(a)
    calls, ill, population, pairs = make(a)
    write_bed(a, where, calls, ill)
    if a.bed_only:
        return
    write_vcf(a, where, calls)
    write_raw(a, where, calls, ill)
    draw = random.Random(a.seed + 3)
    with open(a.stem + ".pheno", "w") as out:
        out.write("FID IID ill other\n")
        out.writelines(f"F{i} S{i} {1 + ill[i]} {1 + i % 2}\n" for i in range(a.people))
    with open(a.stem + ".covar", "w") as out:
        out.write("FID IID pop age smoker\n")
        out.writelines(f"F{i} S{i} {'north' if population[i] else 'south'} {20 + draw.randrange(60)} {draw.randrange(2)}\n" for i in range(a.people))
    with open(a.stem + ".planted", "w") as out:
        out.writelines(f"{where[x][2]}_{where[x][3]} {where[y][2]}_{where[y][3]}\n" for x, y in pairs)


main()
