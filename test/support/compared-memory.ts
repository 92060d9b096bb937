/**
 * Makes the realm object check itself in all tests: its caches against the store at each use, and the stored sets of accounts against their
 * rows after each change. The cursors of clients' queues are left out, since they are written later (realm/polls/queue-progress.ts).
 */

import type { Reader, Steps } from '../../src/core/reader.ts'
import type { Sql } from '../../src/core/sql.ts'
import { CountedSql } from '../../src/engine/counted-sql.ts'
import { Readings, type UseIn } from '../../src/engine/readings.ts'
import { ROLE_VALUES } from '../../src/rules/roles.ts'
import { checkSet, type SetName } from '../../src/store/id-set-rows.ts'
import { type IndexedMessage, MESSAGES } from '../../src/store/messages/message-rows.ts'
import { world } from './world.ts'

type RecentMessages = ReturnType<
  typeof import('../../src/store/messages/recent-message-rows.ts')['recentMessages']
>

let isComparing = false

const { count, kept, following, changing, noteBegin } = CountedSql.prototype
const { useAll } = Readings.prototype
let isRecentCompared = false

/** Rows read only for the comparison are not counted. */
CountedSql.prototype.count = function (rows, statements) {
  if (!isComparing) count.call(this, rows, statements)
}

CountedSql.prototype.kept = function <Value>(this: CountedSql, key: string, make: () => Value): Value {
  let isNew = false
  const value = kept.call(this, key, () => {
    isNew = true
    return make()
  }) as Value
  if (!isNew && !key.startsWith('queue ')) compare(key, value, make)
  return value
}

CountedSql.prototype.following = function <Value>(this: CountedSql, table: string, make: () => Value): Value {
  const value = following.call(this, table, make) as Value
  compareRecent(value as RecentMessages)
  return value
}

/** Tables whose changes name their subjects, with the sets to which the subjects belong. */
const SETS_OF_TABLE: Readonly<Record<string, (subject: number | string) => SetName[]>> = {
  user: () => ['closed', 'bots', 'system bots', ...ROLE_VALUES.map((role): SetName => `role ${role}`)],
  subscription: (subject) => (typeof subject === 'number' ? [`subscribers ${subject}`] : []),
  user_group_member: (subject) => [`members ${Number(subject)}`],
}
const changedSets = new WeakMap<CountedSql, Set<SetName>>()

CountedSql.prototype.changing = function (this: CountedSql, table, subjects, change) {
  const result = changing.call(this, table, subjects as [], change) as ReturnType<typeof change>
  const named = typeof subjects === 'function' ? subjects(result) : subjects
  const sets = changedSets.get(this) ?? new Set()
  changedSets.set(this, sets)
  for (const subject of named) for (const name of SETS_OF_TABLE[table]?.(subject) ?? []) sets.add(name)
  return result
}

CountedSql.prototype.noteBegin = function (this: CountedSql) {
  for (const name of changedSets.get(this) ?? []) {
    isComparing = true
    const isRight = checkSet(this, name, false)
    isComparing = false
    if (!isRight) world.memoryDiffers.push(`The set of ${name} is not as its rows say`)
  }
  changedSets.delete(this)
  noteBegin.call(this)
}

Readings.prototype.useAll = function <Key, Value>(
  this: Readings,
  reader: Reader<Key, Value>,
  keys: readonly Key[],
  where: UseIn,
): Value[] {
  const fresh = new Set<string>()
  const remade: Reader<Key, Value> = {
    ...reader,
    *read(store, key) {
      fresh.add(reader.key(key))
      return yield* reader.read(store, key)
    },
    ...(reader.patch && {
      patch(sql: Sql, key: Key, value: Value) {
        // The data for patches, such as the position in the log, may differ.
        fresh.add(reader.key(key))
        return reader.patch?.(sql, key, value)
      },
    }),
  }
  const values = useAll.call(this, remade, keys, where) as Value[]
  for (const [at, key] of keys.entries()) {
    if (reader.allowStale || fresh.has(reader.key(key))) continue
    compare(reader.name, values[at], () => readAtOnce(reader, key, where.sql))
  }
  return values
}

function readAtOnce<Key, Value>(reader: Reader<Key, Value>, key: Key, sql: Sql): Value {
  const steps = read(reader, key)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
  function read<K, V>(one: Reader<K, V>, keyOfOne: K): Steps<V> {
    return one.read({ sql, use: read }, keyOfOne)
  }
}

/** Compares the newest messages, which are patched at most changes. */
function compareRecent(recent: RecentMessages): void {
  if (isRecentCompared) return
  isRecentCompared = true
  const prototype = Object.getPrototypeOf(recent) as RecentMessages
  const { between, find, newestBetween } = prototype
  prototype.between = function (sql, above, upTo) {
    const found = between.call(this, sql, above, upTo)
    compare('recent messages', found, () => storedMessages(sql, 'id > ? AND id <= ?', above, upTo))
    return found
  }
  prototype.find = function (sql, ids) {
    const found = find.call(this, sql, ids)
    const stored = () => storedMessages(sql, 'id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
    compare('messages by id', found, stored)
    return found
  }
  prototype.newestBetween = function (sql, above, upTo, limit, lookedFor) {
    const page = newestBetween.call(this, sql, above, upTo, limit, lookedFor)
    const stored = () =>
      storedMessages(sql, 'id > ? AND id >= ? AND id <= ?', above, page.from, upTo)
        .filter(lookedFor.passes)
        .reverse()
    compare('newest messages', page.messages, stored)
    return page
  }
}

function storedMessages(sql: Sql, condition: string, ...params: (string | number)[]): IndexedMessage[] {
  const query = `SELECT ${MESSAGES.columns} FROM message_index m WHERE ${condition} ORDER BY id`
  return sql.all<IndexedMessage>(query, ...params)
}

function compare(key: string, value: unknown, make: () => unknown): void {
  if (isComparing) return
  isComparing = true
  try {
    const [inMemory, stored] = [textOf(value), textOf(make())]
    if (inMemory === stored) return
    world.memoryDiffers.push(`In memory as "${key}": ${inMemory}\nstored: ${stored}`)
  } finally {
    isComparing = false
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => comparable(part)) ?? ''
}

function comparable(part: unknown): unknown {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('latin1')
  return part instanceof Map || part instanceof Set ? [...part] : part
}
