import type { RequestSource } from '../../core/call.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import { findChannel, listDefaultChannels } from '../../store/channels/channel-rows.ts'
import { type Invitation, setInvitationState } from '../../store/invitations/invitation-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { insertMembers } from '../../store/user-groups/membership-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { noteLogin } from '../attempts/networks-of-people.ts'
import { callForNewPerson } from '../bots/enqueue-calls.ts'
import { mailWelcome } from '../emails/account-mails.ts'
import { announceInvitesChanged, endInvitationsTo } from '../invitations/standing-invitation.ts'
import { personalNoticeTexts } from '../notices/personal-notice-texts.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { sendNotice } from '../sending/send-notice.ts'
import { subscribeNewUser } from '../subscriptions/default-subscriptions.ts'
import { emitGroupEvent } from '../user-groups/change-group.ts'
import { addUser, greetNewUser } from './add-user.ts'
import { expectConfirmation } from './addresses/unconfirmed-address.ts'

/**
 * Makes the account that an open invitation promises. Its address and name were checked.
 * @throws BadRequestError where the organization has no room for another account
 */
export function makeInvitedUser(
  tx: RealmTransaction,
  invitation: Invitation,
  account: Omit<Parameters<typeof addUser>[1], 'role'>,
  source: RequestSource,
): User {
  const invited = { ...account, role: invitation.inviteAs }
  const user = withinQuota(tx, { source }, 'accounts', () => addUser(tx, invited))
  joinPromised(tx, user, invitation, source)
  callForNewPerson(tx, user, null)
  closeInvitations(tx, user, invitation)
  if (!user.isEmailConfirmed) expectConfirmation(tx, user)
  noteLogin(tx, source, user.id)
  mailWelcome(tx, user, source)
  greet(tx, user, invitation, source)
  return user
}

function joinPromised(tx: RealmTransaction, user: User, invitation: Invitation, source: RequestSource): void {
  const defaults = invitation.joinsDefaultChannels ? listDefaultChannels(tx.sql) : []
  const promised = invitation.channelIds
    .map((id) => findChannel(tx.sql, id))
    .filter((channel) => channel !== undefined)
  const channels = new Map([...promised, ...defaults].map((channel) => [channel.id, channel]))
  subscribeNewUser(
    tx,
    user,
    [...channels.values()].filter(({ isArchived }) => !isArchived),
  )
  for (const id of invitation.groupIds) {
    const group = findGroup(tx.sql, id)
    if (!group || group.isDeactivated) continue
    const join = () => insertMembers(tx.sql, id, [user.id])
    withinQuota(tx, { source }, 'groupMembers', join, group.creatorId)
    emitGroupEvent(tx, { op: 'add_members', group_id: id, user_ids: [user.id] })
  }
}

/** An unconfirmed address does not end other invitations to it. */
function closeInvitations(tx: RealmTransaction, user: User, invitation: Invitation): void {
  if (invitation.kind === 'email') setInvitationState(tx.sql, invitation, 'accepted')
  if (user.isEmailConfirmed) endInvitationsTo(tx, user.deliveryEmail, invitation.referrerId)
  else announceInvitesChanged(tx, invitation.referrerId)
}

/** Notifies the inviter, if they asked for it, and sends the welcome text to the new member. */
function greet(tx: RealmTransaction, user: User, invitation: Invitation, source: RequestSource): void {
  const referrer = findUser(tx.sql, invitation.referrerId)
  if (invitation.notifiesReferrer && referrer?.isActive) {
    sendNotice(tx, {
      to: { user: referrer },
      content: personalNoticeTexts(referrer).accepted(mentionText({ user })),
      origin: source.origin,
    })
  }
  greetNewUser(tx, user, {
    text: invitation.welcomeText ?? realmProperty(tx.sql, 'welcome_message_custom_text'),
    origin: source.origin,
  })
}
