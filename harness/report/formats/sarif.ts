import { pathToFileURL } from 'node:url';
import type { Location, Log, Notification, ReportingDescriptor, Result } from 'sarif';
import { cut, fitted } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { type Place, placeOf } from '../place.ts';
import type { ShownClause, ShownReport, ShownStep } from '../shown.ts';
import { brief, jsonText, nameOfClause, nameOfStep, notAsked, tellClause, unjudged } from './telling.ts';

/*
 * SARIF 2.1.0 (OASIS standard). A rule a clause, a result a clause that failed: GitHub makes an alert of every result,
 * whatever its `kind`. What could not be judged is a notification of the tool's execution (§3.20.21), which was then not
 * successful; what was not asked is a note there.
 */

/** What GitHub takes, compressed: docs.github.com, "SARIF support for code scanning". Ours is that without compression. */
const mostBytes = 10_000_000;

export const render: Render = (report, options) =>
  fitted(mostBytes, (most) => jsonText(log(report, options, most)));

interface Asked {
  readonly step: ShownStep;
  readonly clause: ShownClause;
}

function log(report: ShownReport, options: FormatOptions, most: number): Log {
  const asked = report.steps.flatMap((step) => step.clauses.map((clause): Asked => ({ step, clause })));
  const text = (words: string) => ({ text: literally(cut(words, most)) });
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'labcheck',
            semanticVersion: options.version,
            rules: asked.map((each) => ruleOf(report, each)),
          },
        },
        automationDetails: { id: `labcheck/${report.lab}/` },
        invocations: [
          {
            executionSuccessful: report.verdict !== 'undecided',
            endTimeUtc: options.now.toISOString(),
            toolExecutionNotifications: [
              ...(report.fault === undefined
                ? []
                : [{ level: 'error', message: text(unjudged(report.fault)) } satisfies Notification]),
              ...asked.flatMap(({ clause }, index) => notificationOf(report, clause, index, text)),
            ],
          },
        ],
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(options.base).href.replace(/\/$/, '')}/` } },
        results: asked.flatMap((each, index) => resultOf(report, options, each, index, text)),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
}

type Text = (words: string) => { text: string };

const idOf = ({ lab }: ShownReport, { id }: ShownClause) => `${lab}/${id}`;

function ruleOf(report: ShownReport, { step, clause }: Asked): ReportingDescriptor {
  return {
    id: idOf(report, clause),
    name: `Clause${clause.id.replace('.', 'Of')}`,
    shortDescription: { text: literally(nameOfClause(clause)) },
    fullDescription: { text: literally(`${nameOfStep(step)}: ${clause.statement}`) },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['contract'] },
  };
}

function resultOf(
  report: ShownReport,
  { base }: FormatOptions,
  { step, clause }: Asked,
  ruleIndex: number,
  text: Text,
): Result[] {
  const { failure } = clause;
  if (!failure) return [];
  const place = placeOf(report, step.title, failure, base);
  return [
    {
      ruleId: idOf(report, clause),
      ruleIndex,
      level: 'error',
      kind: 'fail',
      message: text(`${brief(failure)}\n\n${tellClause(clause)}`),
      ...(place ? { locations: [locationOf(place)] } : {}),
      partialFingerprints: { 'labcheckClause/v1': idOf(report, clause) },
    },
  ];
}

function locationOf({ file, line = 1 }: Place): Location {
  const uri = encodeURI(file).replace(/[#?]/g, encodeURIComponent);
  return {
    physicalLocation: { artifactLocation: { uri, uriBaseId: 'SRCROOT' }, region: { startLine: line } },
  };
}

function notificationOf(report: ShownReport, clause: ShownClause, index: number, text: Text): Notification[] {
  const about = { associatedRule: { id: idOf(report, clause), index } };
  if (clause.verdict === 'undecided') {
    return [
      { level: 'error', message: text(`${nameOfClause(clause)}: ${unjudged(clause.fault)}`), ...about },
    ];
  }
  if (clause.verdict !== 'skipped') return [];
  return [{ level: 'note', message: text(`${nameOfClause(clause)}: ${notAsked}`), ...about }];
}

/**
 * The text of a message that means itself: brackets would be a link (§3.11.6), and a number in braces a place for an argument
 * (§3.11.5). Other braces stay as they are: readers that take no arguments show doubled ones.
 */
function literally(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&').replace(/\{(\d+)\}/g, '{{$1}}');
}
