import type { Command } from '../../core/command.ts'
import { NotFoundError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import type { Anyone } from '../anyone.ts'
import { NOBODY, requireRoomForEmail } from '../emails/email-rows.ts'
import { queueLetter } from '../emails/letter.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'
import { textsForVisitor } from '../emails/texts/texts-for.ts'
import { getsMail } from '../missed-messages/gets-mail.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { requireAllowedEmail } from '../users/addresses/email-rules.ts'
import { findUser, findUserByEmail } from '../users/user-rows.ts'
import { countJoining } from './count-joining.ts'
import { invitationUrl } from './invitation-mail.ts'
import type { Invitation } from './invitation-rows.ts'
import { requireOpenInvitation } from './open-invitation.ts'
import { deleteExpiredSignUps, findSignUp, putSignUp } from './sign-up-rows.ts'

export interface AskToJoinParams {
  readonly secret: string
  readonly email: string
  /** Language of the page, if the browser asks for one. */
  readonly language?: string
}

const VALID_SECONDS = DAY

/**
 * Mails a link to the address with which somebody wants to join by an invitation link: whoever has such a link could otherwise join
 * with anybody's address. The answer does not reveal whether an account has it: every address is counted alike, and the same rows are
 * written. Source: docs/interface/invitations.md#links.
 */
export const askToJoin: Command<Anyone, AskToJoinParams, void, object> = {
  apply(tx, { source }, { secret, email, language }) {
    const { invitation, address } = requireOpenInvitation(tx, secret)
    // A link that came by mail has confirmed its address.
    if (address !== null) throw new NotFoundError('This invitation is not valid any more.')
    const typed = requireAllowedEmail(tx.sql, email)
    countJoining(tx, source)
    const wait = countMailToStranger(tx, source, typed)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    requireRoomForEmail(tx.sql)
    mailSignUp(tx, invitation, {
      email: typed,
      url: openSignUp(tx, invitation, typed, source.origin),
      language,
    })
    return {}
  },
}

/** Returns the address of the page for the account. Asking once more does not end an earlier link, which somebody else might do. */
function openSignUp(tx: RealmTransaction, { id: linkId }: Invitation, email: string, origin: string): string {
  deleteExpiredSignUps(tx.sql, tx.now)
  const secret = findSignUp(tx, email, linkId)?.secret ?? tx.randomHex(16)
  putSignUp(tx.sql, { secret, linkId, email, expiresAt: tx.now + VALID_SECONDS })
  return invitationUrl(origin, { secret })
}

function mailSignUp(
  tx: RealmTransaction,
  { referrerId, origin }: Invitation,
  { email, url, language }: { email: string; url: string; language: string | undefined },
): void {
  const organization = realmProperty(tx.sql, 'name')
  const texts = textsForVisitor(tx, language)
  const { signUp } = texts
  const holder = findUserByEmail(tx.sql, email)
  const referrer = findUser(tx.sql, referrerId)!.fullName
  queueLetter(tx, texts, {
    // Closed accounts, and bots, get no mail.
    recipient: holder && !getsMail(holder) ? NOBODY : email,
    subject: signUp.subject(organization),
    paragraphs: [
      texts.greeting(),
      signUp.happened(referrer, organization),
      ...(holder ? [signUp.hasAccount(organization, `${origin}/`)] : [signUp.link(url), signUp.validity]),
    ],
  })
}
