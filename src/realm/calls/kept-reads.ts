import {
  CHANNELS_KEPT,
  CONVERSATIONS_KEPT,
  ENTRY_KEPT,
  QUEUE_OPTIONS_KEPT,
  READS_KEPT,
  RECENT_MESSAGES,
  TOPICS_KEPT,
} from '../../core/budgets.ts'
import type { Kept, KeptGroup } from '../../core/sql.ts'
import type { Part } from '../../engine/stamps.ts'

/** A value with what it was made of. */
interface KeptValue {
  readonly value: unknown
  readonly parts: readonly Part[]
}

interface Group {
  /** The tables whose rows are kept. */
  readonly tables: RegExp
  /** Statements that change kept rows, in the spelling of our code: in capitals. */
  readonly writes: RegExp
  /** Statements among them whose changes the kept values take in themselves. A rollback undoes these too. */
  readonly followed?: RegExp
  /** What a value of the group takes in, whatever it was made of. */
  readonly takesIn?: readonly Part[]
  /** Size in characters. */
  readonly limit: number
}

const CHANGE = /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/

const GROUPS: Readonly<Record<KeptGroup, Group>> = {
  accounts: {
    tables:
      /\b(?:user|realm_setting|user_group_member|user_group_subgroup|linkifier|client|browser_session)\b/,
    writes: CHANGE,
    limit: READS_KEPT,
  },
  // An update only changes a client's progress, which is kept elsewhere (realm/polls/queue-progress.ts); missing rows are
  // not kept.
  queues: { tables: /\bqueue\b/, writes: /\b(?:DELETE|REPLACE)\b/, limit: QUEUE_OPTIONS_KEPT },
  channels: {
    tables: /\b(?:channel|subscription|subscription_period|muted_user)\b/,
    writes: CHANGE,
    limit: CHANNELS_KEPT,
  },
  topics: { tables: /\b(?:topic|user_topic)\b/, writes: CHANGE, limit: TOPICS_KEPT },
  // The members of a conversation never change.
  conversations: { tables: /\bconversation_member\b/, writes: CHANGE, limit: CONVERSATIONS_KEPT },
  // What follows new messages, and those that change or go (domain/messages/recent-message-rows.ts).
  messages: {
    tables: /\bmessage_index\b/,
    writes: CHANGE,
    followed:
      /^(?:INSERT INTO message_index \(id, recipient_id, topic_id, topic_spelling|UPDATE message_index SET (?:bits|version|move_id)\b|DELETE FROM message_index WHERE id IN)/,
    takesIn: [{ table: 'message_index' }],
    limit: RECENT_MESSAGES.ids * RECENT_MESSAGES.blocks * RECENT_MESSAGES.bytesOfOne + ENTRY_KEPT,
  },
}

/**
 * Number of statements whose effect is remembered. The code has some hundreds; those that are put together
 * from columns could be more.
 */
const STATEMENTS_KNOWN = 5_000

/**
 * A number that is bound to a LIMIT: SQLite looks at it when it plans, and so parses the statement again each time. It does
 * not look at a sum.
 */
const BOUND_LIMIT = /\bLIMIT (\?\d*)/g

interface Statement {
  /** The text that SQLite gets. */
  readonly text: string
  /** The groups of kept reads that it may change. */
  readonly changes: readonly Change[]
}

interface Change {
  readonly group: KeptGroup
  readonly isFollowed: boolean
}

/** The values that `Sql.kept` keeps: a group is dropped as soon as a statement may have changed any of it. */
export class KeptReads {
  readonly #kept = Object.fromEntries(
    Object.entries(GROUPS).map(([group, { limit }]) => [group, new KeptValues(limit)]),
  ) as Readonly<Record<KeptGroup, KeptValues>>
  /** By the text in our code. */
  readonly #statements = new Map<string, Statement>()
  /** Groups that have been changed since the last transaction began. */
  readonly #changed = new Set<KeptGroup>()

  find(group: KeptGroup, key: string): KeptValue | undefined {
    return this.#kept[group].find(key)
  }

  keep(group: KeptGroup, key: string, { value, size }: Kept<unknown>, parts: readonly Part[]): void {
    if (value === undefined) return
    this.#kept[group].keep(key, { value, parts: GROUPS[group].takesIn ?? parts }, size)
  }

  /** Forgets what the statement may change, and returns the text that SQLite gets. */
  noteStatement(query: string): string {
    const { text, changes } = this.#statements.get(query) ?? this.#look(query)
    for (const { group, isFollowed } of changes) {
      if (!isFollowed) this.#kept[group].forget()
      this.#changed.add(group)
    }
    return text
  }

  forget(): void {
    for (const kept of Object.values(this.#kept)) kept.forget()
  }

  /** A transaction begins. */
  begin(): void {
    this.#changed.clear()
  }

  /** Forgets the groups that the transaction has changed: what was read of them since has not come true. */
  rollBack(): void {
    for (const group of this.#changed) this.#kept[group].forget()
  }

  /** Looks at a statement for the first time. */
  #look(query: string): Statement {
    if (this.#statements.size >= STATEMENTS_KNOWN) this.#statements.clear()
    const statement = {
      text: query.replaceAll(BOUND_LIMIT, 'LIMIT $1 + 0'),
      changes: (Object.keys(GROUPS) as KeptGroup[]).flatMap((group): Change[] => {
        const { tables, writes, followed } = GROUPS[group]
        if (!tables.test(query) || !writes.test(query)) return []
        return [{ group, isFollowed: followed?.test(query) ?? false }]
      }),
    }
    this.#statements.set(query, statement)
    return statement
  }
}

class KeptValues {
  readonly #limit: number
  readonly #values = new Map<string, KeptValue>()
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  find(key: string): KeptValue | undefined {
    return this.#values.get(key)
  }

  keep(key: string, kept: KeptValue, size: number): void {
    // A key may be longer than its value.
    const all = key.length + size
    if (all > this.#limit) return
    if (this.#size + all > this.#limit) this.forget()
    frozen(kept.value)
    this.#values.set(key, kept)
    this.#size += all
  }

  forget(): void {
    if (this.#values.size === 0) return
    this.#values.clear()
    this.#size = 0
  }
}

/** Freezes a value that several callers share: code that would change it fails. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
