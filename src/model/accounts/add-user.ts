import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { escapeName, mentionText } from '../../markdown/mention-text.ts'
import { ROLE_VALUES, ROLES, type Role } from '../../rules/roles.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { NO_CHANNEL } from '../../store/realm/realm-properties.ts'
import { changedUserSettingDefaults, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { USER_SETTINGS } from '../../store/users/settings/user-settings.ts'
import { findUser, insertUser, type NewUser, type User } from '../../store/users/user-rows.ts'
import { announceExportConsent } from '../exports/finished-exports.ts'
import { scheduleFullMembership } from '../group-changes/announce-full-members.ts'
import { noticeTexts } from '../notices/channel-notice-texts.ts'
import { personalNoticeTexts } from '../notices/personal-notice-texts.ts'
import { sendNotice } from '../sending/send-notice.ts'
import { emitGroupEvent } from '../user-groups/change-group.ts'
import { directSystemGroups } from '../user-groups/group-members.ts'
import { isAvatarComputable } from '../users/profile/avatar.ts'
import { presentUser, seesDeliveryEmail } from '../users/read/present-user.ts'
import { areAllUsersVisible, presentUnknownUser } from '../users/visibility/visible-users.ts'
import { newApiKey } from './login/api-key.ts'

/** Enters an account and notifies everybody. The caller takes care of its subscriptions. */
export function addUser(
  tx: RealmTransaction,
  {
    language,
    ...account
  }: Pick<NewUser, 'deliveryEmail' | 'fullName' | 'role' | 'passwordHash'> &
    Partial<NewUser> & { readonly language?: string | undefined },
): User {
  const apiKey = newApiKey(tx)
  const id = insertUser(tx.sql, {
    settings: account.botType ? {} : settingsOfNewUsers(tx.sql, language),
    joinedAt: tx.now,
    apiKey,
    readFloor: newestMessageId(tx.sql),
    ...account,
  })
  const user = findUser(tx.sql, id)!
  announceUser(tx, user)
  for (const groupId of directSystemGroups(tx.sql, user, tx.now)) {
    emitGroupEvent(tx, { op: 'add_members', group_id: groupId, user_ids: [id] })
  }
  announceExportConsent(tx, user)
  scheduleFullMembership(tx, user)
  return user
}

/**
 * Announces a user: one event with the address for users who may see it, one without for the others
 * (docs/interface/users.md#create-a-user). Guests who do not see everybody get a placeholder, until they share a conversation.
 */
function announceUser(tx: RealmTransaction, user: User): void {
  const isHiddenFrom = (role: Role) =>
    role === ROLES.guest && user.botType === null && !areAllUsersVisible(tx)
  const readers = Map.groupBy(
    ROLE_VALUES.filter((role) => !isHiddenFrom(role)),
    (role) => seesDeliveryEmail({ id: 0, role }, user),
  )
  for (const roles of readers.values()) {
    const event: StoredRealmUserEvent = {
      type: 'realm_user',
      op: 'add',
      person: presentUser(user, {
        viewer: { id: 0, role: roles[0]! },
        realm: tx.realm,
        clientGravatar: false,
        includeProfileData: true,
      }),
      avatar_computable: isAvatarComputable(user),
    }
    tx.emit(event, { roles })
  }
  const strangers = ROLE_VALUES.filter(isHiddenFrom)
  if (strangers.length === 0) return
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'add',
    person: presentUnknownUser(user.id, tx.realm),
    inaccessible: true,
  }
  tx.emit(event, { roles: strangers })
}

/** Returns new users' settings: an administrator's defaults, and their own language, else the organization's. */
export function settingsOfNewUsers(
  sql: RealmReads['sql'],
  language = realmProperty(sql, 'default_language'),
): Record<string, unknown> {
  const isPreset = language !== USER_SETTINGS.default_language.default
  return { ...changedUserSettingDefaults(sql), ...(isPreset ? { default_language: language } : {}) }
}

const SIGNUP_TOPIC = 'signups'

/**
 * Greets a new user: with a notice in the channel for signups, if there is one, and with direct messages: a welcome
 * and the organization's own text. `text`: '' for none. Source: docs/interface/access.md#a-new-organization.
 */
export function greetNewUser(
  tx: RealmTransaction,
  user: User,
  { text, origin }: { readonly text: string; readonly origin: string },
): void {
  const channelId = realmProperty(tx.sql, 'signup_announcements_stream_id')
  const channel = channelId === NO_CHANNEL ? undefined : findChannel(tx.sql, channelId)
  if (channel && !channel.isArchived) {
    const topic = channel.properties.topics_policy === 'empty_topic_only' ? '' : SIGNUP_TOPIC
    const content = noticeTexts(tx).joined(mentionText({ user }))
    sendNotice(tx, { to: { channel, topic }, content, origin })
  }
  welcome(tx, user, origin)
  if (text !== '') sendNotice(tx, { to: { user }, content: text, from: 'welcome-bot', origin })
}

function welcome(tx: RealmTransaction, user: User, origin: string): void {
  const organization = escapeName(realmProperty(tx.sql, 'name'))
  const [first, ...others] = personalNoticeTexts(user).welcome
  const content = [first(organization), ...others].join('\n\n')
  sendNotice(tx, { to: { user }, content, from: 'welcome-bot', origin, mentionsNobody: true })
}
