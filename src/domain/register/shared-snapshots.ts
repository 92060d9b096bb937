import { SharedFields } from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
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

/** The parts that are the same for everybody, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const SHARED_SNAPSHOTS: Readonly<Record<string, SharedSnapshot>> = {
  ...ABSENT_FEATURES,
  realm: realmSnapshot,

  /** Key of `channel_folders`: all of them, archived ones too, in their order. */
  channel_folders: (tx) => ({
    channel_folders: listFolders(tx.sql).map(presentFolder),
  }),

  /** Key of `realm_domains`. */
  realm_domains: ({ sql }) => ({
    realm_domains: listDomains(sql).map(presentDomain),
  }),

  /** Key of `realm_emoji`. */
  realm_emoji: ({ sql }) => ({ realm_emoji: presentCustomEmoji(sql) }),

  /** Key of `realm_playgrounds`. */
  realm_playgrounds: ({ sql }) => ({
    realm_playgrounds: presentPlaygrounds(sql),
  }),

  /** Key of `realm_user_settings_defaults`: what new accounts start with. */
  realm_user_settings_defaults: ({ sql }) => ({
    realm_user_settings_defaults: {
      ...realmUserSettingsDefaults(sql),
      emojiset_choices: EMOJISETS,
      available_notification_sounds: NOTIFICATION_SOUNDS,
    },
  }),
}

/** Returns the fetched keys that are the same for everybody: some three hundred, so they are kept until one changes. */
export function sharedState(
  tx: RealmReads,
  { origin, development, deployment }: SharedSource,
  options: Pick<SnapshotOptions, 'types'>,
): SharedFields {
  const source = { origin, development, deployment }
  const types = Object.keys(SHARED_SNAPSHOTS).filter((type) => isFetched(options, type))
  return tx.remember(`shared state ${JSON.stringify([source, tx.realm, types])}`, () => {
    const parts = types.map((type) => SHARED_SNAPSHOTS[type]!(tx, { source }))
    return new SharedFields(Object.assign({}, ...parts))
  })
}
