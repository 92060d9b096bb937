/**
 * The user settings that others see, too: texts that people write of themselves, empty at first. The user object, its events and snapshots
 * follow from this list; parameters and archives, from the table of settings. Source: docs/interface/users.md#the-user-object.
 */
export const SHOWN_SETTINGS = ['timezone'] as const

export type ShownSettingName = (typeof SHOWN_SETTINGS)[number]
export type ShownSettings = Readonly<Record<ShownSettingName, string>>

export function isShownSetting(name: string): name is ShownSettingName {
  return SHOWN_SETTINGS.some((shown) => shown === name)
}

export function forEachShownSetting<Value>(
  of: (name: ShownSettingName) => Value,
): Readonly<Record<ShownSettingName, Value>> {
  return Object.fromEntries(SHOWN_SETTINGS.map((name) => [name, of(name)])) as Record<ShownSettingName, Value>
}

/** Of somebody who has written nothing, or whom the reader does not know. */
export const NOTHING_SHOWN: ShownSettings = forEachShownSetting(() => '')

/** Returns a user object without them. */
export function withoutShownSettings<User extends ShownSettings>(user: User): Omit<User, ShownSettingName> {
  return Object.fromEntries(Object.entries(user).filter(([name]) => !isShownSetting(name))) as Omit<
    User,
    ShownSettingName
  >
}
