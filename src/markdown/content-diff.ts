import { type ArrayChange, diffArrays } from 'diff'
import { attributeOf, type HtmlPart, htmlParts } from './html-parts.ts'

/** A unit of comparison: a structural tag, or content kept or replaced as a whole. */
interface DiffUnit {
  structural: boolean
  html: string
  tag: string
  kind: HtmlPart['kind']
}

/** Inline elements: each is one unit with its content, so that no half of a link is marked. */
const wholeTags = new Set(['span', 'a', 'time', 'audio'])

/** Elements that may not contain text: deleted text waits until one of them ends. */
const textlessTags = new Set(['table', 'thead', 'tbody', 'tr', 'ul', 'ol'])

/**
 * Limit of unit comparisons above which everything is shown as deleted and inserted: with many changes on both sides their number is
 * quadratic. This many take about 25 ms.
 */
const maxComparisons = 100_000

/** Counts the work of several diffs. */
export interface ComparisonBudget {
  /** Number of comparisons left. */
  left: number
}

/** Work limit for all diffs of a history: a fifth of a second at most. */
export function newComparisonBudget(): ComparisonBudget {
  return { left: 500_000 }
}

/**
 * Returns HTML that shows the changes to a message: the new rendering with inserted content in `highlight_text_inserted` spans and, in
 * its old position, the old content in `highlight_text_deleted` spans (docs/interface/messages.md#edit-history). Both arguments are
 * renderings by this folder.
 */
export function contentHtmlDiff(
  prevHtml: string,
  html: string,
  budget: ComparisonBudget = newComparisonBudget(),
): string {
  const before = diffUnits(prevHtml)
  const after = diffUnits(html)
  const changes = changesBetween(before, after, budget) ?? [
    { added: false, removed: true, value: before },
    { added: true, removed: false, value: after },
  ]

  const writer = new DiffWriter()
  for (const { added, removed, value } of changes) {
    for (const unit of value) {
      if (removed) writer.delete(unit)
      else writer.write(unit, added)
    }
  }
  return `<div>${writer.finish()}</div>`
}

/** Returns the changes; undefined if there are too many to find. */
function changesBetween(
  before: DiffUnit[],
  after: DiffUnit[],
  budget: ComparisonBudget,
): Pick<ArrayChange<DiffUnit>, 'added' | 'removed' | 'value'>[] | undefined {
  const least = budget.left - Math.min(maxComparisons, budget.left)
  const comparator = (left: DiffUnit, right: DiffUnit) => {
    if (budget.left <= least) throw new TooManyComparisonsError()
    budget.left -= 1
    return left.html === right.html
  }
  try {
    return diffArrays(before, after, { comparator })
  } catch (error) {
    if (error instanceof TooManyComparisonsError) return undefined
    throw error
  }
}

/** Ends a comparison. The library itself can only do so after a number of changes or by the clock. */
class TooManyComparisonsError extends Error {}

/** Splits a rendering into units: structure tag by tag, text word by word, inline elements whole. */
function diffUnits(html: string): DiffUnit[] {
  const units: DiffUnit[] = []
  let whole = ''
  let depth = 0
  for (const part of htmlParts(html)) {
    if (depth > 0 || (part.kind === 'open' && wholeTags.has(part.tag))) {
      whole += part.html
      if (part.kind === 'open') depth++
      else if (part.kind === 'close') depth--
      if (depth === 0) {
        units.push({ structural: false, html: whole, tag: '', kind: 'text' })
        whole = ''
      }
    } else if (part.kind === 'text') {
      for (const [word] of part.html.matchAll(/\s+|[^\s]+/g)) {
        units.push({ structural: false, html: word, tag: '', kind: 'text' })
      }
    } else {
      units.push({ structural: part.tag !== 'img', ...part })
    }
  }
  return units
}

/** Writes the new structure with both texts; of deleted structure, only the text. */
class DiffWriter {
  private html = ''
  private readonly open: string[] = []
  private deleted = ''
  private blockEnded = false
  private inserted = ''

  write(unit: DiffUnit, added: boolean): void {
    if (!unit.structural && added && (this.inserted !== '' || unit.html.trim() !== '')) {
      if (this.inserted === '') this.flushDeleted()
      this.inserted += unit.html
      return
    }
    this.flushInserted()
    this.flushDeleted()
    this.html += unit.html
    if (unit.kind === 'open' && unit.structural) this.open.push(unit.tag)
    else if (unit.kind === 'close') this.open.pop()
  }

  delete(unit: DiffUnit): void {
    if (unit.structural || (unit.html.trim() === '' && unit.html.includes('\n'))) {
      this.blockEnded = true
      return
    }
    this.flushInserted()
    // Words of two deleted blocks stay separate.
    if (this.blockEnded && this.deleted !== '') this.deleted += ' '
    this.blockEnded = false
    this.deleted += unit.kind === 'void' ? (attributeOf(unit.html, 'alt') ?? '') : unit.html
  }

  finish(): string {
    this.flushInserted()
    this.flushDeleted()
    return this.html
  }

  private flushInserted(): void {
    if (this.inserted === '') return
    this.html += mark('inserted', this.inserted)
    this.inserted = ''
  }

  private flushDeleted(): void {
    if (this.deleted === '' || textlessTags.has(this.open.at(-1) ?? '')) return
    if (this.deleted.trim() !== '') this.html += mark('deleted', this.deleted)
    this.deleted = ''
  }
}

/** Puts a span around the words, leaving whitespace at their ends outside. */
function mark(change: 'inserted' | 'deleted', html: string): string {
  const words = html.trim()
  const start = html.length - html.trimStart().length
  return `${html.slice(0, start)}<span class="highlight_text_${change}">${words}</span>${html.slice(start + words.length)}`
}
