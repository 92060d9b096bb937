import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { WEEK } from '../../core/time.ts'
import { wantsDigest } from '../../model/digests/digests.ts'
import type { OutgoingEmail } from '../../model/emails/letter.ts'
import { countRealms } from '../../store/d1/realms.ts'
import {
  type Digest,
  type DigestPeriod,
  digestPeriod,
  finishDigest,
  type PackedDigestPeriod,
  unpackPeriod,
} from '../../store/digests/digest-rows.ts'
import { keepSentEmail } from '../../store/emails/email-rows.ts'
import { firstMessageSince } from '../../store/messages/message-time-rows.ts'
import { readMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import type { EmailRuntime } from './email-sender.ts'
import { handOverEmail } from './hand-over-email.ts'
import { DELETED, readAllVersions, TRIES_TO_WRITE } from './mail-missed.ts'
import { type DigestPlan, planDigest } from './plan-digest.ts'
import { type DigestOccasion, messagesIn, writeDigest } from './write-digest.ts'

/**
 * Sends a user's digest, if they are still away and it is not empty. It is finished once the service has it: a crash in between sends the
 * same mail twice rather than never.
 */
export async function mailDigest(runtime: EmailRuntime, digest: Digest): Promise<void> {
  const { userId } = digest
  const email = await writeDigestTo(runtime, digest, (tx) => {
    const user = findUser(tx.sql, userId)
    const isWanted = realmProperty(tx.sql, 'digest_emails_enabled') && !isRealmDeactivated(tx.sql)
    return user && isWanted && wantsDigest(tx, user) ? user : undefined
  })
  if (email) await handOverEmail(runtime, email)
  runtime.change((tx) => {
    if (email && runtime.emails.keepSent) keepSentEmail(tx.sql, { ...email, body: email.text }, tx.now)
    finishDigest(tx.sql, userId)
  })
}

/**
 * Writes the digest of `occasion` with the access and texts of one moment. Undefined for an empty one.
 * @param readerOf returns the reader at that moment; undefined if they no longer get one
 */
export async function writeDigestTo(
  runtime: EmailRuntime,
  occasion: DigestOccasion,
  readerOf: (tx: RealmTransaction) => User | undefined,
): Promise<OutgoingEmail | undefined> {
  const bodyReader = runtime.bodies()
  const isOneOfMany = (await countRealms(runtime.db, 2)) > 1
  const plan = (tx: RealmTransaction): DigestPlan | undefined => {
    const reader = readerOf(tx)
    return reader && planDigest(tx, reader, periodOf(tx, occasion))
  }
  for (let tried = 0; tried < TRIES_TO_WRITE; tried += 1) {
    const first = runtime.change(plan)
    if (!first) return undefined
    const bodies = await readAllVersions(bodyReader, messagesIn(first))
    const written = runtime.change((tx) => {
      const planned = plan(tx)
      const left = planned && withoutMessages(planned, ({ id }) => bodies.get(id)?.content === DELETED)
      return left ? writeDigest(tx, left, occasion, { bodies, isOneOfMany }) : 'nothing'
    })
    if (written) return written === 'nothing' ? undefined : written
  }
  throw new Error('What is to be mailed is being edited')
}

/** Returns the period. Busy topics are counted once a week for all readers. */
function periodOf({ sql }: RealmTransaction, { round, since }: DigestOccasion): DigestPeriod {
  const saved = readMeta<PackedDigestPeriod>(sql, 'digest_period')
  const known = saved === undefined ? undefined : unpackPeriod(saved)
  const period = known?.since === round - WEEK ? known : digestPeriod(sql, round - WEEK)
  return period.since === since ? period : { ...period, since, from: firstMessageSince(sql, since) }
}

/** Returns the plan without these messages; undefined when nothing is left. */
function withoutMessages(
  plan: DigestPlan,
  isGone: (message: { id: number }) => boolean,
): DigestPlan | undefined {
  const keep = (conversations: DigestPlan['missed']) =>
    conversations
      .map((one) => ({ ...one, shown: one.shown.filter((message) => !isGone(message)) }))
      .filter(({ shown }) => shown.length > 0)
  const left = { ...plan, missed: keep(plan.missed), topics: keep(plan.topics) }
  return left.missed.length + left.topics.length + left.channels.length === 0 ? undefined : left
}
