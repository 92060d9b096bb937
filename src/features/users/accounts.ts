import * as v from 'valibot'
import { changeOfAccount } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, json, pathInteger, textUpTo, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { Continuation, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { takeOverBot } from '../../model/accounts/bots/take-over-bot.ts'
import { closeWithBots, openAccount, openBotsOf } from '../../model/accounts/close-account.ts'
import { createUser } from '../../model/accounts/create-user.ts'
import { eraseProfile } from '../../model/accounts/erase-profile.ts'
import { requireFreeName } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { deleteMessagesOf } from '../../model/editing/delete-messages.ts'
import { queueLetter } from '../../model/emails/letter.ts'
import { countMailToStranger } from '../../model/emails/mail-limits.ts'
import { textsFor } from '../../model/emails/texts-for.ts'
import { isUserHeld, requireNoAccountHeld } from '../../model/holds/held.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { requireMayCreateBot } from '../../rules/bot-rules.ts'
import { isAboveMember } from '../../rules/roles.ts'
import { requireMayDeactivateUser } from '../../rules/user-rules.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { findLeft } from '../../store/open-changes/continuation-rows.ts'
import { realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser, isOnlyOwner, isOnlyPerson, type User } from '../../store/users/user-rows.ts'

/** Creates an account, for administrators. Source: docs/interface/users.md#create-a-user. */
export const createUserEndpoint = defineEndpoint({
  operation: 'create-user',
  route: 'POST /users',
  access: 'administrator',
  growsObject: true,
  params: { email: textUpTo(NAME_LENGTH), password: textUpTo(NAME_LENGTH), full_name: textUpTo(NAME_LENGTH) },
  returns: v.object({ user_id: v.number() }),
  apply: createUser,
  audit: ({ value }) => ({ action: 'user_created', details: { user_id: value.user_id } }),
  async prepare(params, { hasher }) {
    return { ...params, password_hash: await hasher.hash(params.password) }
  },
})

/** The public server's limit. */
const MAX_COMMENT_LENGTH = 2_000

const flag = v.optional(v.boolean(), false)

/** Closes a person's account; bots have their own endpoint. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateUserEndpoint = defineEndpoint({
  operation: 'deactivate-user',
  route: 'DELETE /users/:user_id',
  access: 'user',
  needsProof: true,
  params: {
    user_id: pathInteger,
    deactivation_notification_comment: v.optional(
      described(
        trimmedTextUpTo(MAX_COMMENT_LENGTH),
        'If it is given, a mail with this text is sent to the person.',
      ),
    ),
    actions: v.optional(
      described(
        json(
          v.object({
            delete_profile: flag,
            delete_public_channel_messages: flag,
            delete_private_channel_messages: flag,
            delete_direct_messages: flag,
          }),
        ),
        'What is deleted of the account and its bots.',
      ),
    ),
  },
  apply(tx, caller, { user_id, deactivation_notification_comment: comment, actions }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
    const bots = openBotsOf(tx.sql, user)
    if (actions !== undefined) requireNoAccountHeld(tx.sql, [user, ...bots])
    closeWithBots(tx, user)
    if (comment !== undefined) mailDeactivation(tx, caller, user, comment)
    if (actions !== undefined) erase(tx, findUser(tx.sql, user.id)!, bots, actions)
  },
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.user_id, ...params.actions },
  }),
})

/**
 * Notifies a user that their account was closed, with the closing person's comment. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
function mailDeactivation(tx: RealmTransaction, caller: Caller, user: User, comment: string): void {
  if (!user.isEmailConfirmed) return
  // Accounts can be closed and reopened any number of times.
  if (countMailToStranger(tx, caller.source, user.deliveryEmail) !== undefined) return
  const texts = textsFor(user)
  const { closedAccount } = texts
  const organization = realmProperty(tx.sql, 'name')
  const { fullName } = caller.user
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: closedAccount.subject(organization),
    paragraphs: [
      texts.greeting(),
      closedAccount.happened({ by: fullName, address: user.deliveryEmail, organization }),
      ...(comment === '' ? [] : [`${closedAccount.comment(fullName)}\n${comment.replace(/^/gm, '> ')}`]),
    ],
  })
}

/** Closes the caller's own account. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateOwnUserEndpoint = defineEndpoint({
  operation: 'deactivate-own-user',
  route: 'DELETE /users/me',
  access: 'human',
  needsProof: true,
  apply(tx, { user }) {
    requireNotLast(tx.sql, user)
    closeWithBots(tx, user)
  },
  audit: ({ actorId }) => ({
    action: 'user_deactivated',
    details: { user_id: actorId },
  }),
})

function requireNotLast(sql: Sql, user: User): void {
  if (isOnlyOwner(sql, user)) throw new CannotDeactivateLastUserError(true)
  if (isOnlyPerson(sql, user)) throw new CannotDeactivateLastUserError(false)
}

class CannotDeactivateLastUserError extends ApiError {
  constructor(isLastOwner: boolean) {
    const entity = isLastOwner ? 'organization owner' : 'user'
    super('CANNOT_DEACTIVATE_LAST_USER', `Cannot deactivate the only ${entity}.`, {
      is_last_owner: isLastOwner,
      entity,
    })
  }
}

/** Reopens a closed account; an open one stays as it is. Source: docs/interface/users.md#close-and-open-an-account. */
export const reactivateUserEndpoint = defineEndpoint({
  operation: 'reactivate-user',
  route: 'POST /users/:user_id/reactivate',
  access: 'user',
  needsProofFor: ({ sql }, { user_id }) => isAboveMember(findUser(sql, user_id)!),
  params: { user_id: pathInteger },
  apply(tx, caller, { user_id }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.isActive) return
    if (user.isDeleted) throw new BadRequestError('Deleted users cannot be reactivated.')
    if (user.botType !== null) requireMayReactivateBot(tx, caller, user, user.botType)
    openAccount(tx, user)
    if (user.botType !== null) adoptOrphan(tx, caller, user)
  },
  audit: {
    whenChanged: ({ params, events }) => [
      { action: 'user_reactivated', details: { user_id: params.user_id } },
      ...changeOfAccount({ events }),
    ],
  },
})

