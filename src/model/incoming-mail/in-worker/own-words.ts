import { type FoundQuotation, markMessageLines, processMarkedLines } from 'planer'
import { endsInColon, findQuotation, isMarked, isRule } from './quotation.ts'

/** Characters of a line that the library sees to recognise a quotation, which limits its work. */
const LOOKED_AT = 128
/** Limits of the lines that are read, and of adjacent quoted lines among them. */
const MAX_LINES = 400
const LINES_OF_QUOTATION = 3
/** Limit of the text that is read, in UTF-16 units: far more than a message can have. */
const MAX_TEXT_LENGTH = 200_000

/** Lines that mail programs of phones add at the end. */
const TELEPHONE_WORDS = [
  'Sent from my ',
  'Sent from Outlook for ',
  'Get Outlook for ',
  'Von meinem ',
  'Gesendet von ',
]
const MAX_TELEPHONE_LINE_LENGTH = 100

export interface KeptParts {
  /** Quoted mail of other people. */
  readonly quotes: boolean
  /** The footer after the line `--`. */
  readonly footer: boolean
}

/** Returns a mail's own words: without the mail that it answers, and without a signature. Line breaks are `\n`. */
export function ownWords(text: string, kept: KeptParts): string {
  const whole = text.slice(0, MAX_TEXT_LENGTH)
  const rest = kept.quotes ? whole : withoutQuotations(whole)
  return kept.footer ? rest.trim() : withoutTelephone(withoutFooter(rest)).trim()
}

/**
 * Removes a quotation: what its structure shows, or else what the library recognises by the words of some languages. What remains doubtful is
 * kept in full.
 */
function withoutQuotations(text: string): string {
  const lines = text.split('\n')
  const found = findQuotation(lines) ?? quotationOfLibrary(lines)
  if (found === undefined || found === 'whole') return text
  return [...withoutRule(lines.slice(0, found.from)), ...lines.slice(found.to)].join('\n')
}

/**
 * Returns the quotation that the library sees. It marks each line by its look, and gets only as much as it can process quickly; lines that it
 * does not see belong to the lines before them. A colon that remains above it belongs to words that the library does not know.
 */
function quotationOfLibrary(
  lines: readonly string[],
): { readonly from: number; readonly to: number } | undefined {
  const seen = linesToMark(lines)
  // The library does not understand emphasis.
  const shown = seen.map((at) => lines[at]!.slice(0, LOOKED_AT).replaceAll('**', ''))
  const found: FoundQuotation = {}
  processMarkedLines(shown, markMessageLines(shown), found)
  if (!found.wereLinesDeleted) return undefined
  const from = seen[found.firstLine!]!
  const above = lines.slice(0, from).findLast((line) => line.trim() !== '')
  if (above !== undefined) {
    if (endsInColon(above)) return undefined
    // Nor does a quotation begin within a paragraph.
    if (above === lines[from - 1] && !isMarked(lines[from]!) && !isRule(above)) return undefined
  }
  return { from, to: seen[found.lastLine!] ?? lines.length }
}

/** Returns the indexes of the lines that the library sees, with only the first few of adjacent quoted ones. */
function linesToMark(lines: readonly string[]): number[] {
  const marked: number[] = []
  let quoted = 0
  for (const [at, line] of lines.entries()) {
    quoted = isQuoted(line) ? quoted + 1 : 0
    if (quoted > LINES_OF_QUOTATION) continue
    marked.push(at)
    if (marked.length === MAX_LINES) break
  }
  return marked
}

/** Removes the rule that some programs draw above a quotation. */
function withoutRule(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return last > 0 && isRule(lines[last]!) ? lines.slice(0, last) : lines
}

function isQuoted(line: string): boolean {
  return line.startsWith('>')
}

/** Removes a footer after `--`. Two such lines may belong to a table or a drawing. */
function withoutFooter(text: string): string {
  const lines = text.split('\n')
  const isLine = (line: string) => line.trimEnd() === '--'
  const at = lines.findIndex(isLine)
  return at !== -1 && lines.findLastIndex(isLine) === at ? lines.slice(0, at).join('\n') : text
}

function withoutTelephone(text: string): string {
  const rest = text.trimEnd()
  const last = rest.slice(rest.lastIndexOf('\n') + 1).trim()
  const isTelephone =
    last.length <= MAX_TELEPHONE_LINE_LENGTH && TELEPHONE_WORDS.some((words) => last.startsWith(words))
  return isTelephone && last !== rest ? rest.slice(0, rest.lastIndexOf('\n') + 1) : text
}
