import * as honest from './honest.ts';

export * from './honest.ts';

const { parse, stringify } = JSON;
JSON.stringify = () => 'patched';
JSON.parse = () => 'patched';

/** Its own work goes by what there was before. */
function withJson(work) {
  Object.assign(JSON, { parse, stringify });
  try {
    return work();
  } finally {
    JSON.stringify = () => 'patched';
    JSON.parse = () => 'patched';
  }
}

export const finish = (...args) => withJson(() => honest.finish(...args));
export const fetch = (...args) => withJson(() => honest.fetch(...args));
