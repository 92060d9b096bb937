import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import { checkOwnPassword, passOwnPassword } from '../../domain/users/check-own-password.ts'
import { updateSettings } from '../../domain/users/update-settings.ts'
import { USER_SETTING_NAMES } from '../../domain/users/user-settings.ts'
import { defineEndpoint, defineStep, type WorkerContext } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { settingParameters } from './setting-parameters.ts'

const settings = settingParameters(USER_SETTING_NAMES)

/** The caller's own settings, name, password, and address once it is confirmed. Source: core-endpoints 13. */
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
  async prepare(params, worker) {
    const { old_password, new_password } = params
    if (new_password === undefined || new_password === '') return { ...params, new_password: undefined }
    const checked_hash = await requireOwnPassword(old_password, worker)
    return { ...params, checked_hash, new_hash: await hashPassword(new_password) }
  },
})

/** Answers the hash that the password fits. */
async function requireOwnPassword(password: string, worker: WorkerContext): Promise<string | null> {
  const { hash } = (await worker.run(checkOwnPasswordStep.operation, {})) as { hash: string | null }
  if (!(await verifyPassword(password, hash))) throw new BadRequestError('Wrong password!')
  await worker.run(passOwnPasswordStep.operation, {})
  return hash
}

export const checkOwnPasswordStep = defineStep({
  operation: 'check-own-password',
  access: 'human',
  command: checkOwnPassword,
})

export const passOwnPasswordStep = defineStep({
  operation: 'pass-own-password',
  access: 'human',
  command: passOwnPassword,
})

/** Older addresses of the same, which older clients know for a part of the settings each. */
export const updateDisplaySettingsEndpoint = defineEndpoint({
  operation: 'update-display-settings',
  method: 'PATCH',
  path: '/settings/display',
  access: 'human',
  params: settings,
  returns: v.object({}),
  command: updateSettings,
})

export const updateNotificationSettingsEndpoint = defineEndpoint({
  operation: 'update-notification-settings',
  method: 'PATCH',
  path: '/settings/notifications',
  access: 'human',
  params: settings,
  returns: v.object({}),
  command: updateSettings,
})
