import { BadRequestError, InvalidParameterValueError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { RealmPermissions } from '../../rules/grants.ts'
import { REALM_TOPICS_POLICIES } from '../../rules/topic-rules.ts'
import { languageName } from '../users/settings/locales.ts'

/**
 * The one table of organization properties that are not permissions (those are the rows of
 * `REALM_GROUP_SETTINGS`). A property's name is its API name without `realm_`. Rows are in the order in which
 * their values are checked. Source: docs/interface/conventions.md#limits;
 * docs/interface/organization.md#change-settings;
 * docs/interface/register.md#settings-of-the-organization-in-it.
 */
export interface RealmProperty<Value = unknown> {
  readonly default: Value
  /** Whether the change is sent in a `realm`/`update_dict` event instead of `realm`/`update`. */
  readonly isInUpdateDict: boolean
  /** Returns the stored form of a value that a client has sent. Throws BAD_REQUEST or REQUEST_VARIABLE_INVALID. */
  readonly check: (name: string, value: unknown) => Value
}

type Check<Value> = RealmProperty<Value>['check']

function property<Value>(
  initial: NoInfer<Value>,
  check: Check<Value>,
  { dict = false } = {},
): RealmProperty<Value> {
  return {
    default: initial,
    isInUpdateDict: dict,
    check,
  }
}

const DICT = { dict: true }

const boolean: Check<boolean> = (name, value) => {
  if (typeof value !== 'boolean') throw new BadRequestError(`${name} is not a boolean`)
  return value
}

const integer: Check<number> = (name, value) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new BadRequestError(`${name} is not an integer`)
  }
  return value
}

const text: Check<string> = (name, value) => {
  if (typeof value !== 'string') throw new BadRequestError(`${name} is not a string`)
  return value
}

function textUpTo(limit: number): Check<string> {
  return (name, value) => {
    const given = text(name, value)
    // Counted in code points, as clients do.
    if (isLongerThan(given, limit)) {
      throw new BadRequestError(`${name} is too long (limit: ${limit} characters)`)
    }
    return given
  }
}

const organizationName: Check<string> = (name, value) => {
  const given = textUpTo(MAX_REALM_NAME_LENGTH)(name, value).trim()
  if (given === '') throw new BadRequestError(`${name} cannot be blank`)
  if (firstUnfitInName(given) !== undefined) throw new BadRequestError('Invalid characters in name!')
  return given
}

/** A property that names a channel, or none (`NO_CHANNEL`). */
function channelProperty(): RealmProperty<number> & { readonly namesChannel: true } {
  return { ...property(NO_CHANNEL, channelId, DICT), namesChannel: true }
}

function oneOf<const Value extends number | string>(
  values: readonly Value[],
  refusal: (name: string, value: number | string) => string = (name) => `Invalid ${name}`,
): Check<Value> {
  return (name, value) => {
    const given = typeof values[0] === 'number' ? integer(name, value) : text(name, value)
    const found = values.find((allowed) => allowed === given)
    if (found === undefined) throw new BadRequestError(refusal(name, given))
    return found
  }
}

const days: Check<number> = (name, value) => {
  const given = integer(name, value)
  if (given < 0) throw new BadRequestError(`${name} is too small`)
  return given
}

/** Seconds, or `"unlimited"`, which is stored as null. Zero would mean "never", for which there is another setting. */
const timeLimit: Check<number | null> = (name, value) => {
  if (value === 'unlimited') return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) {
    throw new InvalidParameterValueError(name, String(value))
  }
  return value
}

/** Days, or `"unlimited"`, which is stored as −1. */
const retention: Check<number> = (name, value) => timeLimit(name, value) ?? UNLIMITED_RETENTION_DAYS

/** Id of a channel; −1 for none. The caller checks that the channel exists. */
const channelId: Check<number> = (name, value) => {
  const id = integer(name, value)
  if (id < NO_CHANNEL) throw new BadRequestError('Invalid channel ID')
  return id
}

