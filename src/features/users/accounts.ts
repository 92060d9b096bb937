import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { hashPassword } from '../../api/in-worker/password-hash.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { json, pathInteger, textUpTo, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { requireFreeName } from '../../model/bots/bot-rules.ts'
import { changeBotOwner } from '../../model/bots/change-bot-owner.ts'
import type { Caller } from '../../model/caller.ts'
import { queueLetter } from '../../model/emails/letter.ts'
import { countMailToStranger } from '../../model/emails/mail-limits.ts'
import { textsFor } from '../../model/emails/texts/texts-for.ts'
import { closeWithBots, openAccount, openBotsOf } from '../../model/users/accounts/close-account.ts'
import { createUser } from '../../model/users/accounts/create-user.ts'
import { erase } from '../../model/users/accounts/erase-account.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { requireMayCreateBot, requireMayDeactivateUser } from '../../rules/user-rules.ts'
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
  async prepare(params) {
    return { ...params, password_hash: await hashPassword(params.password) }
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
  needsProof: ({ actions }) => actions !== undefined && Object.values(actions).some((isWanted) => isWanted),
  params: {
    user_id: pathInteger,
    deactivation_notification_comment: v.optional(
      v.pipe(
        trimmedTextUpTo(MAX_COMMENT_LENGTH),
        v.description('If it is given, a mail with this text is sent to the person.'),
      ),
    ),
    actions: v.optional(
      v.pipe(
        json(
          v.object({
            delete_profile: flag,
            delete_public_channel_messages: flag,
            delete_private_channel_messages: flag,
            delete_direct_messages: flag,
          }),
        ),
        v.description('What is deleted of the account and its bots.'),
      ),
    ),
  },
  apply(tx, caller, { user_id, deactivation_notification_comment: comment, actions }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
    const bots = openBotsOf(tx.sql, user)
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
      closedAccount.happened(fullName, user.deliveryEmail, organization),
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
    whenChanged: ({ params }) => ({
      action: 'user_reactivated',
      details: { user_id: params.user_id },
    }),
  },
})

/** Requires the right to create a bot of this type, since reactivating one amounts to the same. */
function requireMayReactivateBot(tx: RealmReads, { actor }: Caller, bot: User, botType: number): void {
  requireMayCreateBot(actor, botType, realmPermissions(tx.sql))
  requireFreeName(tx.sql, bot.fullName, bot.id)
}

/** Makes the caller the owner of a bot whose owner's account is closed. */
function adoptOrphan(tx: RealmTransaction, { user: caller }: Caller, bot: User): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) changeBotOwner(tx, bot, caller)
}
