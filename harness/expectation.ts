import { fromJson } from './json.ts';
import type { Outcome, Raised } from './subject/subject.ts';
import { isList, Special, same, type Value, withOneNumberType } from './value.ts';

/** A text that is JSON of this value, however it is spelled. */
export class JsonOf extends Special {
  readonly value: Value;
  readonly numberTypes: 1 | 2;
  constructor(value: Value, numberTypes: 1 | 2) {
    super();
    this.value = value;
    this.numberTypes = numberTypes;
  }

  meets(seen: Value): boolean {
    if (typeof seen !== 'string') return false;
    try {
      const parsed = fromJson(seen);
      return same(this.numberTypes === 1 ? withOneNumberType(parsed) : parsed, this.value);
    } catch {
      return false; // no JSON
    }
  }

  source(show: (value: Value) => string): string {
    return `Json(${show(this.value)})`;
  }
}

/** An exception was raised. Only seen, never expected. */
export class Thrown extends Special {
  readonly chain: readonly [Raised, ...Raised[]];
  constructor(chain: readonly [Raised, ...Raised[]]) {
    super();
    this.chain = chain;
  }

  meets(): boolean {
    return false;
  }

  source(): string {
    const { type, message, at } = this.chain[0];
    return `${type}: ${message}${at ? ` (${at})` : ''}`;
  }

  /** Whether the exception itself is the database driver's. */
  get fromDriver(): boolean {
    return isDriverError(this.chain[0]);
  }

  /** Whether the call gave up because the database was locked: the driver's error, or one raised from it. */
  get gaveUp(): boolean {
    return this.chain.some((raised) => isDriverError(raised) && (raised.code === 5 || raised.code === 6));
  }
}

function isDriverError(raised: Raised): boolean {
  return raised.bases.includes('sqlite3.Error') || raised.bases.includes('SqliteError');
}

/** An exception of the function's own, not one of the database driver. */
export class Refusal extends Special {
  meets(seen: Value): boolean {
    return seen instanceof Thrown && !seen.fromDriver;
  }

  source(): string {
    return 'Refusal()';
  }
}

/** Any value at all, as long as nothing was raised. */
export class Anything extends Special {
  meets(seen: Value): boolean {
    return !(seen instanceof Thrown);
  }

  source(): string {
    return 'Anything()';
  }
}

/** A list that has these items in this order, whatever lies between them. */
export class Through extends Special {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  meets(seen: Value): boolean {
    if (!isList(seen)) return false;
    let met = 0;
    for (const item of seen) {
      const next = this.items[met];
      if (next !== undefined && same(item, next)) met += 1;
    }
    return met === this.items.length;
  }

  source(show: (value: Value) => string): string {
    return `Through(${this.items.map(show).join(', ')})`;
  }
}

/** Any of several. */
export class OneOf extends Special {
  readonly options: readonly Value[];
  constructor(options: readonly Value[]) {
    super();
    this.options = options;
  }

  meets(seen: Value): boolean {
    return this.options.some((option) => same(seen, option));
  }

  source(show: (value: Value) => string): string {
    return `OneOf(${this.options.map(show).join(', ')})`;
  }
}

/** What was seen of a call. */
export function seen(outcome: Outcome): Value {
  return outcome.status === 'returned' ? outcome.value : new Thrown(outcome.chain);
}
