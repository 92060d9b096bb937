import type { BodyReader, BodyVersion, MessageBody } from '../../core/message-bodies.ts'
import { longestWindow, type RateLimit, type RateLimits, secondsToWait } from '../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { OutgoingEmail } from '../../model/emails/letter.ts'
import { attemptsWithin, forgetAttempts, insertAttempt } from '../../store/attempts/attempt-rows.ts'
import { countRealms } from '../../store/d1/realms.ts'
import { keepSentEmail } from '../../store/emails/email-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import type { MissedMail } from '../../store/missed-messages/missed-mail-rows.ts'
import { FinalFailure } from '../work-in-lanes.ts'
import type { EmailRuntime } from './email-sender.ts'
import { giveUpMissedMail } from './failure.ts'
import { handOverEmail } from './hand-over-email.ts'
import {
  finishMissedMail,
  type MissedConversation,
  planMissedMail,
  retryMissedMailAt,
} from './plan-missed-mail.ts'
import { MAX_SHOWN, writeMissedMail } from './write-missed-mail.ts'

/** Tries to write a mail whose messages are edited meanwhile, before it waits a little. */
export const TRIES_TO_WRITE = 3

/** Text that people put in place of a message that they cannot delete. */
export const DELETED = '(deleted)'

/**
 * Sends a mail about one conversation that a user has missed; the others are due at once. It is finished once the service has it: a crash
 * in between sends the same mail twice rather than never.
 */
export async function mailMissed(runtime: EmailRuntime, mail: MissedMail): Promise<void> {
  const { userId, batch } = mail
  const limits = runtime.rateLimits()
  const isTooEarly = runtime.change((tx) => {
    const dueAt = missedMailMayGoAt(tx, userId, limits)
    if (dueAt !== undefined) retryMissedMailAt(tx, userId, dueAt)
    return dueAt !== undefined
  })
  if (isTooEarly) return
  const { next, dropped, email } = await write(runtime, userId, batch)
  const mailed = next?.missed.map(({ message }) => message.id) ?? []
  try {
    if (email) await handOverEmail(runtime, email)
  } catch (error) {
    if (!(error instanceof FinalFailure)) throw error
    // The other conversations are still sent.
    runtime.change((tx) => giveUpMissedMail(tx, mail, error.message, mailed))
    return
  }
  runtime.change((tx) => {
    if (email && runtime.emails.keepSent) keepSentEmail(tx.sql, { ...email, body: email.text }, tx.now)
    if (email) countMissedMail(tx, userId, limits)
    finishMissedMail(tx, userId, batch, [...dropped, ...mailed])
  })
}

interface Written {
  readonly next: MissedConversation | undefined
  readonly dropped: readonly number[]
  readonly email?: OutgoingEmail
}

/** Writes the mail with its reader's access and the texts of one moment. */
async function write(runtime: EmailRuntime, userId: number, batch: number): Promise<Written> {
  const reader = runtime.bodies()
  const isOneOfMany = (await countRealms(runtime.db, 2)) > 1
  for (let tried = 0; tried < TRIES_TO_WRITE; tried += 1) {
    const { next } = runtime.change((tx) => planMissedMail(tx, userId, batch))
    const bodies = next ? await bodiesOf(next, reader) : new Map<number, MessageBody>()
    const written = runtime.change((tx): Written | undefined => {
      const plan = planMissedMail(tx, userId, batch)
      if (!plan.next) return plan
      const isGone = ({ id }: { id: number }) => isDeleted(bodies.get(id))
      const missed = plan.next.missed.filter(({ message }) => !isGone(message))
      const gone = plan.next.missed.filter(({ message }) => isGone(message)).map(({ message }) => message.id)
      const dropped = [...plan.dropped, ...gone]
      if (missed.length === 0) return { next: undefined, dropped }
      const before = plan.next.before.filter((message) => !isGone(message))
      const conversation = { ...plan.next, missed, before }
      const email = writeMissedMail(tx, conversation, { bodies, isOneOfMany, domain: runtime.emails.domain })
      return email && { next: conversation, dropped, email }
    })
    if (written) return written
  }
  throw new Error('What is to be mailed is being edited')
}

function isDeleted(body: MessageBody | undefined): boolean {
  return body?.content === DELETED
}

