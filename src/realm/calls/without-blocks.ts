import { InBlocks, ListLater, MadeLast, MadeLater, SharedFields } from '../../core/blocks.ts'
import type { Pause } from '../../core/realm-transaction.ts'

/** Number of items from which on a field is made, and written with all others, in a turn after that of the transaction: some 2 ms. */
const MADE_AFTERWARDS = 2_000

function isMadeAfterwards(field: unknown): field is MadeLater {
  return field instanceof MadeLater && field.items >= MADE_AFTERWARDS
}

/**
 * Returns an answer with its blocks made in full. `keepsLists`: whether lists that are presented later are still to be. Long fields that
 * are made later are still to be made: see `madeAfterwards`.
 */
export function withoutBlocks(value: unknown, keepsLists: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const isSpecial = (field: unknown) =>
    field instanceof InBlocks ||
    (field instanceof ListLater && !keepsLists) ||
    field instanceof MadeLast ||
    (field instanceof MadeLater && !isMadeAfterwards(field)) ||
    field instanceof SharedFields
  if (!entries.some(([, field]) => isSpecial(field))) return value
  return Object.fromEntries(
    entries.flatMap(([name, field]) =>
      field instanceof SharedFields ? Object.entries(field.fields) : [[name, inFull(field)]],
    ),
  )
}

function inFull(field: unknown): unknown {
  if (field instanceof MadeLast) return inFull(field.make())
  if (isMadeAfterwards(field)) return field
  const isMade = field instanceof InBlocks || field instanceof ListLater || field instanceof MadeLater
  return isMade ? field.toJSON() : field
}

/** Returns what makes the fields that `withoutBlocks` has left; undefined where it has left none. */
export function madeAfterwards(value: unknown, pause: Pause): (() => Promise<object>) | undefined {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (!entries.some(([, field]) => isMadeAfterwards(field))) return undefined
  return async () => {
    await pause()
    return Object.fromEntries(
      entries.map(([name, field]) => [name, isMadeAfterwards(field) ? field.toJSON() : field]),
    )
  }
}
