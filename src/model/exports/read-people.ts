import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { NeutralRecord, RecordOf } from '../../imports/neutral.ts'
import {
  BOT_KINDS,
  EMAIL_VISIBILITIES,
  ROLES as ROLE_WORDS,
  valueOfField,
} from '../../imports/server-texts.ts'
import { ROLES } from '../../rules/roles.ts'
import { idsAfter } from '../../store/exports/collecting-rows.ts'
import { mediumPath, readImagePath } from '../../store/images/public-image.ts'
import { readStatusesOf, type UserStatus } from '../../store/presence/presence-and-status-rows.ts'
import { listProfileFields, type ProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import { seesDeliveryEmail } from '../users/read/present-user.ts'
import type { ExportSource, ExportView } from './export-source.ts'
import { idOfAvatar } from './organization-records.ts'

/** Users as administrators see them, closed accounts and system bots included, without addresses hidden from them. */
export const usersSource: ExportSource = {
  name: 'users',
  read(view, [after = 0]) {
    const { sql } = view.tx
    const ids = idsAfter(sql, 'user', after, PAGE_OF_ROWS)
    const users = findUsers(sql, ids)
    const statuses = readStatusesOf(sql, ids)
    const fields = new Map(listProfileFields(sql).map((field) => [String(field.id), field]))
    return {
      kind: 'records',
      records: ids.map((id) => userRecord(view, users.get(id)!, statuses.get(id), fields)),
      next: ids.length < PAGE_OF_ROWS ? null : [ids.at(-1)!],
    }
  },
}

function userRecord(
  { scope }: ExportView,
  user: User,
  status: UserStatus | undefined,
  fields: ReadonlyMap<string, ProfileField>,
): NeutralRecord {
  const { id, fullName, botType, botOwnerId, timezone } = user
  const who = { type: 'user', id: String(id), full_name: fullName } as const
  if (user.isSystemBot) return { ...who, email: null, is_bot: true, is_system_bot: true }
  const seesEmail = seesDeliveryEmail({ id: 0, role: ROLES.administrator }, user)
  const visibility = userSetting(user, 'email_address_visibility')
  const profile = botType === null ? profileOf(user, fields) : []
  return {
    ...who,
    email: (seesEmail && user.deliveryEmail) || null,
    // What others have chosen is their own, so only those who must see the address do.
    email_visibility: (scope.consenting.has(id) && EMAIL_VISIBILITIES[visibility]) || 'administrators',
    role: ROLE_WORDS[user.role] ?? 'member',
    is_bot: botType !== null,
    deactivated: !user.isActive,
    ...(botOwnerId !== null && { bot_owner: String(botOwnerId) }),
    ...(botType !== null && { bot_kind: BOT_KINDS[botType] ?? 'generic' }),
    ...(timezone !== '' && { timezone }),
    ...(hasPicture(user) && { avatar: idOfAvatar(id) }),
    joined_ms: Math.floor(user.joinedAt * 1_000),
    ...(profile.length > 0 && { profile }),
    ...(status && statusOf(status)),
  }
}

function profileOf(
  { profileData }: Pick<User, 'profileData'>,
  fields: ReadonlyMap<string, ProfileField>,
): NonNullable<RecordOf<'user'>['profile']> {
  return Object.entries(profileData).flatMap(([id, { value }]) => {
    const field = fields.get(id)
    return field && value !== ''
      ? [{ field: id, value: valueOfField(field.type, field.fieldData, value) }]
      : []
  })
}

function statusOf({ status_text, emoji_name, emoji_code, reaction_type }: UserStatus) {
  const isUnicode = reaction_type === 'unicode_emoji'
  const kind: 'unicode' | 'custom' = isUnicode ? 'unicode' : 'custom'
  return {
    ...(status_text !== '' && { status: status_text }),
    ...(emoji_name !== '' && {
      status_emoji: { emoji: emoji_name, kind, ...(isUnicode && { code: emoji_code }) },
    }),
  }
}

/** Returns the address of a user's own picture in its usual size; null without one. */
export function pictureOf({ avatarPath }: Pick<User, 'avatarPath'>): string | null {
  return avatarPath === null ? null : mediumPath(avatarPath)
}

function hasPicture(user: User): boolean {
  const address = pictureOf(user)
  return address !== null && readImagePath(address) !== undefined
}
