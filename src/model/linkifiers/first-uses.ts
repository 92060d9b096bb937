import { defineReader } from '../../core/reader.ts'
import type { FirstUse } from '../../markdown/first-use.ts'

/** Rows that would take as long to read as half a millisecond of work. */
const ROWS_OF_A_WEIGHT = 180

/** Makes what texts use for the first time: compiled rules for links, and grammars of languages. */
export const firstUses = defineReader({
  name: 'first uses',
  key: (uses: readonly FirstUse[]) => uses.map(({ name }) => name).join('\n'),
  *read(_store, uses) {
    // Checked before the first of them, so that work that exceeds this turn is not begun in it.
    yield rowsOf(uses)
    for (const one of uses) {
      one.use()
      yield rowsOf([one])
    }
    return true
  },
})

function rowsOf(uses: readonly FirstUse[]): number {
  return uses.reduce((sum, { weight }) => sum + weight * ROWS_OF_A_WEIGHT, 0)
}
