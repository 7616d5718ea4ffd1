import { type Base, textOf } from './base.ts';
import { type Candidate, candidateOf } from './candidates.ts';

/* Two mutants whose fate is known beforehand. A run in which one of them fares otherwise says nothing about others. */

/** The base with a comment more. It has to survive. */
export function identityOf(base: Base): Candidate {
  const source = textOf(base, base.entry) ?? '';
  const comment = base.language === 'python' ? '# no change\n' : '// no change\n';
  const replacement = source.endsWith('\n') ? comment : `\n${comment}`;
  const description = {
    origin: 'canary',
    id: 'identity',
    step: null,
    why: 'Nothing is wrong with it.',
  } as const;
  const end = source.length;
  return candidateOf(description, base, [{ file: base.entry, from: end, to: end, replacement }]);
}

/** The head of a function that others call, up to where its body begins. */
const heads = {
  python: /^(?:async )?def \w+\((?:[^()]|\([^()]*\))*\)[^\n]*:[ \t]*\n/gm,
  typescript: /^export (?:async )?function \w+(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\)[^\n]*\{[ \t]*\n/gm,
};

const bodies = { python: "    raise RuntimeError('canary')\n", typescript: "  throw new Error('canary');\n" };

/** The base with functions all of which throw at once; where none is found, with nothing in it. It has to die. */
export function canaryOf(base: Base): Candidate {
  const source = textOf(base, base.entry) ?? '';
  const file = base.entry;
  const patches = [...source.matchAll(heads[base.language])].map((head) => {
    const at = head.index + head[0].length;
    return { file, from: at, to: at, replacement: bodies[base.language] };
  });
  const description = { origin: 'canary', id: 'canary', step: null, why: 'Nothing in it works.' } as const;
  const nothing = { file, from: 0, to: source.length, replacement: '' };
  return candidateOf(description, base, patches.length > 0 ? patches : [nothing]);
}
