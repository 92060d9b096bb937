/** Tells the quoted lines of a mail from those that were written for it. */
declare module 'planer' {
  /** A letter for each line: text, quoted, the line above a quotation, … */
  export function markMessageLines(lines: readonly string[]): string
  export interface FoundQuotation {
    wereLinesDeleted?: boolean
    /** The first line of it, and the first after it. */
    firstLine?: number
    lastLine?: number
  }
  /** Answers the lines that are left, and fills in what was taken out. */
  export function processMarkedLines(lines: readonly string[], marks: string, found: FoundQuotation): string[]
}
