import { jsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { personalNoticeTexts } from '../../model/notices/personal-notice-texts.ts'
import { sendNotice } from '../../model/sending/send-notice.ts'
import { deleteMeta, readMetaJson, writeMeta } from '../../store/meta-rows.ts'
import { listOwners } from '../../store/users/user-rows.ts'
import type { ServerRefusal } from './ask-bouncer.ts'
import type { PushRuntime } from './push-runtime.ts'

/** Returns the time until which the bouncer is not asked, since it refuses this server (UNIX seconds); undefined if it may be. */
export function pausedUntil(runtime: Pick<PushRuntime, 'sql' | 'now'>): number | undefined {
  return refusedUntil(runtime.sql, runtime.now())
}

/** Stores that the bouncer refuses this server, and notifies the owners. Returns when to ask again (UNIX seconds). */
export function pauseAfter(runtime: PushRuntime, refusal: ServerRefusal): number {
  return runtime.change((tx) => noteRefusal(tx, refusal.message))
}

/** Stores that the bouncer serves this server, if it has refused it before. */
export function endPause(runtime: PushRuntime): void {
  if (isRefused(runtime.sql)) runtime.change(endRefusal)
}

/** A refusal of this server or organization by the push bouncer, which repeating a request does not change. */
interface PushRefusal {
  /** The bouncer's answer, for people. */
  readonly reason: string
  /** When it came, in UNIX seconds. */
  readonly at: number
}

/** Seconds for which a bouncer that refuses this server is not asked: somebody has to register it, or to pay. */
const ASKED_AGAIN_AFTER = DAY

/** Limit of the part of the bouncer's answer that owners read, in characters. */
const MAX_REASON_LENGTH = 300

/** Returns the time until which the bouncer is not asked (UNIX seconds); undefined if it may be. */
function refusedUntil(sql: Sql, now: number): number | undefined {
  const refusal = readMetaJson<PushRefusal>(sql, 'push_refusal')
  if (!refusal) return undefined
  const left = refusal.at + ASKED_AGAIN_AFTER - now
  // More than the whole time: the clock was set back.
  return left > 0 && left <= ASKED_AGAIN_AFTER ? now + left : undefined
}

/** Stores a refusal, and notifies the owners of one that they do not know. Returns when to ask again (UNIX seconds). */
function noteRefusal(tx: RealmTransaction, reason: string): number {
  const known = readMetaJson<PushRefusal>(tx.sql, 'push_refusal')
  const at = Math.floor(tx.now)
  writeMeta(tx.sql, 'push_refusal', jsonText({ reason, at } satisfies PushRefusal))
  if (known?.reason !== reason) notifyOwners(tx, reason)
  return at + ASKED_AGAIN_AFTER
}

/** Whether the last request was refused, however long ago. */
function isRefused(sql: Sql): boolean {
  return readMetaJson<PushRefusal>(sql, 'push_refusal') !== undefined
}

/** Forgets the refusal: the bouncer has dealt with a request of this server. */
function endRefusal(tx: RealmTransaction): void {
  deleteMeta(tx.sql, 'push_refusal')
}

function notifyOwners(tx: RealmTransaction, reason: string): void {
  // Another server's words, which must not become Markdown.
  const answer = `\`${reason
    .slice(0, MAX_REASON_LENGTH)
    .replaceAll(/[`\s]+/g, ' ')
    .trim()}\``
  for (const owner of listOwners(tx.sql)) {
    const content = personalNoticeTexts(owner).pushRefused(answer)
    sendNotice(tx, { to: { user: owner }, content, origin: tx.origin })
  }
}
