import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../../core/call.ts'
import { IdempotencyKeyReusedError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { DAY } from '../../../core/time.ts'
import {
  findMessageBySendKey,
  findMessageBySendKeyPrefix,
  type SentBefore,
} from '../../../store/messages/message-rows.ts'
import type { Caller } from '../../caller.ts'

/**
 * Seconds within which a repeated send gets the first answer
 * (docs/decisions/design.md#sends-are-exactly-once).
 */
const SEND_KEY_SECONDS = DAY

/** Length of the digest of a key, and of that of its request, in characters of base64. */
const KEY_LENGTH = 22
const REQUEST_LENGTH = 16

interface Local {
  readonly queue_id?: string
  readonly local_id?: string
}

/**
 * Returns the key by which a repeated send is recognized: made from its `Idempotency-Key`, else from the
 * client's own id of the message. It has one length, however long those are.
 */
export function sendKeyOf(caller: Caller, local: Local): string | undefined {
  const { user, source } = caller
  if (source.idempotency) {
    return `${keyPrefix(user.id, source.idempotency)}.${source.idempotency.request.slice(0, REQUEST_LENGTH)}`
  }
  return localKeyOf(user.id, local)
}

/**
 * Finds the message that was sent with the same key within a day.
 * @throws IdempotencyKeyReusedError (422) when it came with another request
 */
export function findRepeatedSend(
  { sql, now }: Pick<RealmReads, 'sql' | 'now'>,
  { user, source }: Caller,
  local: Local,
): SentBefore | undefined {
  const since = Math.floor(now) - SEND_KEY_SECONDS
  if (source.idempotency) return findKeyedMessage(sql, user.id, source.idempotency, now)
  const key = localKeyOf(user.id, local)
  return key === undefined ? undefined : findMessageBySendKey(sql, key, since)
}

/** Finds the message that any request with this key has sent, as `findRepeatedSend` does. */
export function findKeyedMessage(
  sql: Sql,
  userId: number,
  idempotency: IdempotentRequest,
  now: number,
): SentBefore | undefined {
  const prefix = keyPrefix(userId, idempotency)
  const found = findMessageBySendKeyPrefix(
    sql,
    prefix,
    Math.floor(now) - (idempotency.seconds ?? SEND_KEY_SECONDS),
  )
  if (!found) return undefined
  if (!idempotency.request.startsWith(found.sendKey.split('.')[1]!)) throw new IdempotencyKeyReusedError()
  return found
}

function keyPrefix(userId: number, { key }: IdempotentRequest): string {
  return digest([userId, 'key', key]).slice(0, KEY_LENGTH)
}

function localKeyOf(userId: number, { queue_id, local_id }: Local): string | undefined {
  if (queue_id === undefined || local_id === undefined) return undefined
  return digest([userId, 'local', queue_id, local_id])
}

function digest(names: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url')
}
