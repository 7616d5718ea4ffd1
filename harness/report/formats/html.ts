import type { Render } from '../formats.ts';
import { harmless } from '../harmless.ts';
import { submissionPage } from '../submission-page.ts';

/** A page for whoever made the submission, in their tongue. */
export const render: Render = (report, { lab, texts }) =>
  harmless(submissionPage(report, lab, texts).trimEnd());
