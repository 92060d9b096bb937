import { deploymentOf } from '../../core/call.ts'
import { membersText } from '../../core/json.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import {
  type DeclaresLevel,
  getsRepresentation,
  representationsKey,
} from '../../core/representations-by-level.ts'
import { fragmentOfEach, listOf, type Section, sectionOf } from '../../core/sections.ts'
import type { Sql } from '../../core/sql.ts'
import { fieldsForClient } from '../../events/realm-lists.ts'
import { settingsFor } from '../../events/user-settings.ts'
import { INTEGRATIONS } from '../../integrations/index.ts'
import { OPTIONS, type OptionName } from '../../integrations/integration.ts'
import { isGuest } from '../../rules/roles.ts'
import { listFolders } from '../../store/channel-folders/channel-folder-rows.ts'
import { FIELD_TYPES } from '../../store/profile-fields/field-types.ts'
import { listDomains } from '../../store/realm/realm-list-rows.ts'
import { EMOJISETS, NOTIFICATION_SOUNDS } from '../../store/users/settings/user-settings.ts'
import { allChannels, presentFolder } from '../channels/read/present-channel.ts'
import { presentDefaultGroups } from '../default-channel-groups/default-channel-group-rules.ts'
import {
  modernPresences,
  PRESENCE_HISTORY_DAYS,
  presenceFinder,
  presentLegacyPresences,
} from '../presence/presence-memory.ts'
import { presentProfileFields } from '../profile-fields/field-values.ts'
import { presentLinkifiers, presentPlaygrounds } from '../realm/linkifiers-and-playgrounds.ts'
import { presentCustomEmoji, presentDomain, realmUserSettingsDefaults } from '../realm/present-realm.ts'
import { channelObject, channelsSeen } from './channels-in-sections.ts'
import { realmSnapshot } from './realm.ts'
import {
  isFetched,
  type SharedSnapshot,
  type SharedSource,
  type Snapshot,
  type SnapshotOptions,
} from './snapshot.ts'

const keys =
  (values: object): SharedSnapshot =>
  () =>
    values

