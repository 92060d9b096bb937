import type { RequestSource } from '../../../core/call.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { callForNewPerson } from '../../bots/enqueue-calls.ts'
import { withinQuota } from '../../quotas/within-quota.ts'
import { subscribeToDefaultChannels } from '../../subscriptions/default-subscriptions.ts'
import { addUser, greetNewUser } from './add-user.ts'

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
