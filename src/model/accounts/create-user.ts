import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { ROLES } from '../../rules/roles.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUserByEmail, type NewUser, type User } from '../../store/users/user-rows.ts'
import { callForNewPerson } from '../bots/enqueue-calls.ts'
import type { Caller } from '../caller.ts'
import { mailWelcome } from '../emails/account-mails.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { subscribeToDefaultChannels } from '../subscriptions/default-subscriptions.ts'
import { requireAllowedEmail } from '../users/addresses/email-rules.ts'
import { requirePasswordLength } from '../users/login/password-rules.ts'
import { addUser, greetNewUser } from './add-user.ts'
import { requireAllowedFullName } from './full-name-rules.ts'

export interface CreateUserParams {
  readonly email: string
  readonly password: string
  readonly full_name: string
  /** Hash of the password, which the Worker makes after the rehearsal. */
  readonly password_hash?: string
}

export function createUser(
  tx: RealmTransaction,
  caller: Caller,
  params: CreateUserParams,
): { user_id: number } {
  const user = createAccount(tx, caller, params, { awaitsLogin: true })
  // The address may be a stranger's, who gets a limited number of mails: then only the welcome is left out.
  if (countMailToStranger(tx, caller.source, user.deliveryEmail) === undefined) {
    mailWelcome(tx, user, caller.source)
  }
  return { user_id: user.id }
}

/**
 * Creates an account without a mail. Local development creates users who do not await their first log-in.
 *
 * @throws BadRequestError
 */
export function createAccount(
  tx: RealmTransaction,
  caller: Caller,
  { email, password, full_name, password_hash }: CreateUserParams,
  more: Pick<NewUser, 'awaitsLogin'> = {},
): User {
  const { user: creator, source } = caller
  if (!mayCreateUsers(creator, source)) throw new BadRequestError('User not authorized to create users')
  const fullName = requireAllowedFullName(tx.sql, full_name)
  const deliveryEmail = requireAllowedEmail(tx.sql, email)
  if (findUserByEmail(tx.sql, deliveryEmail)) throw new BadRequestError('Email is already in use.')
  requirePasswordLength(password)
  const account = {
    deliveryEmail,
    fullName,
    role: ROLES.member,
    passwordHash: password_hash ?? null,
    ...more,
  }
  return insertAccount(tx, caller, account)
}

/**
 * Whether an administrator may create users. Like `mayChangeEmails` this is a right of single accounts: the founder has both,
 * and the operator gives them to others by the settings CAN_CREATE_USERS and CAN_CHANGE_EMAILS. Callers check that the user
 * is an administrator. Source: docs/decisions/interface.md#channels-groups-people; docs/interface/users.md#change-a-user.
 */
function mayCreateUsers(user: User, source: RequestSource): boolean {
  return user.canCreateUsers || isNamed(user, deploymentOf(source).userCreators)
}

export function mayChangeEmails(user: User, source: RequestSource): boolean {
  return user.canChangeEmails || isNamed(user, deploymentOf(source).emailChangers)
}

function isNamed({ deliveryEmail, botType }: User, addresses: readonly string[]): boolean {
  return botType === null && addresses.includes(deliveryEmail.toLowerCase())
}

/** The creator of an account: an administrator or an identity provider. */
interface Maker {
  readonly user?: Pick<User, 'id' | 'role'>
  readonly source: RequestSource
}

/**
 * Enters an account for a person: announced, subscribed to the default channels, and greeted.
 * @throws BadRequestError when there are too many accounts
 */
export function insertAccount(
  tx: RealmTransaction,
  maker: Maker,
  account: Parameters<typeof addUser>[1],
): User {
  const user = withinQuota(tx, maker, 'accounts', () => addUser(tx, account))
  subscribeToDefaultChannels(tx, user)
  callForNewPerson(tx, user, maker.user?.id ?? null)
  greetNewUser(tx, user, {
    text: realmProperty(tx.sql, 'welcome_message_custom_text'),
    origin: maker.source.origin,
  })
  return user
}
