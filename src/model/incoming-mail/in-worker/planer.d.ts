/** Distinguishes the quoted lines of a mail from those that were written for it. */
declare module 'planer' {
  /** Returns a letter for each line: text, quoted, the line above a quotation, … */
  export function markMessageLines(lines: readonly string[]): string
  export interface FoundQuotation {
    wereLinesDeleted?: boolean
    /** The first line of the quotation, and the first after it. */
    firstLine?: number
    lastLine?: number
  }
  /** Returns the remaining lines, and fills in what was removed. */
  export function processMarkedLines(lines: readonly string[], marks: string, found: FoundQuotation): string[]
}
