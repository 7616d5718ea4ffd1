declare module 'linebreak' {
  /** Where a text may be broken: Unicode Standard Annex 14. */
  export default class LineBreaker {
    constructor(text: string);
    /** The next place, in UTF-16 units from the start; null after the end. */
    nextBreak(): { readonly position: number; readonly required?: boolean } | null;
  }
}
