/** Readable Boolean rules from data, proven optimal: the program `ireland` in WebAssembly. */

/** A table: the text of a CSV with a line of names, a file, or an object for each sample. */
export type Table = string | DataFile | ReadonlyArray<Readonly<Record<string, string | number | boolean | null | undefined>>>;

/** A file; the end of its name says what it is: .csv .tsv .arff .svm .libsvm .vcf .bed .raw .irb, also with .gz. */
export interface DataFile {
  name: string;
  data: string | Uint8Array | ArrayBuffer;
}

export interface Progress {
  part: string;
  seconds: number;
  work: number;
  objective: number;
  bound: number;
}

export interface Incumbent {
  /** The rule as JSON. */
  rule: string;
  text: string;
  objective: number;
  bound: number;
}

/** Options of the program in camel case, as maxLiterals for --max-literals; `ireland fit --help` lists them all. */
export interface Options {
  target?: string;
  positive?: string;
  K?: number;
  M?: number;
  negations?: boolean;
  cnf?: boolean;
  weights?: 'balanced' | 'unit';
  penalty?: number;
  minSensitivity?: number;
  minSpecificity?: number;
  test?: number;
  seed?: number;
  timeLimit?: number;
  workLimit?: number;
  [option: string]: unknown;
}

export interface FitOptions extends Options {
  /** Search until the best is proven, and make a certificate. */
  prove?: boolean;
  /** Called about ten times a second; true ends the search with the best rule so far. */
  onProgress?: (progress: Progress) => boolean | void;
  onRule?: (incumbent: Incumbent) => boolean | void;
}

export interface Confusion {
  tp: number;
  fp: number;
  tn: number;
  fn: number;
}

export interface Measures {
  confusion: Confusion;
  sensitivity: number | null;
  specificity: number | null;
  accuracy: number | null;
  balanced_accuracy: number | null;
}

export interface Rule {
  format: 'ireland-rule';
  version: number;
  K: number;
  M: number;
  target?: string;
  positive?: string;
  negative?: string;
  clauses: string[][];
  [field: string]: unknown;
}

export interface Fit extends Measures {
  status: 'optimal' | 'feasible' | 'limit' | 'interrupted' | 'infeasible';
  objective: number | null;
  bound: number | null;
  gap: number | null;
  clauses: string[][];
  samples: number;
  features: number;
  rule: Rule | null;
  certificate: string | null;
  /** A page in HTML about the rule. */
  report: string | null;
  [field: string]: unknown;
}

export interface Prediction {
  sample: number;
  predicted: string;
  label?: string;
  fired: string[][];
  closest?: string[];
  misses?: string[];
}

export interface Answer {
  code: number;
  out: string;
  err: string;
  files: Record<string, Uint8Array>;
}

export class IrelandError extends Error {
  code: number;
}

export const version: string;
export function fit(table: Table, options?: FitOptions): Promise<Fit>;
export function predict(rule: Rule | Fit | string, table: Table, options?: Options): Promise<Prediction[]>;
export function evaluate(rule: Rule | Fit | string, table: Table, options?: Options): Promise<Measures & Record<string, unknown>>;
export function verify(rule: Rule | Fit | string, table: Table, certificate: string, options?: Options): Promise<{status: 'valid'} & Record<string, unknown>>;
export function run(words: ReadonlyArray<string | number>, job?: {files?: DataFile[]; outputs?: string[]; onProgress?: FitOptions['onProgress']; onRule?: FitOptions['onRule']}): Promise<Answer>;
