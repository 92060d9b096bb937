import type { EmojiName } from '../../state/emoji.ts'

export const CATEGORIES = [
  'usual',
  'custom',
  'smileys',
  'people',
  'nature',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const

export type Category = (typeof CATEGORIES)[number]

export interface Section {
  /** Undefined for the results of a search. */
  readonly category: Category | undefined
  readonly emoji: readonly EmojiName[]
}

/** A row of the grid: the name of a category, or some of its emoji. All are of one height. */
export interface GridRow {
  readonly category: Category | undefined
  /** Empty for a name. */
  readonly emoji: readonly EmojiName[]
}

export interface Cell {
  readonly row: number
  readonly column: number
}

export function rowsOf(sections: readonly Section[], columns: number): GridRow[] {
  const rows: GridRow[] = []
  for (const { category, emoji } of sections) {
    if (emoji.length === 0) continue
    if (category) rows.push({ category, emoji: [] })
    for (let from = 0; from < emoji.length; from += columns) {
      rows.push({ category, emoji: emoji.slice(from, from + columns) })
    }
  }
  return rows
}

/** Returns the first cell at or below a row. */
export function firstCell(rows: readonly GridRow[], from = 0): Cell | undefined {
  const row = rows.findIndex(({ emoji }, index) => index >= from && emoji.length > 0)
  return row === -1 ? undefined : { row, column: 0 }
}

/** Rows that PageUp and PageDown go. */
const PAGE = 6

/** Returns the cell to which a key leads: itself at an end, and undefined for other keys. */
export function cellAfter(rows: readonly GridRow[], cell: Cell, key: string): Cell | undefined {
  const length = rows[cell.row]?.emoji.length ?? 0
  switch (key) {
    case 'ArrowRight':
      return cell.column + 1 < length
        ? { row: cell.row, column: cell.column + 1 }
        : besides(rows, cell, 1, () => 0)
    case 'ArrowLeft':
      return cell.column > 0
        ? { row: cell.row, column: cell.column - 1 }
        : besides(rows, cell, -1, (last) => last)
    case 'ArrowDown':
    case 'ArrowUp':
      return besides(rows, cell, key === 'ArrowDown' ? 1 : -1, (last) => Math.min(last, cell.column))
    case 'PageDown':
    case 'PageUp': {
      let next = cell
      for (let step = 0; step < PAGE; step += 1) {
        next = cellAfter(rows, next, key === 'PageDown' ? 'ArrowDown' : 'ArrowUp')!
      }
      return next
    }
    default:
      return undefined
  }
}

/** Names of categories are passed over. */
function besides(
  rows: readonly GridRow[],
  cell: Cell,
  step: 1 | -1,
  columnOf: (last: number) => number,
): Cell {
  for (let row = cell.row + step; row >= 0 && row < rows.length; row += step) {
    const { length } = rows[row]!.emoji
    if (length > 0) return { row, column: columnOf(length - 1) }
  }
  return cell
}

/** Rows drawn above and below those in view. */
const SPARE = 3

/** Returns the range of rows that are drawn, `[from, to)`; others are only space. */
export function drawnRows(
  count: number,
  { top, height, rowHeight }: { readonly top: number; readonly height: number; readonly rowHeight: number },
): { readonly from: number; readonly to: number } {
  const first = Math.floor(top / rowHeight)
  const shown = Math.ceil(height / rowHeight) + 1
  return { from: Math.max(0, first - SPARE), to: Math.min(count, first + shown + SPARE) }
}
