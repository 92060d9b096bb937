import { log } from '../../core/log.ts'
import { DAY, HOUR } from '../../core/time.ts'
import { MAIL_OUTLET } from '../../model/missed-messages/note-missed-message.ts'
import {
  deleteWaitingDigests,
  leaseDigest,
  nextDigestAt,
  retryDigestLater,
} from '../../store/digests/digest-rows.ts'
import {
  leaseEmail,
  nextEmailAt,
  oldestWaitingEmail,
  retryEmailLater,
} from '../../store/emails/email-rows.ts'
import {
  deleteAllMissedMail,
  leaseMissedMail,
  nextMissedMailAt,
  retryMissedMailLater,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { beginOutgoing, type OutgoingWork } from '../outgoing-work.ts'
import { type MailItem, sendMail } from './attempt.ts'
import type { EmailRuntime } from './email-sender.ts'
import { giveUpDigest, giveUpEmail, giveUpMissedMail } from './failure.ts'

/** Seconds between two checks without a mail service, and how long mail waits for one. */
const UNCONFIGURED_SECONDS = HOUR
const WAITS_FOR_SERVICE_SECONDS = 7 * DAY
const GIVEN_UP_AT_ONCE = 100

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
      await sendMail(runtime, item)
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
