import { log } from '../core/log.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import { DAY, HOUR } from '../core/time.ts'
import {
  deleteEmail,
  type Email,
  leaseEmail,
  markEmailSent,
  NOBODY,
  nextEmailAt,
  oldestWaitingEmail,
  postponeEmail,
  SEND_EMAILS,
} from '../domain/emails/email-rows.ts'
import { giveUpEmail } from '../domain/emails/give-up-email.ts'
import { changeBy } from './change-by-job.ts'
import type { OutgoingEmail } from './outgoing-email.ts'
import { beginOutgoing, type OutgoingWork } from './outgoing-work.ts'
import type { Runtime } from './runtime.ts'

/** Without a mail service: how soon to look again, and how long mail waits for one. */
const UNCONFIGURED_SECONDS = HOUR
const WAITS_FOR_SERVICE_SECONDS = 7 * DAY
const GIVEN_UP_AT_ONCE = 100

/**
 * A mail is taken off only when the service has it: a crash in between sends it twice rather than never.
 */
const MAIL: OutgoingWork<Email> = {
  lane: 'mail',
  job: SEND_EMAILS,
  lease: ({ sql }, now, until) => leaseEmail(sql, now, until),
  async carryOut({ emails, sql, now, realm }, email) {
    const isMeant = email.recipient !== NOBODY
    if (isMeant) await emails.send(outgoingOf(realm, email))
    if (emails.keepSent && isMeant) markEmailSent(sql, email.id, now())
    else deleteEmail(sql, email.id)
  },
  postpone: (tx, email, dueAt) => postponeEmail(tx.sql, email.id, dueAt),
  giveUp: giveUpEmail,
  nextAt: ({ sql }) => nextEmailAt(sql),
}

function outgoingOf({ id, host }: RealmIdentity, email: Email): OutgoingEmail {
  return {
    messageId: `<mail-${id}-${email.id}-${email.createdAt}@${host}>`,
    recipient: email.recipient,
    subject: email.subject,
    text: email.body,
    writtenAt: email.createdAt,
  }
}

/** Begins to hand waiting mail over, each mail by itself. Answers when to look again (UNIX seconds). */
export function sendEmails(runtime: Runtime): number | undefined {
  return runtime.emails.isConfigured ? beginOutgoing(runtime, MAIL) : waitForService(runtime)
}

function waitForService(runtime: Runtime): number | undefined {
  if (nextEmailAt(runtime.sql) === undefined) return undefined
  log('warn', 'mail waits: no way out is set for it')
  const isMore = changeBy(runtime, (tx) => {
    for (let count = 0; count < GIVEN_UP_AT_ONCE; count += 1) {
      const old = oldestWaitingEmail(tx.sql, tx.now - WAITS_FOR_SERVICE_SECONDS)
      if (!old) return false
      giveUpEmail(tx, old, 'No mail service is configured.')
    }
    return true
  })
  return runtime.now() + (isMore ? 1 : UNCONFIGURED_SECONDS)
}
