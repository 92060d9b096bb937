import * as v from 'valibot'
import { USER_SETTINGS, type UserSettingName } from '../store/users/settings/user-settings.ts'
import type { ParameterSchemas } from './define-endpoint.ts'
import { NAME_LENGTH } from './input-limits.ts'
import { bareOrQuoted, jsonBoolean, jsonInteger, textUpTo } from './parameter-types.ts'

type SettingSchemas<Name extends UserSettingName> = Record<Name, v.GenericSchema<unknown, unknown>>

/**
 * Returns a parameter for each of the settings, in the order of their table: it checks the type, the command
 * checks the value.
 */
export function settingParameters<Name extends UserSettingName>(
  names: readonly Name[],
): SettingSchemas<Name> & ParameterSchemas {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as SettingSchemas<Name>
}

function schemaOf(name: UserSettingName): v.GenericSchema<unknown, unknown> {
  switch (USER_SETTINGS[name].type) {
    case 'boolean':
      return v.optional(jsonBoolean)
    case 'integer':
      return v.optional(jsonInteger)
    case 'string':
      return v.optional(bareOrQuoted(textUpTo(NAME_LENGTH)))
  }
}
