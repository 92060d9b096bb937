import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import { updateSettings } from '../../domain/users/settings/update-settings.ts'
import { USER_SETTING_NAMES } from '../../domain/users/settings/user-settings.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'
import { requireOwnPassword } from './own-password.ts'
import { hashPassword } from './password-hash.ts'
import { settingParameters } from './setting-parameters.ts'

const settings = settingParameters(USER_SETTING_NAMES)

/**
 * Changes the caller's own settings, name, password, and address once it is confirmed. Source:
 * docs/interface/settings.md#change-ones-settings.
 */
export const updateSettingsEndpoint = defineEndpoint({
  operation: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  access: 'human',
  params: {
    full_name: v.optional(textUpTo(NAME_LENGTH)),
    email: v.optional(textUpTo(NAME_LENGTH)),
    old_password: v.optional(textUpTo(NAME_LENGTH), ''),
    new_password: v.optional(textUpTo(NAME_LENGTH)),
    renew_api_key: v.optional(jsonBoolean, 'false'),
    ...settings,
  },
  returns: v.object({ api_key: v.optional(v.string()) }),
  command: updateSettings,
  audit: ({ actorId, params }) =>
    params.new_password === undefined
      ? undefined
      : { action: 'password_changed', details: { user_id: actorId } },
  hasWork: ({ new_password }) => new_password !== undefined,
  async prepare(params, worker) {
    const { old_password, new_password } = params
    if (new_password === undefined || new_password === '') return { ...params, new_password: undefined }
    const checked_hash = await requireOwnPassword(old_password, worker, wrongPassword)
    return { ...params, checked_hash, new_hash: await hashPassword(new_password) }
  },
})

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
