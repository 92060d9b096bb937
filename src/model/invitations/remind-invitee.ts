import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { findInvitation, type Invitation } from '../../store/invitations/invitation-rows.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'
import { mailInvitations } from './invitation-mail.ts'
import { standingInvitation } from './standing-invitation.ts'

/** The job that reminds a user of an invitation; its key is the invitation's id. */
export const REMIND_INVITEE = 'remind-invitee'

/**
 * Seconds of validity below which an invitation gets no reminder
 * (docs/interface/invitations.md#invite-by-mail).
 */
const MIN_VALIDITY = 4 * DAY
const BEFORE_EXPIRY = 2 * DAY

export function scheduleReminder(
  tx: RealmTransaction,
  id: number,
  { expiresAt }: Pick<Invitation, 'expiresAt'>,
): void {
  if (expiresAt === null || expiresAt - Math.floor(tx.now) < MIN_VALIDITY) return
  tx.schedule({ kind: REMIND_INVITEE, key: String(id), dueAt: expiresAt - BEFORE_EXPIRY })
}

/** Sends one more mail, if the invitation is still open. */
export function remindInvitee(tx: RealmTransaction, id: number): undefined {
  const invitation = findInvitation(tx.sql, 'email', id)
  if (invitation?.state !== 'pending' || invitation.expiresAt === null) return undefined
  if (invitation.expiresAt <= tx.now || !standingInvitation(tx, invitation)) return undefined
  // A user who has got so many others needs no reminder.
  if (countMailToStranger(tx, {}, invitation.email!) !== undefined) return undefined
  mailInvitations(tx, [invitation], { isReminder: true })
  return undefined
}
