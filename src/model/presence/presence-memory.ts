import type { MemorySlot } from '../../core/realm-transaction.ts'
import { type Presence, presenceBlockOf, readPresences } from '../../store/presence/presence-rows.ts'

/**
 * Age in seconds that a saved block may reach while its users are there. Well below the 200 s after which
 * clients count someone as gone, so that after an eviction nobody disappears who is still pinging.
 */
const SAVE_AFTER_SECONDS = 100

/** Everybody's presence, in memory and saved lazily (docs/decisions/design.md#the-log-is-the-only-stream). */
export class PresenceMemory {
  readonly #presences: Map<number, Presence>
  /** Times in UNIX seconds, by block. */
  readonly #savedAt = new Map<number, number>()
  #lastUpdateId = 0

  constructor(stored: readonly Presence[]) {
    this.#presences = new Map(stored.map((presence) => [presence.userId, presence]))
    for (const { userId, connectedAt, updateId } of stored) {
      const block = presenceBlockOf(userId)
      this.#savedAt.set(block, Math.max(this.#savedAt.get(block) ?? 0, connectedAt))
      this.#lastUpdateId = Math.max(this.#lastUpdateId, updateId)
    }
  }

  of(userId: number): Presence | undefined {
    return this.#presences.get(userId)
  }

  /** Number of users who have one. */
  get size(): number {
    return this.#presences.size
  }

  all(): Presence[] {
    return [...this.#presences.values()]
  }

  /**
   * Enters a change at `now` (UNIX seconds). Its block is to be saved when the saved copy is too old, or at
   * once. Update ids follow the clock, so that they rise over evictions without being stored.
   */
  put(
    presence: Omit<Presence, 'updateId'>,
    { now, atOnce }: { now: number; atOnce: boolean },
  ): { readonly entered: Presence; readonly toSave?: PresenceBlock } {
    this.#lastUpdateId = Math.max(this.#lastUpdateId + 1, Math.floor(now * 1_000))
    const entered = { ...presence, updateId: this.#lastUpdateId }
    this.#presences.set(presence.userId, entered)
    const block = presenceBlockOf(presence.userId)
    if (!atOnce && now - (this.#savedAt.get(block) ?? 0) < SAVE_AFTER_SECONDS) return { entered }
    this.#savedAt.set(block, now)
    return { entered, toSave: this.#block(block) }
  }

  /**
   * Limits all times to `now` (whole UNIX seconds) after the clock has been set back, and returns the blocks to save.
   * Update ids stay, since what clients have is right.
   */
  endLaterTimes(now: number): PresenceBlock[] {
    const changed = new Set<number>()
    for (const presence of this.#presences.values()) {
      if (presence.connectedAt <= now && (presence.activeAt ?? 0) <= now) continue
      const activeAt = presence.activeAt === null ? null : Math.min(presence.activeAt, now)
      const connectedAt = Math.min(presence.connectedAt, now)
      this.#presences.set(presence.userId, { ...presence, activeAt, connectedAt })
      changed.add(presenceBlockOf(presence.userId))
    }
    for (const [block, savedAt] of this.#savedAt) this.#savedAt.set(block, Math.min(savedAt, now))
    return [...changed].map((block) => this.#block(block))
  }

  #block(block: number): PresenceBlock {
    return { block, presences: this.all().filter(({ userId }) => presenceBlockOf(userId) === block) }
  }
}

/** Users whose presence is in one row. */
interface PresenceBlock {
  readonly block: number
  readonly presences: readonly Presence[]
}

export const PRESENCE: MemorySlot<PresenceMemory> = {
  name: 'presence',
  load: (sql) => new PresenceMemory(readPresences(sql)),
}
