import { ENTRY_KEPT } from './budgets.ts'
import type { Kept } from './sql.ts'

/** Characters of an id with its comma. */
const ID_LENGTH = 10

/** Returns a list of ids as a value for `Sql.kept`. */
export function keptIds(ids: readonly number[]): Kept<readonly number[]> {
  return { value: ids, size: ENTRY_KEPT + ID_LENGTH * ids.length }
}
