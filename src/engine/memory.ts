import type { MemorySlot } from '../core/realm-transaction.ts'
import type { Sql } from '../core/sql.ts'

/** Values that domain code keeps in memory, by slot. Losing them costs time, never correctness. */
export class Memory {
  readonly #values = new Map<string, unknown>()

  recall<Value>(slot: MemorySlot<Value>, sql: Sql): Value {
    if (!this.#values.has(slot.name)) this.#values.set(slot.name, slot.load(sql))
    return this.#values.get(slot.name) as Value
  }

  forget(slots: Iterable<string>): void {
    for (const name of slots) this.#values.delete(name)
  }
}
