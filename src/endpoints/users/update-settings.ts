import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { AuditNote } from '../../domain/audit-log/audit-rule.ts'
import { settingsAmong } from '../../domain/users/settings/settings-of-others.ts'
import { type UpdateSettingsParams, updateSettings } from '../../domain/users/settings/update-settings.ts'
import { USER_SETTING_NAMES } from '../../domain/users/settings/user-settings.ts'
import { changesIn } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'
import { requireOwnPassword } from './own-password.ts'
import { hashPassword } from './password-hash.ts'
import { settingParameters } from './setting-parameters.ts'
import { targetUsers } from './settings-of-others.ts'

const settings = settingParameters(USER_SETTING_NAMES)

/**
 * Changes the caller's own settings, name, password, and address once it is confirmed; or, for administrators, settings of others. Source:
 * docs/interface/settings.md#change-ones-settings; docs/interface/settings.md#change-other-peoples-settings.
 */
export const updateSettingsEndpoint = defineEndpoint({
  operation: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  access: 'human',
  needsProof: ({ email, new_password }) => email !== undefined || new_password !== undefined,
  params: {
    full_name: v.optional(textUpTo(NAME_LENGTH)),
    email: v.optional(textUpTo(NAME_LENGTH)),
    old_password: v.optional(textUpTo(NAME_LENGTH), ''),
    new_password: v.optional(textUpTo(NAME_LENGTH)),
    renew_api_key: v.optional(jsonBoolean, 'false'),
    target_users: v.optional(targetUsers),
    ...settings,
  },
  returns: v.object({ api_key: v.optional(v.string()) }),
  command: updateSettings,
  audit: ({ actorId, params, events }) => {
    if (params.target_users !== undefined) return events.length === 0 ? undefined : changeOfOthers(params)
    if (params.new_password === undefined) return undefined
    return { action: 'password_changed', details: { user_id: actorId } }
  },
  hasWork: ({ new_password }) => new_password !== undefined,
  async prepare(params, worker) {
    const { old_password, new_password } = params
    if (new_password === undefined || new_password === '') return { ...params, new_password: undefined }
    const checked_hash = await requireOwnPassword(old_password, worker, wrongPassword)
    return { ...params, checked_hash, new_hash: await hashPassword(new_password) }
  },
})

/** Returns the entry for settings of others, without the people, who may be thousands. */
function changeOfOthers({ target_users, ...params }: UpdateSettingsParams): AuditNote {
  const { user_ids = [], group_ids = [] } = target_users ?? {}
  const people = { users: user_ids.length, groups: group_ids }
  return { action: 'settings_changed', details: { ...changesIn(settingsAmong(params)), ...people } }
}

const wrongPassword = () => new BadRequestError('Wrong password!')

/** An older endpoint of the same, which older clients use for some of the settings. */
export const updateDisplaySettingsEndpoint = defineEndpoint({
  operation: 'update-display-settings',
  method: 'PATCH',
  path: '/settings/display',
  access: 'human',
  params: settings,
  returns: v.object({}),
  command: updateSettings,
  audit: 'own',
})

export const updateNotificationSettingsEndpoint = defineEndpoint({
  operation: 'update-notification-settings',
  method: 'PATCH',
  path: '/settings/notifications',
  access: 'human',
  params: settings,
  returns: v.object({}),
  command: updateSettings,
  audit: 'own',
})
