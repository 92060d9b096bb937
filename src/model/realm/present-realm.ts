import { createHash } from 'node:crypto'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { NO_ALERT_WORDS } from '../../markdown/alert-words.ts'
import { renderMarkdown } from '../../markdown/render.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import type { RealmDomain } from '../../store/realm/realm-list-rows.ts'
import {
  changedUserSettingDefaults,
  type RealmImageName,
  readRealmImage,
  realmProperty,
} from '../../store/realm/realm-setting-rows.ts'
import {
  defaultUserSettings,
  REALM_DEFAULT_SETTING_NAMES,
  type UserSettings,
} from '../../store/users/settings/user-settings.ts'

/** A picture of the organization, with an absolute address that any client can load. */
export interface PresentedRealmImage {
  readonly url: string
  /** 'U' for an uploaded picture; else 'G' for the icon and 'D' for logos. */
  readonly source: 'U' | 'G' | 'D'
}

/** Returns a picture of the organization, or a pattern made from its host name. */
export function presentRealmImage(
  { sql, realm }: { readonly sql: Sql; readonly realm: RealmIdentity },
  origin: string,
  name: RealmImageName,
): PresentedRealmImage {
  const { path, version } = readRealmImage(sql, name)
  if (path !== null) return { url: `${origin}${path}?version=${version}`, source: 'U' }
  const digest = createHash('md5').update(realm.host).digest('hex')
  return {
    url: `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${version}`,
    source: name === 'icon' ? 'G' : 'D',
  }
}

/** Returns the description as HTML for readers who may not be logged in: names of users, groups and channels stay plain text. */
export function renderRealmDescription(sql: Sql, origin: string): string {
  const description = realmProperty(sql, 'description')
  if (description === '') return ''
  return renderMarkdown(description, {
    usersNamed: () => [],
    userById: () => undefined,
    groupNamed: () => undefined,
    channelNamed: () => undefined,
    customEmoji: () => undefined,
    linkifiers: [],
    alertWords: NO_ALERT_WORDS,
    realmUrl: origin,
    translateEmoticons: false,
    inlineImagePreview: false,
    defaultCodeBlockLanguage: '',
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
  }).html
}

/** A domain that addresses of accounts may have. Source: docs/interface/organization.md#domains. */
export interface PresentedDomain {
  readonly domain: string
  readonly allow_subdomains: boolean
}

export function presentDomain({ domain, allowsSubdomains }: RealmDomain): PresentedDomain {
  return { domain, allow_subdomains: allowsSubdomains }
}

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** Returns the name in its stored form: lower case. */
export function requireDomainName(name: string): string {
  const domain = name.trim().toLowerCase()
  const labels = domain.split('.')
  const problem =
    domain === ''
      ? "Domain can't be empty."
      : labels.length < 2
        ? 'Domain must have at least one dot (.)'
        : labels.every((label) => LABEL.test(label))
          ? undefined
          : "Domain can only have letters, numbers, '.' and '-'s."
  if (problem !== undefined) throw new BadRequestError(`Invalid domain: ${problem}`)
  return domain
}

/** Returns the settings with which new accounts start: all but the time zone, which belongs to a person. */
export function realmUserSettingsDefaults(sql: Sql): Partial<UserSettings> {
  const all = { ...defaultUserSettings(), ...changedUserSettingDefaults(sql) }
  return Object.fromEntries(REALM_DEFAULT_SETTING_NAMES.map((name) => [name, all[name]]))
}

/** Minimum of days between closing an organization and deleting its data (`server_min_deactivated_realm_deletion_days`). */
export const MIN_DELETION_DAYS = 14

/** Maximum of days: a century. The API's `server_max_…` is null, since a closed organization may be kept forever. */
export const MAX_DELETION_DAYS = 36_525
