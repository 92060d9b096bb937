import { CHANGES_OF_COMMIT, D1_CALLS, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import { searchWriteOf } from './message-search.ts'

/** Length of a statement's JSON, in UTF-16 units of up to 3 bytes: a parameter may have 2,000,000 bytes. */
const JSON_LENGTH_PER_STATEMENT = 600_000

/** One statement of a batch, with the rows that it writes as JSON. */
export interface RowGroup {
  readonly statement: string
  readonly rows: readonly string[]
}

interface Entry {
  readonly id: number
  readonly writes: readonly D1Write[]
}

/** Returns the first entries that make up a batch, at least one, and their statements. */
export function planBatch<E extends Entry>(
  entries: readonly E[],
): { taken: readonly E[]; groups: readonly RowGroup[] } {
  const grouping = new Grouping()
  for (const [index, { writes }] of entries.entries()) {
    grouping.add(writes)
    if (grouping.fitsOneBatch || index === 0) continue
    const taken = entries.slice(0, index)
    return { taken, groups: groupRows(taken) }
  }
  return { taken: entries, groups: grouping.groups() }
}

/**
 * Returns the statements that carry out all writes of these entries, in order, with the writes of the search
 * index that follow.
 */
export function groupRows(entries: readonly Pick<Entry, 'writes'>[]): readonly RowGroup[] {
  const grouping = new Grouping()
  for (const { writes } of entries) grouping.add(writes)
  return grouping.groups()
}

/** Groups rows of bodies and of the search index; the two are independent of each other. */
class Grouping {
  readonly #bodies = new OrderedGroups()
  readonly #search = new OrderedGroups()
  #deletions = 0

  add(writes: readonly D1Write[]): void {
    for (const write of writes) {
      this.#bodies.add(write)
      if (write.statement === 'delete-message-body') this.#deletions += 1
      const search = searchWriteOf(write)
      if (search) this.#search.add(search)
    }
  }

  get fitsOneBatch(): boolean {
    const statements = this.#bodies.groups.length + this.#search.groups.length
    return statements <= D1_CALLS.statementsOfBatch && this.#deletions <= CHANGES_OF_COMMIT
  }

  groups(): readonly RowGroup[] {
    return [...this.#bodies.groups, ...this.#search.groups]
  }
}

/** Groups the rows of each statement, as far as the writes of one and the same thing stay in order. */
class OrderedGroups {
  readonly groups: { statement: string; rows: string[]; length: number }[] = []
  /** The last group of each statement, which may have room. */
  readonly #open = new Map<string, number>()
  /** The last group that writes a row, by the row's first value. */
  readonly #lastOf = new Map<unknown, number>()

  add({ statement, row }: D1Write): void {
    const json = JSON.stringify(row)
    const open = this.#open.get(statement)
    const group = open === undefined ? undefined : this.groups[open]
    const fits =
      group !== undefined &&
      open! >= (this.#lastOf.get(row[0]) ?? 0) &&
      group.rows.length < PAGE_OF_ROWS &&
      group.length + json.length < JSON_LENGTH_PER_STATEMENT
    if (fits) {
      group.rows.push(json)
      group.length += json.length
      this.#lastOf.set(row[0], open!)
    } else {
      this.groups.push({ statement, rows: [json], length: json.length })
      this.#open.set(statement, this.groups.length - 1)
      this.#lastOf.set(row[0], this.groups.length - 1)
    }
  }
}
