import type { RequestSource } from '../../core/call.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { SYSTEM_GROUPS } from '../../rules/system-groups.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { RealmExport } from '../../store/exports/export-rows.ts'
import { NO_CHANNEL } from '../../store/realm/realm-properties.ts'
import { listRemindersOf } from '../../store/unsent/unsent-rows.ts'
import { findGroup, listMadeGroups } from '../../store/user-groups/user-group-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { type Caller, callerOf } from '../caller.ts'
import { unreadIdsOf } from '../messages/flags/found-unread.ts'
import { initialState } from '../register/initial-state.ts'
import { LONG_LISTS } from '../register/personal-lists.ts'
import type { SnapshotOptions } from '../register/snapshot.ts'
import { versionKeys } from '../server/version.ts'
import { presentReminder } from '../unsent/present-unsent.ts'
import { presentMadeGroup, presentUserGroup } from '../user-groups/present-user-group.ts'
import { type ExportSource, type ExportView, ROWS_PER_PAGE } from './export-source.ts'

export const manifestSource: ExportSource = {
  name: 'export',
  read: ({ tx, exported }) => ({
    kind: 'json',
    name: 'export.json',
    content: {
      format: 2,
      id: exported.id,
      export_type: exported.type,
      export_time: exported.startedAt,
      acting_user_id: exported.actingUserId,
      realm_id: tx.realm.id,
      realm_string_id: tx.realm.stringId,
      realm_url: exported.origin,
      max_message_id: exported.newestMessageId,
      ...versionKeys(),
    },
    next: null,
  }),
}

/** Fetch types of POST /register about the organization's settings alone. */
const ORGANIZATION_TYPES = [
  'realm',
  'realm_domains',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user_settings_defaults',
  'custom_profile_fields',
  'default_streams',
  'default_stream_groups',
  'channel_folders',
]

/** Settings of the organization, by their names in POST /register. */
export const organizationSource: ExportSource = {
  name: 'realm',
  read(view) {
    const state = initialState(view.tx, exporterOf(view), options(ORGANIZATION_TYPES)) as Record<
      string,
      unknown
    >
    const content = Object.fromEntries(
      Object.entries(state).filter(([name]) =>
        /^(realm_|custom_profile_fields$|channel_folders$)/.test(name),
      ),
    )
    return {
      kind: 'json',
      name: 'realm.json',
      content: { ...content, ...namedChannels(view, state) },
      next: null,
    }
  },
}

/** Settings whose value is a channel; -1 for none. */
const CHANNEL_SETTINGS = [
  'realm_moderation_request_channel_id',
  'realm_new_stream_announcements_stream_id',
  'realm_signup_announcements_stream_id',
  'realm_zulip_update_announcements_stream_id',
]

/** Removes ids of channels that are not in the export. */
function namedChannels({ tx, scope }: ExportView, state: Record<string, unknown>): object {
  const isIncluded = (id: number) => {
    const channel = findChannel(tx.sql, id)
    return channel !== undefined && scope.includesChannel(channel)
  }
  const groups = state.realm_default_stream_groups as readonly { readonly streams: readonly number[] }[]
  return {
    realm_default_streams: (state.realm_default_streams as readonly number[]).filter(isIncluded),
    realm_default_stream_groups: groups.map((group) => ({
      ...group,
      streams: group.streams.filter(isIncluded),
    })),
    ...Object.fromEntries(
      CHANNEL_SETTINGS.map((name) => [name, isIncluded(Number(state[name])) ? state[name] : NO_CHANNEL]),
    ),
  }
}

/** Groups as in GET /user_groups, deactivated ones too; in numbered files if they have too many members for one page. */
export const userGroupsSource: ExportSource = {
  name: 'user_groups',
  read({ tx }, [after = 0]) {
    const { sql } = tx
    const made = listMadeGroups(sql).filter(({ id }) => id > after)
    const system = after === 0 ? SYSTEM_GROUPS.map(({ id }) => findGroup(sql, id)!) : []
    const groups = system.map((group) => presentUserGroup(tx, group))
    let room = ROWS_PER_PAGE
    for (const { id } of made) {
      const group = presentMadeGroup(sql, findGroup(sql, id)!)
      groups.push(group)
      room -= 1 + group.members.length
      if (room <= 0) break
    }
    const last = groups.at(-1)!.id
    return {
      kind: 'json',
      ...(after === 0 ? { name: 'user_groups.json' } : {}),
      content: { user_groups: groups },
      next: made.some(({ id }) => id > last) ? [last] : null,
    }
  },
}

/** Types of POST /register that belong to one user. */
const PERSONAL_TYPES = [
  'alert_words',
  'drafts',
  'muted_users',
  'navigation_views',
  'saved_snippets',
  'scheduled_messages',
  'user_settings',
  'user_topic',
]

/** A file for each consenting user: settings, drafts and the like. */
export const personalSource: ExportSource = {
  name: 'personal',
  read({ tx, exported, scope }, [after = 0]) {
    const userId = exported.consenting.find((id) => id > after && scope.consenting.has(id))
    if (userId === undefined) return { kind: 'json', content: null, next: null }
    const user = findUser(tx.sql, userId)!
    return {
      kind: 'json',
      name: `personal/${userId}.json`,
      content: {
        user_id: userId,
        ...initialState(tx, readerOf(tx, user, exported), options(PERSONAL_TYPES)),
        // Stars on messages that the user cannot read count again once they can.
        starred_messages: LONG_LISTS.starredMessages(tx, user, options([])).map(({ id }) => id),
        reminders: listRemindersOf(tx.sql, userId).map((one) => ({
          ...presentReminder(one),
          note: one.note,
        })),
        unread_messages: unreadIdsOf(tx, user).filter((id) => id <= exported.newestMessageId),
      },
      next: [userId],
    }
  },
}

function exporterOf({ tx, exported }: ExportView): Caller {
  return readerOf(tx, findUser(tx.sql, exported.actingUserId)!, exported)
}

export function readerOf(tx: RealmReads, user: User, { origin }: Pick<RealmExport, 'origin'>): Caller {
  const source: RequestSource = { origin, userAgent: '', ip: '' }
  return callerOf(tx.sql, user, source, tx.now)
}

function options(types: readonly string[]): SnapshotOptions {
  return {
    types,
    eventTypes: null,
    clientGravatar: false,
    slimPresence: true,
    includeSubscribers: false,
    capabilities: new Set([
      'notification_settings_null',
      'user_settings_object',
      'linkifier_url_template',
      'include_deactivated_groups',
      'archived_channels',
      'empty_topic_name',
    ]),
    userAgent: '',
    presenceHistoryLimitDays: null,
  }
}
