import { mayCreateChannel, mayMakeWebPublic } from '../../rules/channel-setting-rules.ts'
import { hasRealmGrant } from '../../rules/grants.ts'
import { isAdministrator, isGuest, isModerator, isOwner } from '../../rules/roles.ts'
import { findPausedAddress } from '../../store/emails/paused-address-rows.ts'
import { listSystemBots } from '../../store/users/user-rows.ts'
import { creationFacts } from '../channels/web-public-channels.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { avatarUrl } from '../users/profile/avatar.ts'
import { presentUser } from '../users/read/present-user.ts'
import { hasAny } from './personal-lists.ts'
import { presentDirectory } from './present-directory.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `realm_user`: everybody whom the caller may see, and the caller's own account. */
export const realmUserSnapshot: Snapshot = (tx, caller, options) => {
  const { clientGravatar, capabilities } = options
  const { user, actor } = caller
  const viewer = { viewer: user, realm: tx.realm, clientGravatar, includeProfileData: true }
  const users = presentDirectory(tx, caller, {
    clientGravatar,
    mayBeIncomplete: capabilities.has('user_list_incomplete'),
  })
  const facts = creationFacts(tx.sql, caller.source)
  const mayCreatePublic = mayCreateChannel(actor, { isPrivate: false }, facts)
  const mayCreatePrivate = mayCreateChannel(actor, { isPrivate: true }, facts)
  return {
    realm_users: users.active,
    realm_non_active_users: users.nonActive,
    cross_realm_bots: listSystemBots(tx.sql).map((bot) => presentUser(bot, viewer)),
    avatar_source: user.avatarSource,
    avatar_url: avatarUrl(user, tx.realm),
    avatar_url_medium: avatarUrl(user, tx.realm, 'medium'),
    user_id: user.id,
    email: apiEmail(user, tx.realm),
    delivery_email: user.deliveryEmail,
    delivery_email_refused: hasAny('pausedAddresses', tx, user, options)
      ? findPausedAddress(tx.sql, user)
      : null,
    delivery_email_unconfirmed: !user.isEmailConfirmed && tx.sendsMail(),
    full_name: user.fullName,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_moderator: isModerator(user),
    is_guest: isGuest(user),
    can_create_private_streams: mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_web_public_streams: mayMakeWebPublic(actor, facts),
    can_create_streams: mayCreatePrivate || mayCreatePublic,
    can_invite_others_to_realm: hasRealmGrant(actor, facts, 'can_invite_users_group'),
  }
}
