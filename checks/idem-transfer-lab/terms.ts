import type { Texts } from '../../harness/messages/texts.ts';
import { type Dict, isDict, isList, Special, same, type Value } from '../../harness/value.ts';
import { phrases } from './messages/phrases.ts';

/** A dict that has these members, whatever others it has. */
export class HasMembers extends Special {
  readonly members: Dict;
  constructor(members: Dict) {
    super();
    this.members = members;
  }

  meets(seen: Value): boolean {
    return (
      isDict(seen) &&
      [...this.members].every(([name, value]) => seen.has(name) && same(seen.get(name) ?? null, value))
    );
  }

  source(show: (value: Value) => string, texts: Texts): string {
    return texts.phrase(phrases.atLeast, { members: show(this.members) });
  }
}

/** A list of these items in any order, each once. */
export class AnyOrder extends Special {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  meets(seen: Value): boolean {
    if (!isList(seen) || seen.length !== this.items.length) return false;
    const left = [...this.items];
    for (const item of seen) {
      const at = left.findIndex((other) => same(item, other));
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return true;
  }

  source(show: (value: Value) => string, texts: Texts): string {
    return texts.phrase(phrases.anyOrder, { items: show(this.items) });
  }
}

/** A JSON number with this value, in whatever spelling. */
export class Count extends Special {
  readonly value: bigint;
  constructor(value: bigint | number) {
    super();
    this.value = BigInt(value);
  }

  meets(seen: Value): boolean {
    return (typeof seen === 'bigint' || typeof seen === 'number') && Number(seen) === Number(this.value);
  }

  source(): string {
    return String(this.value);
  }
}

/** A whole number that this case says nothing of. */
export class AnyInt extends Special {
  meets(seen: Value): boolean {
    return typeof seen === 'bigint';
  }

  source(_show: unknown, texts: Texts): string {
    return texts.phrase(phrases.anInt);
  }
}
