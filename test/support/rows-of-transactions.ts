import type { Rows } from './counted-rows.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

/** Returns the rows of each transaction of the organization's object during `act`. It is not evicted meanwhile. */
export async function rowsOfTransactions(realm: TestRealm, act: () => Promise<unknown>): Promise<Rows[]> {
  const found: Rows[] = []
  const { evictable } = world
  world.evictable = false
  await inRealm(realm, ({ parts: { storage, sql } }) => {
    const transact = storage.transactionSync
    storage.transactionSync = (closure) => {
      const { read, written } = sql.counts
      try {
        return transact.call(storage, closure) as ReturnType<typeof closure>
      } finally {
        found.push({ read: sql.counts.read - read, written: sql.counts.written - written })
      }
    }
  })
  await act().finally(() => {
    world.evictable = evictable
  })
  await inRealm(realm, ({ parts: { storage } }) => {
    Reflect.deleteProperty(storage, 'transactionSync')
  })
  return found
}
