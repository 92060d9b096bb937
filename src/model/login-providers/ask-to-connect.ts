import type { RequestSource } from '../../core/call.ts'
import { NotFoundError } from '../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { hasRoomForEmail } from '../../store/emails/email-rows.ts'
import { findLoginIdentity, insertLoginIdentity } from '../../store/login-providers/login-provider-rows.ts'
import { changeUser, type User } from '../../store/users/user-rows.ts'
import { openConfirmation, requireConfirmation } from '../confirmations/confirmation.ts'
import { mailCredentialChange } from '../emails/account-mails.ts'
import { mailboxOf, queueLetterTo } from '../emails/letter.ts'
import { countMailRequest } from '../emails/mail-limits.ts'
import { type ProviderAtHand, requireProviderOn } from './find-login-provider.ts'
import { hasIdentityAt, type ProviderRefusal } from './proven-person.ts'

/** What may be connected with an account: the person at a provider; or, null, the tokens of the organization's other system. */
export type Connection = (ProviderAtHand & { readonly subject: string }) | null

interface KeptConnection {
  readonly connection: Connection
}

/**
 * Mails a user a link that lets a provider, or the other system's tokens, open their account, which somebody has just tried. As seldom as other
 * mail that is asked for; an earlier link stays valid then. `name`: of the provider.
 */
export function askToConnect(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  { connection, name }: { readonly connection: Connection; readonly name: string | null },
): void {
  if (mailboxOf(user) === undefined || !hasRoomForEmail(tx.sql)) return
  if (countMailRequest(tx, source, `connection:${user.id}`) !== undefined) return
  const secret = openConfirmation(tx, 'connection', user, jsonText<KeptConnection>({ connection }))
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.connection.subject(organization),
    paragraphs: [
      texts.connection.happened({ address: user.deliveryEmail, organization, name }),
      texts.connection.link(`${source.origin}/accounts/connect/${secret}`),
      texts.connection.validity,
    ],
  }))
}

/** Returns what the link connects, and with whose account. @throws NotFoundError when it is not valid any more */
export function requireConnection(
  view: RealmView,
  secret: string,
): { readonly user: User; readonly connection: Connection; readonly name: string | null } {
  const { user, confirmation } = requireConfirmation(view, 'connection', secret)
  const { connection } = fromJson(confirmation.newEmail as JsonText<KeptConnection>)
  if (connection === null) return { user, connection, name: null }
  const provider = requireProviderOn(view.sql, connection)
  const isFree =
    !findLoginIdentity(view.sql, provider.id, connection.subject) && !hasIdentityAt(view.sql, provider, user)
  if (!isFree) throw new NotFoundError('This link is not valid any more.')
  return { user, connection, name: provider.displayName }
}

/** Lets the tokens of the other system open the account, and says so to its user. */
export function connectTokens(tx: RealmTransaction, user: User, source: RequestSource): void {
  if (user.opensByToken) return
  changeUser(tx.sql, user.id, { opensByToken: true })
  mailCredentialChange(tx, user, source, 'tokensConnected')
}

/** Connects the person at a provider with the account, whose user gets a mail. Returns why not, or null. */
export function connectIdentity(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  { subject, ...atHand }: ProviderAtHand & { readonly subject: string },
): ProviderRefusal | null {
  const provider = requireProviderOn(tx.sql, atHand)
  const identity = findLoginIdentity(tx.sql, provider.id, subject)
  if (identity) return identity.userId === user.id ? null : 'other_person'
  if (hasIdentityAt(tx.sql, provider, user)) return 'other_identity'
  insertLoginIdentity(tx.sql, { providerId: provider.id, subject, userId: user.id, madeAt: tx.now })
  mailCredentialChange(tx, user, source, 'loginConnected')
  return null
}
