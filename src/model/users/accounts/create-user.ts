import { deploymentOf, type RequestSource } from '../../../core/call.ts'
import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { ROLES } from '../../../rules/roles.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { findUserByEmail, type NewUser, type User } from '../../../store/users/user-rows.ts'
import { callForNewPerson } from '../../bots/enqueue-calls.ts'
import type { Caller } from '../../caller.ts'
import { mailWelcome } from '../../emails/account-mails.ts'
import { countMailToStranger } from '../../emails/mail-limits.ts'
import { withinQuota } from '../../quotas/within-quota.ts'
import { subscribeToDefaultChannels } from '../../subscriptions/default-subscriptions.ts'
import { requireAllowedEmail } from '../addresses/email-rules.ts'
import { requirePasswordLength } from '../login/password-rules.ts'
import { requireAllowedFullName } from '../profile/full-name-rules.ts'
import { addUser, greetNewUser } from './add-user.ts'

export interface CreateUserParams {
  readonly email: string
  readonly password: string
  readonly full_name: string
  /** Hash of the password that the Worker has made, after the rehearsal. */
  readonly password_hash?: string
}

/**
 * Makes an account, for administrators. Source: docs/interface/users.md#create-a-user;
 * docs/decisions/interface.md#channels-groups-people.
 */
export const createUser: Command<Caller, CreateUserParams, void, { user_id: number }> = {
  apply(tx, caller, params) {
    const user = createAccount(tx, caller, params, { awaitsLogin: true })
    // The address may belong to someone who has asked for nothing; the welcome is left out rather than the account.
    if (countMailToStranger(tx, caller.source, user.deliveryEmail) === undefined) {
      mailWelcome(tx, user, caller.source)
    }
    return { user_id: user.id }
  },
}

/**
 * Makes an account without a mail. Local development makes users who seem to have been there for long.
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
  return enterAccount(tx, caller, account)
}

/**
 * Two rights that belong to single accounts, and that only the operator of the deployment gives: the owner
 * who founds an organization has both, and others get them by the settings CAN_CREATE_USERS and
 * CAN_CHANGE_EMAILS. They have no effect on an account that is no administrator's, which is checked
 * elsewhere. Source: docs/decisions/interface.md#channels-groups-people;
 * docs/interface/users.md#change-a-user.
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

/** The actor who makes an account: an administrator or an identity provider. */
interface Maker {
  readonly user?: Pick<User, 'id' | 'role'>
  readonly source: RequestSource
}

/**
 * Makes an account in the place of its person: subscribed to the default channels, announced and greeted.
 * @throws BadRequestError when there are too many accounts
 */
export function enterAccount(
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
