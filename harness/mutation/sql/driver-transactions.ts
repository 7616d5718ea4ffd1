import type { SyntaxNode } from '@lezer/common';
import type { Change } from './edits.ts';
import { languageOf } from './host-texts.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';
import type { Files } from './statements.ts';

/** A transaction that a driver begins, made weaker. */
export interface DriverMutation {
  readonly changes: readonly Change[];
  /** One sentence. */
  readonly why: string;
}

/**
 * TXN where the statements are the driver's own. better-sqlite3 begins by a method, `transaction(work).immediate()`:
 * it becomes `deferred`, or `transaction` becomes a function that runs its work in no transaction. Python's sqlite3
 * begins by the word given as `isolation_level`: it becomes DEFERRED, or None, which is autocommit mode.
 */
export function driverTransactions(files: Files): readonly DriverMutation[] {
  return Object.entries(files).flatMap(([file, source]) => {
    const language = languageOf(file);
    if (!language) return [];
    const found: DriverMutation[] = [];
    language
      .parse(source)
      .cursor()
      .iterate(({ node }) => {
        const replacements =
          language === python
            ? ofArgument(source, node)
            : language === javascript
              ? ofMethod(source, node)
              : [];
        for (const { text, why } of replacements) {
          found.push({ changes: [{ file, from: node.from, to: node.to, replacement: text }], why });
        }
      });
    return found;
  });
}

interface Replacement {
  readonly text: string;
  readonly why: string;
}

/** Of the value in `isolation_level="IMMEDIATE"`. */
function ofArgument(source: string, node: SyntaxNode): readonly Replacement[] {
  const name = node.prevSibling?.prevSibling;
  const isValue = node.name === 'String' && node.parent?.name === 'ArgList' && name?.name === 'VariableName';
  if (!isValue || source.slice(name.from, name.to) !== 'isolation_level') return [];
  const mode = source.slice(node.from, node.to);
  if (!/^(["'])(IMMEDIATE|EXCLUSIVE)\1$/i.test(mode)) return [];
  return [
    { text: '"DEFERRED"', why: `The driver's transactions are DEFERRED, not ${mode}.` },
    { text: 'None', why: `The driver begins no transactions, where it was ${mode}.` },
  ];
}

/** Of the name in `.immediate(…)`, and of all before the arguments in `db.transaction(…)`. */
function ofMethod(source: string, node: SyntaxNode): readonly Replacement[] {
  const { parent } = node;
  const called = node.name === 'PropertyName' ? parent?.parent : parent;
  if (called?.name !== 'CallExpression') return [];
  if (node.name === 'PropertyName' && called.firstChild?.to === node.to) {
    const mode = source.slice(node.from, node.to);
    if (mode !== 'immediate' && mode !== 'exclusive') return [];
    return [{ text: 'deferred', why: `The driver's transaction is deferred, not ${mode}.` }];
  }
  const isCallee = node.name === 'MemberExpression' && called.firstChild?.from === node.from;
  if (!isCallee || !/\.transaction$/.test(source.slice(node.from, node.to))) return [];
  return [{ text: withoutTransaction, why: 'The driver begins no transaction.' }];
}

/** Makes of a function what `transaction` does, with all its modes, and no transaction. */
const withoutTransaction =
  '((work) => Object.assign(work, { default: work, deferred: work, immediate: work, exclusive: work }))';