/** Requires the right to create a bot of this type, since reactivating one amounts to the same. */
function requireMayReactivateBot(tx: RealmReads, { actor }: Caller, bot: User, botType: number): void {
  requireMayCreateBot(actor, botType, realmPermissions(tx.sql))
  requireFreeName(tx.sql, bot.fullName, bot.id)
}

/** Makes the caller the owner of a bot whose owner's account is closed. */
function adoptOrphan(tx: RealmTransaction, caller: Caller, bot: User): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) takeOverBot(tx, caller, findUser(tx.sql, bot.id)!, caller.user)
}

/** The data to delete with a closed account. Source: docs/interface/users.md#close-and-open-an-account. */
export interface ErasureActions {
  readonly delete_profile: boolean
  readonly delete_public_channel_messages: boolean
  readonly delete_private_channel_messages: boolean
  readonly delete_direct_messages: boolean
}

/** The data that is still to be deleted. */
interface Erasure {
  readonly actions: ErasureActions
  /** The closed account, then its bots. The first one is being erased. */
  readonly accounts: readonly number[]
  /** The first account's messages above this id are left; those after `upTo` were sent after the request. */
  readonly above: number
  readonly upTo: number
}

/** The name of accounts that were closed with `delete_profile`. */
const NAME_OF_DELETED = 'Deleted user'

/** Deletes the requested data of a just closed account and its bots: the profile at once, the rest commit by commit. */
function erase(tx: RealmTransaction, user: User, bots: readonly User[], actions: ErasureActions): void {
  if (Object.values(actions).every((isWanted) => !isWanted)) return
  const accounts = [user.id, ...bots.map(({ id }) => id)]
  const upTo = newestMessageId(tx.sql)
  // The account may have been reopened while an earlier erasure was under way.
  const former = findLeft(tx.sql, erasure, String(user.id))?.actions
  const left = eraseNext(tx, { actions: either(actions, former), accounts, above: 0, upTo })
  tx.continueLater(erasure, String(user.id), left)
}

export const erasure: Continuation<Erasure> = { name: 'erase-account', next: eraseNext }

function eraseNext(tx: RealmTransaction, erasure: Erasure): Erasure | undefined {
  const { actions, accounts, above, upTo } = erasure
  const [id, ...others] = accounts
  const user = id === undefined ? undefined : findUser(tx.sql, id)
  if (user && actions.delete_profile && !isUserHeld(tx.sql, user.id)) eraseProfile(tx, user, NAME_OF_DELETED)
  const places = {
    inPublicChannels: actions.delete_public_channel_messages,
    inPrivateChannels: actions.delete_private_channel_messages,
    inConversations: actions.delete_direct_messages,
  }
  const reached = user && deleteMessagesOf(tx, user.id, places, { above, upTo }).reached
  const next = reached === undefined ? { accounts: others, above: 0 } : { accounts, above: reached }
  return next.accounts.length > 0 ? { actions, upTo, ...next } : undefined
}

function either(a: ErasureActions, b: ErasureActions = a): ErasureActions {
  return {
    delete_profile: a.delete_profile || b.delete_profile,
    delete_public_channel_messages: a.delete_public_channel_messages || b.delete_public_channel_messages,
    delete_private_channel_messages: a.delete_private_channel_messages || b.delete_private_channel_messages,
    delete_direct_messages: a.delete_direct_messages || b.delete_direct_messages,
  }
}
