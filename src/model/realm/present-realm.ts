import { createHash } from 'node:crypto'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { PresentedEmoji } from '../../events/realm-lists.ts'
import { NO_ALERT_WORDS } from '../../markdown/alert-words.ts'
import { renderMarkdown } from '../../markdown/render.ts'
import {
  createChannelPolicy,
  createWebPublicChannelPolicy,
  wildcardMentionPolicy,
} from '../../rules/group-setting-values.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, type RealmTopicsPolicy } from '../../rules/topic-rules.ts'
import { listCustomEmoji } from '../../store/emoji/custom-emoji-rows.ts'
import type { RealmDomain } from '../../store/realm/realm-list-rows.ts'
import type { RealmSettings } from '../../store/realm/realm-properties.ts'
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

export function presentDomain({ domain, allowsSubdomains }: RealmDomain) {
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

/**
 * Returns values that older clients read in place of today's settings, and second names of some, without `realm_`
 * (docs/interface/register.md#settings-of-the-organization-in-it; docs/decisions/interface.md#conventions). They follow
 * from the settings and are never stored.
 */
export function legacyRealmValues(
  realm: Pick<
    RealmSettings,
    | 'can_create_public_channel_group'
    | 'can_create_private_channel_group'
    | 'can_create_web_public_channel_group'
    | 'can_mention_many_users_group'
    | 'topics_policy'
    | 'message_edit_history_visibility_policy'
    | 'zulip_update_announcements_stream_id'
  >,
) {
  return {
    create_public_stream_policy: createChannelPolicy(realm.can_create_public_channel_group),
    create_private_stream_policy: createChannelPolicy(realm.can_create_private_channel_group),
    create_web_public_stream_policy: createWebPublicChannelPolicy(realm.can_create_web_public_channel_group),
    wildcard_mention_policy: wildcardMentionPolicy(realm.can_mention_many_users_group),
    mandatory_topics: areTopicsMandatory(realm.topics_policy),
    allow_edit_history: realm.message_edit_history_visibility_policy !== 'none',
    svc_update_announcements_stream_id: realm.zulip_update_announcements_stream_id,
  }
}

export function areTopicsMandatory(policy: RealmTopicsPolicy): boolean {
  return policy === 'disable_empty_topic'
}

/** Returns the policy for an older client's `mandatory_topics`. */
export function topicsPolicyOfMandatory(isMandatory: boolean): RealmTopicsPolicy {
  return isMandatory ? 'disable_empty_topic' : 'allow_empty_topic'
}

/** Returns the organization's emoji by id, deactivated ones included. */
export function presentCustomEmoji(sql: Sql): Record<string, PresentedEmoji> {
  return Object.fromEntries(
    listCustomEmoji(sql).map((emoji) => [
      String(emoji.id),
      {
        id: String(emoji.id),
        name: emoji.name,
        source_url: emoji.path,
        still_url: emoji.stillPath,
        deactivated: emoji.isDeactivated,
        author_id: emoji.authorId,
      },
    ]),
  )
}
