import { log } from '../../core/log.ts'
import type { RealmIdentity, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR } from '../../core/time.ts'
import type { OutgoingEmail } from '../../model/emails/letter.ts'
import { MAIL_OUTLET } from '../../model/missed-messages/note-missed-message.ts'
import {
  type Digest,
  deleteWaitingDigests,
  finishDigest,
  leaseDigest,
  nextDigestAt,
  retryDigestLater,
} from '../../store/digests/digest-rows.ts'
import {
  deleteEmail,
  type Email,
  leaseEmail,
  markEmailSent,
  NOBODY,
  nextEmailAt,
  oldestWaitingEmail,
  retryEmailLater,
} from '../../store/emails/email-rows.ts'
import {
  deleteAllMissedMail,
  leaseMissedMail,
  type MissedMail,
  nextMissedMailAt,
  retryMissedMailLater,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { addDeadLetter } from '../add-dead-letter.ts'
import { beginOutgoing, type OutgoingWork } from '../outgoing-work.ts'
import type { EmailRuntime } from './email-sender.ts'
import { handOverEmail } from './hand-over-email.ts'
import { mailDigest } from './mail-digest.ts'
import { mailMissed } from './mail-missed.ts'
import { giveUpMissedMail } from './plan-missed-mail.ts'

/** Seconds between two checks without a mail service, and how long mail waits for one. */
const UNCONFIGURED_SECONDS = HOUR
const WAITS_FOR_SERVICE_SECONDS = 7 * DAY
const GIVEN_UP_AT_ONCE = 100

type MailItem = { readonly attempts: number } & (
  | { readonly what: 'email'; readonly email: Email }
  | { readonly what: 'missed'; readonly missed: MissedMail }
  | { readonly what: 'digest'; readonly digest: Digest }
)

/**
 * Mail is finished once the service has it: a crash in between sends it twice rather than never. Mail that a user waits for (invitations,
 * links) goes before missed messages, and digests come last.
 */
const MAIL: OutgoingWork<MailItem, EmailRuntime> = {
  lane: 'mail',
  job: 'send-emails',
  lease({ sql }, now, until) {
    const email = leaseEmail(sql, now, until)
    if (email) return { what: 'email', email, attempts: email.attempts }
    const missed = leaseMissedMail(sql, now, until)
    if (missed) return { what: 'missed', missed, attempts: missed.attempts }
    const digest = leaseDigest(sql, now, until)
    return digest && { what: 'digest', digest, attempts: digest.attempts }
  },
  async carryOut(runtime, item) {
    try {
      await carryOut(runtime, item)
    } finally {
      // The next mail gets another turn: one to nobody, one that is put off, or one that is only kept, waits for
      // nothing else, and thousands may be due at once.
      await scheduler.wait(0)
    }
  },
  retryLater(tx, item, dueAt) {
    if (item.what === 'email') retryEmailLater(tx.sql, item.email.id, dueAt)
    else if (item.what === 'missed') retryMissedMailLater(tx.sql, item.missed.userId, dueAt)
    else retryDigestLater(tx.sql, item.digest.userId, dueAt)
  },
  giveUp(tx, item, reason) {
    if (item.what === 'email') giveUpEmail(tx, item.email, reason)
    else if (item.what === 'missed') giveUpMissedMail(tx, item.missed, reason)
    else giveUpDigest(tx, item.digest, reason)
  },
  nextAt({ sql }) {
    const times = [nextEmailAt(sql), nextMissedMailAt(sql), nextDigestAt(sql)].filter(
      (time) => time !== undefined,
    )
    return times.length === 0 ? undefined : Math.min(...times)
  },
}

function carryOut(runtime: EmailRuntime, item: MailItem): Promise<void> {
  if (item.what === 'email') return sendOne(runtime, item.email)
  return item.what === 'missed' ? mailMissed(runtime, item.missed) : mailDigest(runtime, item.digest)
}

async function sendOne(runtime: EmailRuntime, email: Email): Promise<void> {
  const { emails, sql, now, realm } = runtime
  const isMeant = email.recipient !== NOBODY
  if (isMeant) await handOverEmail(runtime, outgoingOf(realm, email))
  if (emails.keepSent && isMeant) markEmailSent(sql, email.id, now())
  else deleteEmail(sql, email.id)
}

function outgoingOf({ id, host }: RealmIdentity, email: Email): OutgoingEmail {
  return {
    messageId: `<mail-${id}-${email.id}-${email.createdAt}@${host}>`,
    recipient: email.recipient,
    subject: email.subject,
    text: email.body,
    ...(email.html === null ? {} : { html: email.html }),
    ...(email.headers === null ? {} : { headers: email.headers }),
    writtenAt: email.createdAt,
  }
}

/** Begins to send pending mail, each mail separately. Returns when to look again (UNIX seconds). */
export function sendEmails(runtime: EmailRuntime): number | undefined {
  return runtime.emails.isConfigured ? beginOutgoing(runtime, MAIL) : waitForService(runtime)
}

/** Keeps mail that a user asked for until there is a service; mail about messages is dropped. */
function waitForService(runtime: EmailRuntime): number | undefined {
  runtime.change((tx) => {
    tx.recallToChange(MAIL_OUTLET).isMissing = true
    if (nextMissedMailAt(tx.sql) !== undefined) deleteAllMissedMail(tx.sql)
    if (nextDigestAt(tx.sql) !== undefined) deleteWaitingDigests(tx.sql)
  })
  if (nextEmailAt(runtime.sql) === undefined) return undefined
  log('warn', 'mail waits, since no mail service is configured', { organization: runtime.realm.host })
  const isMore = runtime.change((tx) => {
    for (let count = 0; count < GIVEN_UP_AT_ONCE; count += 1) {
      const old = oldestWaitingEmail(tx.sql, tx.now - WAITS_FOR_SERVICE_SECONDS)
      if (!old) return false
      giveUpEmail(tx, old, 'No mail service is configured.')
    }
    return true
  })
  return runtime.now() + (isMore ? 1 : UNCONFIGURED_SECONDS)
}

/** Moves a digest to the dead letters, with its reader but without content. */
function giveUpDigest(
  tx: RealmTransaction,
  { userId, round, origin, attempts, firstTriedAt }: Digest,
  error: string,
): void {
  finishDigest(tx.sql, userId)
  addDeadLetter(tx, {
    kind: 'mail',
    description: `Digest to ${findUser(tx.sql, userId)?.deliveryEmail}`,
    firstTriedAt,
    attempts,
    error,
    payload: { digest_of: userId, round, origin },
  })
}

/** Moves a mail to the dead letters, from which owners can retry it. */
function giveUpEmail(tx: RealmTransaction, email: Email, error: string): void {
  deleteEmail(tx.sql, email.id)
  if (email.recipient === NOBODY) return
  const { recipient, subject, body, html, headers, attempts, firstTriedAt } = email
  addDeadLetter(tx, {
    kind: 'mail',
    description: `Mail to ${recipient}: ${subject}`,
    firstTriedAt: firstTriedAt ?? email.createdAt,
    attempts,
    error,
    payload: {
      recipient,
      subject,
      body,
      ...(html === null ? {} : { html }),
      ...(headers === null ? {} : { headers: JSON.stringify(headers) }),
    },
  })
}