/** Fetch types of features that this server does not have, with empty values, since clients do not start without the keys. */
const ABSENT_FEATURES: Readonly<Record<string, SharedSnapshot>> = {
  has_webex_token: keys({ has_webex_token: false }),
  realm_billing: keys({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_embedded_bots: keys({ realm_embedded_bots: [] }),
  realm_filters: keys({ realm_filters: [] }),
  stop_words: keys({ stop_words: [] }),
}

/** The parts for everybody that may be long, by fetch type: each is a section. */
const LISTS: Readonly<Record<string, (sql: Sql) => object>> = {
  /** All folders, archived ones too, in their order. */
  channel_folders: (sql) => ({ channel_folders: listFolders(sql).map(presentFolder) }),
  realm_domains: (sql) => ({ realm_domains: listDomains(sql).map(presentDomain) }),
  realm_emoji: (sql) => ({ realm_emoji: presentCustomEmoji(sql) }),
  realm_playgrounds: (sql) => ({ realm_playgrounds: presentPlaygrounds(sql) }),
}

/** Names of the kinds of options for older clients. */
const VALIDATORS = { text: 'check_string', boolean: 'check_bool' } as const

/** Returns all integrations, with the options of their addresses. Source: docs/interface/webhooks.md#incoming-webhooks. */
function presentIntegrations(client: DeclaresLevel): object[] {
  const key = getsRepresentation(client, 'options of integrations in url_options')
    ? 'url_options'
    : 'config_options'
  return INTEGRATIONS.map(({ name, displayName, events, options = [] }) => ({
    name,
    display_name: displayName,
    all_event_types: events,
    [key]: options.map((option) => presentOption(option, client)),
  }))
}

function presentOption(name: OptionName, client: DeclaresLevel): object {
  const { label, input } = OPTIONS[name]
  const kind = getsRepresentation(client, 'options of integrations with input_type')
    ? { input_type: input }
    : { validator: VALIDATORS[input] }
  return { key: name, label, ...kind }
}

/** The other parts for everybody: some three hundred keys, in one section. */
const FACTS: Readonly<Record<string, SharedSnapshot>> = {
  ...ABSENT_FEATURES,
  realm: realmSnapshot,

  giphy: (_, { source }) => ({ giphy_api_key: deploymentOf(source).gifKeys.giphy }),
  tenor: (_, { source }) => ({ tenor_api_key: deploymentOf(source).gifKeys.tenor }),

  realm_incoming_webhook_bots: (_, { source }) => ({
    realm_incoming_webhook_bots: presentIntegrations(source),
  }),

  realm_user_settings_defaults: ({ sql }, { source }) => ({
    realm_user_settings_defaults: {
      ...settingsFor(source, realmUserSettingsDefaults(sql)),
      emojiset_choices: EMOJISETS,
      available_notification_sounds: NOTIFICATION_SOUNDS,
    },
  }),
}

/** All parts for everybody, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const SHARED_SNAPSHOTS: Readonly<Record<string, SharedSnapshot>> = {
  ...FACTS,
  ...Object.fromEntries(
    Object.entries(LISTS).map(([type, list]): [string, SharedSnapshot] => [type, ({ sql }) => list(sql)]),
  ),
}

/** Returns the fetched parts for everybody, as fragments: those of FACTS together, and each of LISTS. */
export function sharedState(
  tx: RealmReads,
  { origin, development, deployment, level }: SharedSource,
  options: Pick<SnapshotOptions, 'types'>,
) {
  // Equal for all levels with the same forms.
  const source = { origin, development, deployment, level: representationsKey({ level }) }
  const types = Object.keys(FACTS).filter((type) => isFetched(options, type))
  const lists = Object.keys(LISTS).filter((type) => isFetched(options, type))
  const sections = [
    ...(types.length > 0 ? [tx.use(sharedFacts, { source, realm: tx.realm, types })] : []),
    ...lists.map((type) => tx.use(sharedList, type)),
  ]
  return fragmentOfEach(sections, 0)
}

interface SharedFacts {
  readonly source: SharedSource
  readonly realm: RealmIdentity
  readonly types: readonly string[]
}

function nameOfFacts(asked: SharedFacts): string {
  return JSON.stringify([asked.source, asked.realm, asked.types])
}

const sharedFacts = defineReader({
  name: 'facts that everybody gets',
  key: nameOfFacts,
  *read({ sql }, asked): Generator<undefined, Section> {
    const { realm, source, types } = asked
    const parts = types.map((type) => FACTS[type]!({ sql, realm }, { source }))
    yield
    return sectionOf(`facts ${nameOfFacts(asked)}`, [membersText(Object.assign({}, ...parts))])
  },
})

const sharedList = defineReader({
  name: 'list that everybody gets',
  key: String,
  *read({ sql }, type: string): Generator<undefined, Section> {
    const fields = LISTS[type]!(sql)
    yield
    return sectionOf(`list ${type}`, [membersText(fields)])
  },
})

const profileFields = defineReader({
  name: 'custom profile fields',
  key: () => '',
  *read({ sql }) {
    yield
    return presentProfileFields(sql)
  },
})

const defaultGroups = defineReader({
  name: 'default channel groups',
  key: () => '',
  *read({ sql }) {
    yield
    return presentDefaultGroups(sql)
  },
})

/** The parts about the organization that depend on the caller or the client, by fetch type; the long ones have files of their own. */
export const ORGANIZATION_SNAPSHOTS = {
  custom_profile_fields: (tx, _caller, { userAgent }) => ({
    custom_profile_fields: fieldsForClient(tx.use(profileFields, undefined), userAgent),
    custom_profile_field_types: FIELD_TYPES,
  }),

  /** Empty for guests. */
  default_stream_groups: (tx, { user }) => ({
    realm_default_stream_groups: isGuest(user) ? [] : tx.use(defaultGroups, undefined),
  }),

  /** Ids of the channels that new accounts join; empty for guests. */
  default_streams: (tx, { user }) => ({
    realm_default_streams: isGuest(user)
      ? []
      : allChannels(tx)
          .filter(({ isDefault, isArchived }) => isDefault && !isArchived)
          .map(({ id }) => id)
          .sort((a, b) => a - b),
  }),

  /** By user id for clients that ask for the slim form, else by e-mail. */
  presence: (tx, caller, { slimPresence, presenceHistoryLimitDays }) => {
    const historyDays = presenceHistoryLimitDays ?? PRESENCE_HISTORY_DAYS
    const { known, lastUpdateId } = presenceFinder(tx, caller)({ historyDays })
    return {
      presences: slimPresence ? modernPresences(known) : presentLegacyPresences(known, tx.realm),
      presence_last_update_id: lastUpdateId,
      server_timestamp: tx.now,
    }
  },

  /** Empty for clients that do not know URL templates. */
  realm_linkifiers: ({ sql }, _caller, { capabilities }) => ({
    realm_linkifiers: capabilities.has('linkifier_url_template') ? presentLinkifiers(sql) : [],
  }),

  /** Every channel whose metadata the caller may see. */
  stream: (tx, caller, options) => ({
    streams: listOf(
      channelsSeen(tx, caller, options).map((channel) => channelObject(channel, { listsSubscribers: false })),
    ),
  }),
} satisfies Readonly<Record<string, Snapshot>>