const language: Check<string> = (name, value) => {
  const code = text(name, value)
  if (languageName(code) === undefined) throw new BadRequestError(`Invalid language '${code}'`)
  return code
}

/** A video call server of one's own; `"default"` takes the deployment's, which is stored as null. */
const callServer: Check<string | null> = (name, value) => {
  const url = textUpTo(200)(name, value)
  if (url === 'default') return null
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new BadRequestError(`Invalid ${name}`)
  }
  return url
}

/**
 * This server's ways to log in; the names are the API's. All are allowed from the start; those with providers need one, and `RemoteUser`
 * needs a deployment with Cloudflare Access in front of it.
 */
const AUTHENTICATION_METHODS = { Email: true, 'OpenID Connect': true, GitHub: true, RemoteUser: true }
export type AuthenticationMethod = keyof typeof AUTHENTICATION_METHODS
export type AuthenticationMethods = Readonly<Record<AuthenticationMethod, boolean>>

/** Returns those that were named; the others stay as they are, and one of all must be on then (update-realm.ts). */
const authenticationMethods: Check<AuthenticationMethods> = (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRequestError(`${name} is not a dict`)
  }
  for (const [method, isEnabled] of Object.entries(value)) boolean(`${name}["${method}"]`, isEnabled)
  // Methods that this server lacks cannot be enabled: a client may name them, and they are ignored.
  const named = Object.entries(value).filter(([method]) => Object.hasOwn(AUTHENTICATION_METHODS, method))
  return Object.fromEntries(named) as AuthenticationMethods
}

const MAX_REALM_NAME_LENGTH = 40
const MAX_REALM_DESCRIPTION_LENGTH = 1000
export const MAX_WELCOME_TEXT_LENGTH = 8000
/** Value of `message_retention_days`, and of a channel's retention, when messages are kept for ever. */
export const UNLIMITED_RETENTION_DAYS = -1
/** Value of channel settings without a channel. */
export const NO_CHANNEL = -1

/** The users who must have a second factor to log in with a password. */
const SECOND_FACTOR_POLICIES = ['nobody', 'owners', 'administrators', 'everybody'] as const
const EDIT_HISTORY_POLICIES = ['all', 'moves', 'none'] as const
const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const
/** 0 none, 1 Jitsi, 3 and 5 Zoom, 4 BigBlueButton, 7 Nextcloud Talk: from 3 on only where the deployment is connected with them. */
const VIDEO_CHAT_PROVIDERS = [0, 1, 3, 4, 5, 7] as const
/** The sources of new users' pictures: Gravatar alone. */
const AVATAR_SOURCES = ['G'] as const
/** Percent of the usual height. */
const MEDIA_PREVIEW_SIZES = [100, 150, 200] as const
/** 0 off, then Y, G, PG, PG-13, R. */
const GIPHY_RATINGS = [0, 1, 2, 3, 4, 5] as const

