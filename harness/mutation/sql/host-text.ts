/**
 * What a string expression of the host language says, and where each unit of it stands in the source. A statement may
 * be spread over several literals (`"SELECT … " "WHERE …"`, `a + b`, templates): it is a list of pieces.
 */
export interface HostText {
  /** Relative to the submission's folder. */
  readonly file: string;
  readonly pieces: readonly Piece[];
  /** Offset in the source at which the expression starts. */
  readonly from: number;
  /** What the text is handed to: `execute` for `db.execute(text)`, the tag of a tagged template; else undefined. */
  readonly handedTo: string | undefined;
  /** The functions and classes around it, from the innermost outwards. */
  readonly scopes: readonly Range[];
}

/** Offsets in UTF-16 units, the end exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export type Piece = Literal | Hole;

/** One literal, or the part of one between two holes. */
export interface Literal {
  readonly kind: 'literal';
  /** What it says, escapes resolved. */
  readonly text: string;
  /** For each UTF-16 unit of `text` the place in the source that says it; two units of one escape share theirs. */
  readonly places: readonly Range[];
  /** Where its last unit ends, which for an empty literal is where its first would start. */
  readonly end: number;
  readonly encode: Encode;
}

/** How text is written within this literal; undefined if it cannot be, as a quote in a raw string. */
export type Encode = (text: string) => string | undefined;

/** An expression whose value is not in the source: `${limit}`, `{marks}`, a name that is no constant. */
export interface Hole {
  readonly kind: 'hole';
  /** As the source writes it. Two holes that read alike are taken to be the same value. */
  readonly expression: string;
}
