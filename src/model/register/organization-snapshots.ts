import { defineReader } from '../../core/reader.ts'
import { listOf } from '../../core/sections.ts'
import { fieldsForClient } from '../../events/realm-lists.ts'
import { isGuest } from '../../rules/roles.ts'
import { FIELD_TYPES } from '../../store/profile-fields/field-types.ts'
import { allChannels } from '../channels/read/present-channel.ts'
import { presentDefaultGroups } from '../default-channel-groups/default-channel-group-rules.ts'
import { presentLinkifiers } from '../linkifiers/usable-linkifier.ts'
import {
  modernPresences,
  PRESENCE_HISTORY_DAYS,
  presenceFinder,
  presentLegacyPresences,
} from '../presence/presence-memory.ts'
import { presentProfileFields } from '../profile-fields/field-values.ts'
import { channelsSeen, piecesOfChannel } from './channels-in-sections.ts'
import type { Snapshot } from './snapshot.ts'

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

/**
 * The parts about the organization that depend on the caller or the client, by fetch type; the long ones have files of their own.
 * Source: docs/interface/register.md#what-the-snapshot-has.
 */
export const ORGANIZATION_SNAPSHOTS = {
  /** The profile fields, and their types. */
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
      channelsSeen(tx, caller, options).map((channel) =>
        piecesOfChannel(channel, { listsSubscribers: false }),
      ),
    ),
  }),
} satisfies Readonly<Record<string, Snapshot>>
