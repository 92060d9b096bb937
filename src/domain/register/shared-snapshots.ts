import { SharedFields, textOfFields } from '../../core/blocks.ts'
import { formsKey } from '../../core/forms-by-level.ts'
import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { settingsFor } from '../../events/home-view.ts'
import { listFolders } from '../channel-folders/channel-folder-rows.ts'
import { presentFolder } from '../channel-folders/present-channel-folder.ts'
import { presentCustomEmoji } from '../emoji/present-custom-emoji.ts'
import { presentPlaygrounds } from '../playgrounds/present-playgrounds.ts'
import { listDomains } from '../realm/domain-rows.ts'
import { presentDomain } from '../realm/present-domain.ts'
import { realmUserSettingsDefaults } from '../realm/user-settings-defaults.ts'
import { EMOJISETS, NOTIFICATION_SOUNDS } from '../users/settings/user-settings.ts'
import { ABSENT_FEATURES } from './absent-features.ts'
import { realmSnapshot } from './realm.ts'
import { isFetched, type SharedSnapshot, type SharedSource, type SnapshotOptions } from './snapshot.ts'

/** The parts among them that may be long, by fetch type: what they show is in their tables alone (`Sql.kept`). */
const LISTS: Readonly<Record<string, (sql: Sql) => object>> = {
  /** Key of `channel_folders`: all of them, archived ones too, in their order. */
  channel_folders: (sql) => ({ channel_folders: listFolders(sql).map(presentFolder) }),

  /** Key of `realm_domains`. */
  realm_domains: (sql) => ({ realm_domains: listDomains(sql).map(presentDomain) }),

  /** Key of `realm_emoji`. */
  realm_emoji: (sql) => ({ realm_emoji: presentCustomEmoji(sql) }),

  /** Key of `realm_playgrounds`. */
  realm_playgrounds: (sql) => ({ realm_playgrounds: presentPlaygrounds(sql) }),
}

/** The other parts that are the same for everybody: some three hundred keys. */
const FACTS: Readonly<Record<string, SharedSnapshot>> = {
  ...ABSENT_FEATURES,
  realm: realmSnapshot,

  /** Key of `realm_user_settings_defaults`: what new accounts start with. */
  realm_user_settings_defaults: ({ sql }, { source }) => ({
    realm_user_settings_defaults: {
      ...settingsFor(source, realmUserSettingsDefaults(sql)),
      emojiset_choices: EMOJISETS,
      available_notification_sounds: NOTIFICATION_SOUNDS,
    },
  }),
}

/** The parts that are the same for everybody, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const SHARED_SNAPSHOTS: Readonly<Record<string, SharedSnapshot>> = {
  ...FACTS,
  ...Object.fromEntries(
    Object.entries(LISTS).map(([type, list]): [string, SharedSnapshot] => [type, ({ sql }) => list(sql)]),
  ),
}

interface SharedParts {
  /** With the same level for all levels that have the same forms. */
  readonly source: SharedSource
  readonly realm: RealmIdentity
  readonly types: readonly string[]
}

/** The facts of these types, as JSON without brackets: a crowd that comes back together registers with them. */
const sharedFacts = defineReader({
  name: 'shared state',
  key: ({ source, realm, types }: SharedParts) => JSON.stringify([source, realm, types]),
  *read({ sql }, { source, realm, types }): Steps<string> {
    yield
    const parts = types.map((type) => FACTS[type]!({ sql, realm }, { source }))
    return textOfFields(Object.assign({}, ...parts))
  },
})

/** Returns the fetched keys that are the same for everybody. They are kept until one changes, the long lists until one of these does. */
export function sharedState(
  tx: RealmReads,
  { origin, development, deployment, level }: SharedSource,
  options: Pick<SnapshotOptions, 'types'>,
): SharedFields {
  const source = { origin, development, deployment, level: formsKey({ level }) }
  const types = Object.keys(FACTS).filter((type) => isFetched(options, type))
  const facts = tx.use(sharedFacts, { source, realm: tx.realm, types })
  return new SharedFields([facts, ...sharedLists(tx.sql, options).map((read) => read())])
}

/** Returns what reads the fetched lists, each as JSON without brackets. They stay kept. */
function sharedLists(sql: Sql, options: Pick<SnapshotOptions, 'types'>): (() => string)[] {
  return Object.entries(LISTS)
    .filter(([type]) => isFetched(options, type))
    .map(([type, list]) => () => {
      const read = () => {
        const text = textOfFields(list(sql))
        return { value: text, size: text.length }
      }
      return sql.kept(`list of ${type}`, read, 'lists')
    })
}
