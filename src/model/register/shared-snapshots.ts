import { deploymentOf } from '../../core/call.ts'
import { type DeclaresLevel, formsKey, getsForm } from '../../core/forms-by-level.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import { fieldsAsText, InPieces, itemsOf, type Section, sectionOf } from '../../core/sections.ts'
import type { Sql } from '../../core/sql.ts'
import { settingsFor } from '../../events/user-settings.ts'
import { INTEGRATIONS } from '../../integrations/index.ts'
import { OPTIONS, type OptionName } from '../../integrations/integration.ts'
import { listFolders } from '../../store/channel-folders/channel-folder-rows.ts'
import { listDomains } from '../../store/realm/realm-list-rows.ts'
import { EMOJISETS, NOTIFICATION_SOUNDS } from '../../store/users/settings/user-settings.ts'
import { presentFolder } from '../channel-folders/present-channel-folder.ts'
import { presentCustomEmoji } from '../emoji/present-custom-emoji.ts'
import { presentPlaygrounds } from '../playgrounds/usable-playground.ts'
import { presentDomain, realmUserSettingsDefaults } from '../realm/present-realm.ts'
import { realmSnapshot } from './realm.ts'
import { isFetched, type SharedSnapshot, type SharedSource, type SnapshotOptions } from './snapshot.ts'

const keys =
  (values: object): SharedSnapshot =>
  () =>
    values

/**
 * Fetch types of features that this server does not have, with empty values, since clients do not start without the
 * keys. Source: docs/interface/register.md#what-the-snapshot-has.
 */
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
  const key = getsForm(client, 'options of integrations in url_options') ? 'url_options' : 'config_options'
  return INTEGRATIONS.map(({ name, displayName, events, options = [] }) => ({
    name,
    display_name: displayName,
    all_event_types: events,
    [key]: options.map((option) => presentOption(option, client)),
  }))
}

function presentOption(name: OptionName, client: DeclaresLevel): object {
  const { label, input } = OPTIONS[name]
  const kind = getsForm(client, 'options of integrations with input_type')
    ? { input_type: input }
    : { validator: VALIDATORS[input] }
  return { key: name, label, ...kind }
}

/** The other parts for everybody: some three hundred keys, in one section. */
const FACTS: Readonly<Record<string, SharedSnapshot>> = {
  ...ABSENT_FEATURES,
  realm: realmSnapshot,

  /** API keys with which clients search for GIFs. */
  giphy: (_, { source }) => ({ giphy_api_key: deploymentOf(source).gifKeys.giphy }),
  tenor: (_, { source }) => ({ tenor_api_key: deploymentOf(source).gifKeys.tenor }),

  /** The services that can post here. */
  realm_incoming_webhook_bots: (_, { source }) => ({
    realm_incoming_webhook_bots: presentIntegrations(source),
  }),

  /** The settings of new accounts. */
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

/** Returns the fetched parts for everybody as sections: those of FACTS together, and each of LISTS. */
export function sharedState(
  tx: RealmReads,
  { origin, development, deployment, level }: SharedSource,
  options: Pick<SnapshotOptions, 'types'>,
): InPieces[] {
  // Equal for all levels with the same forms.
  const source = { origin, development, deployment, level: formsKey({ level }) }
  const types = Object.keys(FACTS).filter((type) => isFetched(options, type))
  const lists = Object.keys(LISTS).filter((type) => isFetched(options, type))
  const sections = [
    ...(types.length > 0 ? [tx.use(sharedFacts, { source, realm: tx.realm, types })] : []),
    ...lists.map((type) => tx.use(sharedList, type)),
  ]
  return Array.from(itemsOf(sections, 0), (range) => new InPieces([range]))
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
    return sectionOf(`facts ${nameOfFacts(asked)}`, [fieldsAsText(Object.assign({}, ...parts))])
  },
})

const sharedList = defineReader({
  name: 'list that everybody gets',
  key: String,
  *read({ sql }, type: string): Generator<undefined, Section> {
    const fields = LISTS[type]!(sql)
    yield
    return sectionOf(`list ${type}`, [fieldsAsText(fields)])
  },
})
