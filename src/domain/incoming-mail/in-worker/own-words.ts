import { type FoundQuotation, markMessageLines, processMarkedLines } from 'planer'

/** The characters of a line by which the library recognises a quotation: its work is then bounded, whatever the text. */
const LOOKED_AT = 128
/** Lines that are looked at. Of each run of quoted ones only the first few count. */
const MOST_LINES = 400
const LINES_OF_RUN = 3
/** The length of a text that is looked at, in UTF-16 units: far more than a message can have. */
const LONGEST_TEXT = 200_000

/** The lines that programs for telephones write below everything. */
const TELEPHONE_WORDS = [
  'Sent from my ',
  'Sent from Outlook for ',
  'Get Outlook for ',
  'Von meinem ',
  'Gesendet von ',
]
const LONGEST_TELEPHONE_LINE = 100

export interface KeptParts {
  /** Other people's mail that is quoted. */
  readonly quotes: boolean
  /** The footer, which follows the line `--`. */
  readonly footer: boolean
}

/**
 * The words that somebody has written themselves in a mail: without the mail that it answers, and without a signature. Line
 * breaks are `\n`. Source: docs/interface/notifications.md#mail-that-comes.
 */
export function ownWords(text: string, kept: KeptParts): string {
  const whole = text.slice(0, LONGEST_TEXT)
  const rest = kept.quotes ? whole : withoutQuotations(whole)
  return kept.footer ? rest.trim() : withoutTelephone(withoutFooter(rest)).trim()
}

/**
 * The library marks each line by what it looks like, and says from which line to which a quotation goes. It is given as much as it can
 * go through in no time; what it does not see belongs to the lines before it.
 */
function withoutQuotations(text: string): string {
  const lines = text.split('\n')
  const seen = linesToMark(lines)
  // It knows of no emphasis.
  const shown = seen.map((at) => lines[at]!.slice(0, LOOKED_AT).replaceAll('**', ''))
  const found: FoundQuotation = {}
  processMarkedLines(shown, markMessageLines(shown), found)
  if (!found.wereLinesDeleted) return text
  const begin = seen[found.firstLine!]!
  const end = seen[found.lastLine!] ?? lines.length
  return [...withoutRule(lines.slice(0, begin)), ...lines.slice(end)].join('\n')
}

/** The indexes of the lines that matter: of a long run of quoted ones the first few. */
function linesToMark(lines: readonly string[]): number[] {
  const marked: number[] = []
  let run = 0
  for (const [at, line] of lines.entries()) {
    run = isQuoted(line) ? run + 1 : 0
    if (run > LINES_OF_RUN) continue
    marked.push(at)
    if (marked.length === MOST_LINES) break
  }
  return marked
}

/** The lines without the rule that some programs draw above what they quote. */
function withoutRule(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return last > 0 && /^[-_]{3,}$/.test(lines[last]!.trim()) ? lines.slice(0, last) : lines
}

function isQuoted(line: string): boolean {
  return line.startsWith('>')
}

/** Two such lines may be a table, or a drawing. */
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
    last.length <= LONGEST_TELEPHONE_LINE && TELEPHONE_WORDS.some((words) => last.startsWith(words))
  return isTelephone && last !== rest ? rest.slice(0, rest.lastIndexOf('\n') + 1) : text
}