/** Returns the bodies. If they are too large to hold, only whether it is deleted is kept of each message that the mail only counts. */
async function bodiesOf(
  { before, missed }: MissedConversation,
  reader: BodyReader,
): Promise<Map<number, MessageBody>> {
  const messages = missed.map(({ message }) => message)
  const wanted = [...before, ...messages]
  const together = await reader.readVersions(wanted)
  if (together.size === wanted.length) return together
  const known = await readAllVersions(reader, messages, (body) => ({
    ...body,
    content: isDeleted(body) ? DELETED : '',
    renderedContent: '',
  }))
  const shown = messages.filter(({ id }) => !isDeleted(known.get(id))).slice(0, MAX_SHOWN)
  const texts = await readAllVersions(reader, [...before, ...shown])
  for (const { id } of shown) known.delete(id)
  return new Map([...known, ...texts])
}

/**
 * Returns when the next mail about missed messages may be sent to this person, if not now (UNIX seconds). Mail to one person is counted
 * one by one; the thousands of an organization by periods of the clock, in one row. Source: docs/interface/conventions.md#rate-limits.
 */
function missedMailMayGoAt(
  { sql, now }: RealmReads,
  userId: number,
  { missedMail, missedMailByUser }: RateLimits,
): number | undefined {
  const counts = readCounts(sql)
  const full = missedMail.filter((limit) => sentInPeriod(counts, limit, now) >= limit.requests)
  const window = { seconds: longestWindow(missedMailByUser), now }
  const earlier = attemptsWithin(sql, 'mail_request', ownerOf(userId), window)
  const wait = secondsToWait(earlier, missedMailByUser, now)
  const times = [
    ...full.map(({ seconds }) => (periodOf(now, seconds) + 1) * seconds),
    // Stored times are whole seconds.
    ...(wait > 0 ? [now + Math.max(wait, 1)] : []),
  ]
  return times.length === 0 ? undefined : Math.max(...times)
}

function countMissedMail(
  { sql, now }: RealmTransaction,
  userId: number,
  { missedMail, missedMailByUser }: RateLimits,
): void {
  forgetAttempts(sql, 'mail_request', ownerOf(userId), now - longestWindow(missedMailByUser))
  insertAttempt(sql, 'mail_request', ownerOf(userId), now)
  const counts = readCounts(sql)
  const counted = missedMail.map((limit) => {
    const { seconds } = limit
    return `${seconds}:${periodOf(now, seconds)}:${sentInPeriod(counts, limit, now) + 1}`
  })
  writeMeta(sql, 'missed_mail_hour', counted.join(' '))
}

function ownerOf(userId: number): string {
  return `missed ${userId}`
}

/** Returns the number of the period that a time is in. Periods have this many seconds, and are counted from the beginning of UNIX time. */
function periodOf(time: number, seconds: number): number {
  return Math.floor(time / seconds)
}

interface SentInPeriod {
  readonly seconds: number
  readonly period: number
  readonly count: number
}

/** Returns the last period of each limit in which mail was sent. */
function readCounts(sql: Sql): SentInPeriod[] {
  return (readMeta<string>(sql, 'missed_mail_hour') ?? '').split(' ').map((counted) => {
    const [seconds = 0, period = 0, count = 0] = counted.split(':').map(Number)
    return { seconds, period, count }
  })
}

function sentInPeriod(counts: readonly SentInPeriod[], { seconds }: RateLimit, now: number): number {
  const current = periodOf(now, seconds)
  return counts.find((one) => one.seconds === seconds && one.period === current)?.count ?? 0
}

/** Reads the bodies of exactly these versions, in as many reads as needed; changed ones are left out. `keep` returns what to hold of each. */
export async function readAllVersions(
  reader: BodyReader,
  wanted: readonly BodyVersion[],
  keep: (body: MessageBody) => MessageBody = (body) => body,
): Promise<Map<number, MessageBody>> {
  const bodies = new Map<number, MessageBody>()
  for (let left = wanted; left.length > 0; ) {
    const found = await reader.readVersions(left)
    if (found.size === 0) break
    for (const [id, body] of found) bodies.set(id, keep(body))
    left = left.filter(({ id }) => !bodies.has(id))
  }
  return bodies
}
