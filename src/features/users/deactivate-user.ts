import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { json, pathInteger, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { queueLetter } from '../../model/emails/letter.ts'
import { countMailToStranger } from '../../model/emails/mail-limits.ts'
import { textsFor } from '../../model/emails/texts/texts-for.ts'
import { closeWithBots, openBotsOf } from '../../model/users/accounts/close-account.ts'
import { type ErasureActions, erase } from '../../model/users/accounts/erase-account.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { requireMayDeactivateUser } from '../../rules/user-rules.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser, isOnlyOwner, type User } from '../../store/users/user-rows.ts'

/** Limit of the public server. */
const MAX_COMMENT_LENGTH = 2_000

const flag = v.optional(v.boolean(), false)

/**
 * Closes a person's account; bots have an endpoint of their own. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const deactivateUserEndpoint = defineEndpoint({
  operation: 'deactivate-user',
  method: 'DELETE',
  path: '/users/:user_id',
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
  returns: v.object({}),
  command: { apply: deactivateUser },
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.user_id, ...params.actions },
  }),
})

interface DeactivateUserParams {
  readonly user_id: number
  /** If present, the user is notified by mail; empty: without a comment. */
  readonly deactivation_notification_comment?: string
  /** What is deleted of the account; absent: nothing. */
  readonly actions?: ErasureActions
}

function deactivateUser(
  tx: RealmTransaction,
  caller: Caller,
  { user_id, deactivation_notification_comment: comment, actions }: DeactivateUserParams,
): object {
  const user = requireUserToAdminister(tx.sql, caller, user_id)
  if (user.botType !== null) throw new BadRequestError('No such user')
  if (!user.isActive) throw new BadRequestError('User is deactivated')
  requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
  const bots = openBotsOf(tx.sql, user)
  closeWithBots(tx, user)
  if (comment !== undefined) mailDeactivation(tx, caller, user, comment)
  if (actions !== undefined) erase(tx, findUser(tx.sql, user.id)!, bots, actions)
  return {}
}

/**
 * Notifies people that their account was closed, with the comment of the person who closed it. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
function mailDeactivation(tx: RealmTransaction, caller: Caller, user: User, comment: string): void {
  if (!user.isEmailConfirmed) return
  // Accounts can be closed and opened again without end.
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
