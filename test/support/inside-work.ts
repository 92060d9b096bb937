/** Controls how an object and its Worker divide their work, for tests of the states in between. */
import { vi } from 'vitest'
import { retryLater } from '../../src/core/errors.ts'
import { fairScheduler } from '../../src/core/fair-scheduler.ts'
import { CountedSql } from '../../src/engine/counted-sql.ts'
import { PRESENCE } from '../../src/model/presence/presence-memory.ts'

import type { Runtime } from '../../src/realm/runtime.ts'
import type { TestRealm } from './factories.ts'
import { changeRealm } from './inside.ts'

export { exportOrganization } from '../../src/features/exports/background/export-organization.ts'
export { changeOfMembers } from '../../src/model/group-changes/large-membership-change.ts'
export { ROWS_OF_A_REQUEST } from '../../src/model/narrows/message-window.ts'
export { makeNextCommit } from '../../src/realm/calls/continuation.ts'
export { longTextOf } from '../../src/realm/calls/large-answers.ts'
export { followClock } from '../../src/realm/jobs/follow-clock.ts'
export { type RealmHealth, realmHealth } from '../../src/realm/realm-health.ts'
export { readRestoreFinding } from '../../src/realm/restorations.ts'
export { saveUsage } from '../../src/realm/save-usage.ts'
export { countMessages } from '../../src/store/messages/message-count.ts'

/** Makes requests, and returns their results and the number of rows that they read in lists. */
export async function withRowsRead<Answer>(
  ask: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly rows: Record<string, unknown>[] }> {
  const all = vi.spyOn(CountedSql.prototype, 'all')
  try {
    const answer = await ask()
    return { answer, rows: all.mock.results.flatMap(({ value }) => value) }
  } finally {
    all.mockRestore()
  }
}

/** Makes requests, and returns the number of statements that read for them. */
export async function countStatements(ask: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(CountedSql.prototype, 'all'), vi.spyOn(CountedSql.prototype, 'first')]
  try {
    await ask()
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Lets users be there now, without a request of each. */
export function insertPresence(realm: TestRealm, userIds: readonly number[]): Promise<void> {
  return changeRealm(realm, (tx) => {
    const presence = tx.recallToChange(PRESENCE)
    const seen = { activeAt: Math.floor(tx.now), connectedAt: Math.floor(tx.now) }
    for (const userId of userIds) presence.put({ userId, ...seen }, { now: tx.now, atOnce: false })
  })
}

/** Returns a user's presence in the memory of the object. */
export function rememberedPresence({ memory, sql }: Runtime, userId: number) {
  return memory.recall(PRESENCE, sql).of(userId)!
}

/** Refuses the Worker's next wait for a turn, as if the gate were full. Returns the number of turns since then. */
export function refuseNextSlice(): () => number {
  const turn = vi.spyOn(fairScheduler, 'turn').mockRejectedValueOnce(retryLater())
  return () => turn.mock.calls.length
}

/** Runs a function before each further turn of the Worker, until the returned function is called. */
export function betweenSlices(act: () => Promise<unknown>): () => void {
  const nextSlice = fairScheduler.nextSlice.bind(fairScheduler)
  const spy = vi.spyOn(fairScheduler, 'nextSlice').mockImplementation(async (work) => {
    await act()
    await nextSlice(work)
  })
  return () => spy.mockRestore()
}
