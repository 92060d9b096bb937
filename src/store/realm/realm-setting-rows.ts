import { UnauthorizedError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { RealmPermissions } from '../../rules/grants.ts'
import { defaultGroupSettingValue, type GroupSettingValue } from '../../rules/group-setting-values.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { defaultRealmProperties, type RealmProperties } from './realm-properties.ts'

/**
 * Organization properties and permission settings. Only values that differ from the default have a row; the
 * names do not overlap. `user_settings_defaults` is stored here too, as one value.
 */
export function realmProperty<Name extends keyof RealmProperties>(
  sql: Sql,
  name: Name,
): RealmProperties[Name] {
  const stored = readSetting(sql, name)
  return stored === undefined ? DEFAULTS[name] : (stored as RealmProperties[Name])
}

export function realmProperties(sql: Sql): RealmProperties {
  return { ...DEFAULTS, ...pick(readSettings(sql), Object.keys(DEFAULTS)) } as RealmProperties
}

export function realmPermissions(sql: Sql): RealmPermissions {
  return { ...DEFAULT_PERMISSIONS, ...pick(readSettings(sql), Object.keys(DEFAULT_PERMISSIONS)) }
}

export function writeRealmSetting(sql: WritableSql, name: string, value: unknown): void {
  sql.run(
    `INSERT INTO realm_setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2`,
    name,
    JSON.stringify(value),
  )
  noteForD1(sql, name)
}

/** Gives a setting its default again. */
export function deleteRealmSetting(sql: WritableSql, name: string): void {
  sql.run(`DELETE FROM realm_setting WHERE name = ?`, name)
  noteForD1(sql, name)
}

/** Has D1 get the settings that it has too with the commit. */
function noteForD1(sql: WritableSql, name: string): void {
  if (name === 'name' || name === 'deactivated') sql.changesForD1.realm = true
}

/** Returns the value of a setting as it is stored; undefined for the default. */
export function storedRealmSetting(sql: Sql, name: string): unknown {
  return readSetting(sql, name)
}

/** Pictures of the organization; `night_logo` is the logo for dark themes. */
export type RealmImageName = 'icon' | 'logo' | 'night_logo'

/** An uploaded picture, as it is stored. The version rises with each, so that clients load it again. */
export interface RealmImage {
  /** Null after it was removed. */
  readonly path: string | null
  readonly version: number
}

/** Returns a picture of the organization; version 1 before the first. */
export function readRealmImage(sql: Sql, name: RealmImageName): RealmImage {
  return (readSetting(sql, name) as RealmImage | undefined) ?? { path: null, version: 1 }
}

/** Returns changed defaults of user settings: only those that differ. */
export function changedUserSettingDefaults(sql: Sql): Record<string, unknown> {
  return (readSetting(sql, 'user_settings_defaults') as Record<string, unknown> | undefined) ?? {}
}

export function isRealmDeactivated(sql: Sql): boolean {
  return readSetting(sql, 'deactivated') === true
}

/** @throws UnauthorizedError when the organization has been deactivated. */
export function requireActiveRealm(sql: Sql): void {
  if (isRealmDeactivated(sql)) {
    throw new UnauthorizedError('This organization has been deactivated')
  }
}

const DEFAULTS = defaultRealmProperties()

const DEFAULT_PERMISSIONS = Object.fromEntries(
  REALM_GROUP_SETTINGS.map((setting): [string, GroupSettingValue] => [
    setting.name,
    defaultGroupSettingValue(setting, null),
  ]),
) as RealmPermissions

function readSetting(sql: Sql, name: string): unknown {
  return sql.kept(`setting ${name}`, () => {
    const row = sql.first<{ value: string }>(`SELECT value FROM realm_setting WHERE name = ?`, name)
    return { read: row && parseJson(row.value) }
  }).read
}

function readSettings(sql: Sql): Readonly<Record<string, unknown>> {
  return sql.kept('settings', () => {
    const rows = sql.all<{ name: string; value: string }>(`SELECT name, value FROM realm_setting`)
    return Object.fromEntries(rows.map(({ name, value }) => [name, parseJson(value)]))
  })
}

function pick(values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, never> {
  return Object.fromEntries(
    names.filter((name) => name in values).map((name) => [name, values[name]]),
  ) as Record<string, never>
}