const TABLE = {
  name: property('', organizationName),
  description: property('', textUpTo(MAX_REALM_DESCRIPTION_LENGTH)),
  emails_restricted_to_domains: property(false, boolean),
  disallow_disposable_email_addresses: property(true, boolean),
  invite_required: property(true, boolean),
  require_unique_names: property(false, boolean),
  name_changes_disabled: property(false, boolean),
  email_changes_disabled: property(false, boolean),
  avatar_changes_disabled: property(false, boolean),
  inline_image_preview: property(true, boolean),
  inline_url_embed_preview: property(false, boolean),
  message_content_delete_limit_seconds: property(600, timeLimit),
  message_content_edit_limit_seconds: property(600, timeLimit, DICT),
  allow_message_editing: property(true, boolean, DICT),
  message_edit_history_visibility_policy: property('all', oneOf(EDIT_HISTORY_POLICIES), DICT),
  default_language: property('en', language),
  waiting_period_threshold: property(0, days),
  authentication_methods: property(AUTHENTICATION_METHODS, authenticationMethods, DICT),
  second_factor_required_for: property('nobody', oneOf(SECOND_FACTOR_POLICIES), DICT),
  moderation_request_channel_id: channelProperty(),
  new_stream_announcements_stream_id: channelProperty(),
  signup_announcements_stream_id: channelProperty(),
  zulip_update_announcements_stream_id: channelProperty(),
  message_retention_days: property(UNLIMITED_RETENTION_DAYS, retention),
  send_welcome_emails: property(true, boolean),
  send_channel_events_messages: property(true, boolean),
  message_content_allowed_in_email_notifications: property(true, boolean),
  digest_emails_enabled: property(false, boolean),
  digest_weekday: property(1, oneOf([0, 1, 2, 3, 4, 5, 6])),
  presence_disabled: property(false, boolean),
  enable_read_receipts: property(true, boolean),
  enable_spectator_access: property(false, boolean),
  want_advertise_in_communities_directory: property(false, boolean),
  enable_guest_user_indicator: property(true, boolean),
  enable_guest_user_dm_warning: property(true, boolean),
  require_e2ee_push_notifications: property(false, boolean),
  video_chat_provider: property(
    1,
    oneOf(VIDEO_CHAT_PROVIDERS, (name, value) => `Invalid ${name} ${value}`),
  ),
  jitsi_server_url: property(null, callServer, DICT),
  giphy_rating: property(
    2,
    oneOf(GIPHY_RATINGS, (name, value) => `Invalid ${name} ${value}`),
  ),
  media_preview_size: property(100, oneOf(MEDIA_PREVIEW_SIZES)),
  default_avatar_source: property('G', oneOf(AVATAR_SOURCES)),
  default_code_block_language: property('', text),
  org_type: property(0, oneOf(ORGANIZATION_TYPES)),
  topics_policy: property('allow_empty_topic', oneOf(REALM_TOPICS_POLICIES), DICT),
  welcome_message_custom_text: property('', textUpTo(MAX_WELCOME_TEXT_LENGTH)),
  move_messages_within_stream_limit_seconds: property(604_800, timeLimit, DICT),
  move_messages_between_streams_limit_seconds: property(604_800, timeLimit, DICT),
} as const

export type RealmPropertyName = keyof typeof TABLE
type ValueOf<Row> = Row extends RealmProperty<infer Value> ? Value : never
export type RealmProperties = { [Name in RealmPropertyName]: ValueOf<(typeof TABLE)[Name]> }
/** All settings of an organization: properties and permissions under their API names without `realm_`. */
export type RealmSettings = RealmProperties & RealmPermissions

export const REALM_PROPERTIES: {
  readonly [Name in RealmPropertyName]: RealmProperty<RealmProperties[Name]>
} = TABLE
export const REALM_PROPERTY_NAMES = Object.keys(TABLE) as RealmPropertyName[]

type ChannelPropertyName = {
  [Name in RealmPropertyName]: (typeof TABLE)[Name] extends { readonly namesChannel: true } ? Name : never
}[RealmPropertyName]

/** Properties whose values are ids of channels. */
export const PROPERTIES_WITH_A_CHANNEL = REALM_PROPERTY_NAMES.filter(isChannelProperty)

export function isChannelProperty(name: RealmPropertyName): name is ChannelPropertyName {
  return 'namesChannel' in TABLE[name]
}

export function isRealmPropertyName(name: string): name is RealmPropertyName {
  return Object.hasOwn(TABLE, name)
}

/** Returns the default properties; the name is given when an organization is founded. */
export function defaultRealmProperties(): RealmProperties {
  const properties: { [Name in RealmPropertyName]?: RealmProperties[Name] } = {}
  for (const name of REALM_PROPERTY_NAMES) setDefault(properties, name)
  return properties as RealmProperties
}

function setDefault<Name extends RealmPropertyName>(into: Partial<RealmProperties>, name: Name): void {
  into[name] = REALM_PROPERTIES[name].default
}

/** Returns the value in its stored form. Throws the property's own refusal. */
export function checkRealmProperty<Name extends RealmPropertyName>(
  name: Name,
  value: unknown,
): RealmProperties[Name] {
  return REALM_PROPERTIES[name].check(name, value)
}
