import { READS_KEPT } from '../core/budgets.ts'
import type { Kept } from '../core/sql.ts'

/** Tables whose rows are kept. */
const TABLES =
  /\b(?:user|realm_setting|user_group_member|user_group_subgroup|linkifier|client|browser_session)\b/
/** As our statements spell them: in capitals. */
const WRITES = /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/
/** The statements of the code are some hundreds; those that are put together from columns could be more. */
const STATEMENTS_KNOWN = 5_000

/** What `Sql.kept` keeps: it is gone as soon as a statement may have changed any of it. */
export class KeptReads {
  readonly #values = new Map<string, unknown>()
  #size = 0
  /** By its text: may a statement change what is kept? */
  readonly #changing = new Map<string, boolean>()

  get<Value>(key: string, make: () => Kept<Value>): Value {
    const known = this.#values.get(key)
    if (known !== undefined) return known as Value
    const { value, size } = make()
    if (value === undefined) return value
    if (this.#size + size > READS_KEPT) this.forget()
    if (size > READS_KEPT) return value
    this.#values.set(key, frozen(value))
    this.#size += size
    return value
  }

  noteStatement(query: string): void {
    if (this.#isChanging(query)) this.forget()
  }

  forget(): void {
    if (this.#size === 0) return
    this.#values.clear()
    this.#size = 0
  }

  #isChanging(query: string): boolean {
    const known = this.#changing.get(query)
    if (known !== undefined) return known
    if (this.#changing.size >= STATEMENTS_KNOWN) this.#changing.clear()
    const isChanging = TABLES.test(query) && WRITES.test(query)
    this.#changing.set(query, isChanging)
    return isChanging
  }
}

/** Many get the same value: who would change it is told so. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
