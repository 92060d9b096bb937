import {
  BODIES_AT_ONCE,
  type BodyStore,
  type MessageBody,
  type SearchPage,
  type SearchRange,
} from '../core/command.ts'
import type { D1Write } from '../core/realm-transaction.ts'
import { containsNeedle } from '../core/search-text.ts'
import type { Sql } from '../core/sql.ts'
import { fetchMessageBodies } from '../d1/message-bodies.ts'
import { messageSearchIn } from '../d1/message-search.ts'
import { type LoggedWrites, readWritesAfter, readWritesOf } from '../events/log.ts'

const ENTRIES_PER_READ = 500

/**
 * Bodies that D1 may not have yet: which log entry wrote each of them last. Whoever sends can read back
 * at once, D1 up or down (DESIGN 3). Only ids are kept in memory; it is rebuilt when the object wakes.
 */
export class BodyTail {
  readonly #sql: Sql
  /** Message id → log id. */
  readonly #entryOfMessage = new Map<number, number>()

  /** `projected`: D1 certainly has everything up to this log id. */
  constructor(sql: Sql, projected: number) {
    this.#sql = sql
    for (let after = projected; ; ) {
      const entries = readWritesAfter(sql, after, ENTRIES_PER_READ)
      this.add(entries)
      if (entries.length < ENTRIES_PER_READ) break
      after = entries.at(-1)!.id
    }
  }

  add(entries: readonly LoggedWrites[]): void {
    for (const { id, writes } of entries) {
      for (const write of writes) {
        const messageId = bodyWrittenBy(write)
        if (messageId !== undefined) this.#entryOfMessage.set(messageId, id)
      }
    }
  }

  /** D1 has everything up to this entry now. */
  projected(upTo: number): void {
    for (const [messageId, entryId] of this.#entryOfMessage) {
      if (entryId <= upTo) this.#entryOfMessage.delete(messageId)
    }
  }

  /** The newest body among what D1 may lack; undefined when D1 has it. */
  get(messageId: number): MessageBody | undefined {
    const write = this.#writeOf(messageId)
    return write && bodyOf(write)
  }

  /** Of these messages, the bodies that D1 may lack: as many as fit (see BodyReader), and the ids of the rest. */
  read(ids: readonly number[]): { bodies: MessageBody[]; unread: number[] } {
    const bodies: MessageBody[] = []
    const unread: number[] = []
    let room = BODIES_AT_ONCE
    for (const id of ids) {
      if (!this.#entryOfMessage.has(id)) continue
      if (room <= 0) {
        unread.push(id)
        continue
      }
      const write = this.#writeOf(id)
      if (!write) continue
      bodies.push(bodyOf(write))
      room -= lengthOf(write)
    }
    return { bodies, unread }
  }

  /** Reads from here first and from D1 for the rest. */
  readerOver(db: D1Database, realmId: number): BodyStore {
    return {
      search: async (needles, range) => {
        const own = this.#search(needles, range)
        return withTail(await messageSearchIn(db, realmId).search(needles, range), own, range)
      },
      read: async (ids) => {
        const { bodies, unread } = this.read(ids)
        const own = new Set([...bodies.map(({ id }) => id), ...unread])
        const found = await fetchMessageBodies(
          db,
          realmId,
          ids.filter((id) => !own.has(id)),
        )
        for (const body of bodies) found.set(body.id, body)
        return found
      },
    }
  }

  #writeOf(messageId: number): D1Write | undefined {
    const entryId = this.#entryOfMessage.get(messageId)
    if (entryId === undefined) return undefined
    return readWritesOf(this.#sql, entryId).findLast((candidate) => bodyWrittenBy(candidate) === messageId)
  }

  /** Which of the messages that D1 may lack match; what D1 says of them is out of date. */
  #search(needles: readonly string[], { above, below }: SearchRange): ReadonlyMap<number, boolean> {
    const found = new Map<number, boolean>()
    for (const id of this.#entryOfMessage.keys()) {
      if (id <= above || id >= below) continue
      const content = this.get(id)?.content ?? ''
      found.set(
        id,
        needles.every((needle) => containsNeedle(content, needle)),
      )
    }
    return found
  }
}

/** Where D1 has not searched to the end, the tail's hits beyond what it reached wait for the next page. */
function withTail(
  { ids, reached }: SearchPage,
  tail: ReadonlyMap<number, boolean>,
  { newestFirst }: SearchRange,
): SearchPage {
  const isReached = (id: number) => reached === null || (newestFirst ? id >= reached : id <= reached)
  const own = [...tail].filter(([id, matches]) => matches && isReached(id)).map(([id]) => id)
  const all = [...ids.filter((id) => !tail.has(id)), ...own]
  return { ids: all.sort((a, b) => (newestFirst ? b - a : a - b)), reached }
}

const BODY_STATEMENTS = new Set(['insert-message-body', 'replace-message-body', 'replace-rendering'])

function bodyWrittenBy({ statement, row }: D1Write): number | undefined {
  return BODY_STATEMENTS.has(statement) ? Number(row[0]) : undefined
}

/** Of its texts, in characters. */
function lengthOf({ row }: D1Write): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

/** The rows are laid out by the statements in d1/projection.ts. */
function bodyOf({ statement, row }: D1Write): MessageBody {
  if (statement === 'insert-message-body') {
    return {
      id: Number(row[0]),
      version: 0,
      content: String(row[1]),
      renderedContent: String(row[2]),
      editHistory: [],
    }
  }
  return {
    id: Number(row[0]),
    version: Number(row[1]),
    content: String(row[2]),
    renderedContent: String(row[3]),
    editHistory: JSON.parse(String(row[5])) as unknown[],
  }
}
