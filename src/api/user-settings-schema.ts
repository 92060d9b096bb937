import * as v from 'valibot'
import { NEWER_RECENT_VIEW } from '../events/home-view.ts'
import { USER_SETTINGS, type UserSettingName } from '../store/users/settings/user-settings.ts'
import { integer } from './parameter-types.ts'

/**
 * Returns schemas of the settings' values, from their table. Source:
 * docs/interface/settings.md#defaults-of-new-accounts.
 */
export function settingSchemas(names: readonly UserSettingName[]): Record<string, v.GenericSchema> {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)]))
}

function schemaOf(name: UserSettingName): v.GenericSchema {
  const { type, values } = USER_SETTINGS[name]
  // Only numbers and words have lists of values.
  if (values) {
    const newer = name === 'web_home_view' ? [NEWER_RECENT_VIEW] : []
    return v.picklist([...(values as readonly (number | string)[]), ...newer])
  }
  switch (type) {
    case 'boolean':
      return v.boolean()
    case 'integer':
      return integer
    case 'string':
      return v.string()
  }
}
