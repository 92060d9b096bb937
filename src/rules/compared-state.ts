/**
 * What a digest of a user's state is made of. The object makes it from its rows, and a client from its snapshot and events: equal states have
 * equal digests. Fields that depend on a client's options, or that change without an event, are left out.
 *
 * Source: docs/interface/register.md#the-digest-of-the-state.
 */
const COMPARED = {
  people: [
    ...['user_id', 'full_name', 'delivery_email', 'role', 'is_active', 'is_bot', 'bot_type', 'bot_owner_id'],
    ...['date_joined', 'timezone', 'avatar_version', 'profile_data'],
  ],
  channels: [
    ...['stream_id', 'name', 'description', 'date_created', 'creator_id', 'folder_id', 'is_archived'],
    ...['invite_only', 'is_web_public', 'history_public_to_subscribers', 'message_retention_days'],
    ...['topics_policy', 'can_add_subscribers_group'],
    ...['can_administer_channel_group', 'can_create_topic_group', 'can_delete_any_message_group'],
    ...['can_delete_own_message_group', 'can_move_messages_out_of_channel_group'],
    ...['can_move_messages_within_channel_group', 'can_remove_subscribers_group', 'can_resolve_topics_group'],
    ...['can_send_message_group', 'can_subscribe_group'],
  ],
  subscriptions: [
    ...['stream_id', 'color', 'pin_to_top', 'is_muted', 'desktop_notifications', 'audible_notifications'],
    ...['email_notifications', 'push_notifications', 'wildcard_mentions_notify'],
  ],
  groups: [
    ...['id', 'name', 'description', 'creator_id', 'date_created', 'deactivated', 'members'],
    ...['direct_subgroup_ids', 'can_add_members_group', 'can_join_group', 'can_leave_group'],
    ...['can_manage_group', 'can_mention_group', 'can_remove_members_group'],
  ],
  folders: ['id', 'name', 'description', 'order', 'is_archived', 'date_created', 'creator_id'],
  emoji: ['id', 'name', 'source_url', 'still_url', 'deactivated', 'author_id'],
  topics: ['stream_id', 'topic_name', 'visibility_policy', 'last_updated'],
  organization: ['name', 'value'],
  settings: ['name', 'value'],
} as const

export type ComparedSection = keyof typeof COMPARED

export const COMPARED_SECTIONS = Object.keys(COMPARED) as ComparedSection[]

/** Number of people in a part of their section. */
const PEOPLE_IN_A_PART = 128

/** Names of the user's settings that are lists of choices. */
const CHOICES = new Set(['emojiset_choices', 'available_notification_sounds'])

/** The state that is compared, with things as in a snapshot. */
export type ComparedState = Readonly<Record<ComparedSection, Iterable<object>>>

/** Returns the settings of the user that are compared. */
export function comparedSettings(settings: object): object[] {
  return Object.entries(settings)
    .filter(([name]) => !CHOICES.has(name))
    .map(([name, value]) => ({ name, value }))
}

/** Returns what is compared of the organization: its name, its description, and who may do what. `settings`: without `realm_`. */
export function comparedOrganization(settings: object): object[] {
  return Object.entries(settings)
    .filter(([name]) => ['name', 'description'].includes(name) || /^can_.*_group$/.test(name))
    .map(([name, value]) => ({ name, value }))
}

/** Returns the part of its section to which a thing belongs: people by 128 ids, channels and groups one by one. */
export function partOfThing(section: ComparedSection, thing: object): number {
  const { user_id = 0, stream_id = 0, id = 0 } = thing as Readonly<Record<string, number>>
  if (section === 'people') return Math.floor(user_id / PEOPLE_IN_A_PART)
  if (section === 'channels') return stream_id
  return section === 'groups' ? id : 0
}

/** Returns the text of a part. A line is a thing: JSON of its compared fields, with the names of objects and the items of lists in order. */
export function textOfPart(section: ComparedSection, things: readonly object[]): string {
  const lines = things.map((thing) => {
    const fields = thing as Readonly<Record<string, unknown>>
    return JSON.stringify(COMPARED[section].map((name) => inOrder(fields[name])))
  })
  return lines.sort().join('\n')
}

/** Returns the text whose digest is a section's own. */
export function textOfSection(digests: ReadonlyMap<number, string>): string {
  return [...digests]
    .sort(([one], [other]) => one - other)
    .map(([part, digest]) => `${part} ${digest}`)
    .join('\n')
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort()
  if (typeof value !== 'object' || value === null) return value ?? null
  const fields = value as Readonly<Record<string, unknown>>
  return Object.keys(fields)
    .sort()
    .map((name) => [name, inOrder(fields[name])])
}
