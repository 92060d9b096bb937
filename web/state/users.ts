import type { ChatState } from './chat-state.ts'
import { groupOf } from './create-state.ts'
import type { Bot, Presence, Role, User, UserStatus, WireEvent, WireUserGroup } from './wire.ts'

export function applyRealmUser(state: ChatState, event: WireEvent): void {
  const person = event.person as { user_id: number } & Partial<User>
  const { user_id } = person
  if (event.op === 'add') {
    state.users.set(user_id, { ...(person as User), is_active: person.is_active ?? true })
  } else if (event.op === 'remove') {
    state.users.delete(user_id)
  } else {
    const user = state.users.get(user_id)
    if (!user) return
    updateUser(state, user, person as Record<string, unknown>)
  }
  state.changes.touch('user', user_id)
  if (user_id === state.me) state.changes.touch('me')
}

function updateUser(state: ChatState, user: User, changes: Record<string, unknown>): void {
  if ('role' in changes) setRole(state, user, changes.role as Role)
  else if ('new_email' in changes) user.email = changes.new_email as string
  else if ('is_active' in changes) {
    setActive(state, user, changes.is_active as boolean)
    if (changes.is_deleted === true) user.is_deleted = true
  } else if ('avatar_version' in changes) {
    user.avatar_url = changes.avatar_url as string | null
    // A registration has it of oneself alone.
    if (user.user_id === state.me) user.avatar_source = changes.avatar_source as 'G' | 'U'
    user.avatar_version = changes.avatar_version as number
  } else if ('custom_profile_field' in changes) setProfileField(user, changes.custom_profile_field)
  else {
    // A change of what users say of themselves names the account by its address, too.
    const { email: _email, ...fields } = changes
    Object.assign(user, fields)
    if (user.user_id === state.me) followOwnSettings(state, fields)
  }
}

/** What others see, too, comes with an event for them. */
function followOwnSettings({ settings }: ChatState, changes: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(changes)) {
    if (name in settings) Object.assign(settings, { [name]: value })
  }
}

function setRole(state: ChatState, user: User, role: Role): void {
  Object.assign(user, { role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 })
  if (user.user_id === state.me) state.ownGroups = undefined
}

/**
 * Follows the closing of an account, which is then in no group, has no permission, and has neither status nor
 * presence.
 */
function setActive(state: ChatState, user: User, isActive: boolean): void {
  user.is_active = isActive
  if (isActive) return
  for (const group of state.groups.values()) {
    if (!group.members.delete(user.user_id)) continue
    state.changes.touch('group', group.id)
  }
  for (const holder of [state.organization, ...state.groups.values(), ...state.channels.values()]) {
    dropFromPermissions(holder as Record<string, unknown>, user.user_id)
  }
  state.statuses.delete(user.user_id)
  state.changes.touch('status', user.user_id)
  state.presences.delete(user.user_id)
  state.changes.touch('presence', user.user_id)
}

function dropFromPermissions(holder: Record<string, unknown>, userId: number): void {
  for (const name in holder) {
    // Whole groups are numbers; lists of people are objects.
    const members = (holder[name] as { direct_members?: readonly number[] } | null | undefined)
      ?.direct_members
    if (!members?.includes(userId)) continue
    holder[name] = { ...(holder[name] as object), direct_members: members.filter((id) => id !== userId) }
  }
}

function setProfileField(user: User, change: unknown): void {
  const { id, value, rendered_value } = change as {
    id: number
    value: string | null
    rendered_value?: string
  }
  const data = user.profile_data ?? {}
  user.profile_data = data
  if (value === null) delete data[id]
  else data[id] = rendered_value === undefined ? { value } : { value, rendered_value }
}

export function applyUserGroup(state: ChatState, event: WireEvent): void {
  state.ownGroups = undefined
  if (event.op === 'add') {
    const group = groupOf(event.group as WireUserGroup)
    state.groups.set(group.id, group)
    state.changes.touch('group', group.id)
    return
  }
  const id = event.group_id as number
  const group = state.groups.get(id)
  if (!group) return
  switch (event.op) {
    case 'remove':
      state.groups.delete(id)
      break
    case 'update':
      Object.assign(group, event.data)
      break
    case 'add_members':
      for (const userId of event.user_ids as number[]) group.members.add(userId)
      break
    case 'remove_members':
      for (const userId of event.user_ids as number[]) group.members.delete(userId)
      break
    case 'add_subgroups':
      group.direct_subgroup_ids = joined(group.direct_subgroup_ids, event.direct_subgroup_ids as number[])
      break
    case 'remove_subgroups':
      group.direct_subgroup_ids = without(group.direct_subgroup_ids, event.direct_subgroup_ids as number[])
  }
  state.changes.touch('group', id)
}

function joined(ids: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...ids, ...more])].sort((a, b) => a - b)
}

function without(ids: readonly number[], gone: readonly number[]): number[] {
  return ids.filter((id) => !gone.includes(id))
}

export function applyRealmBot(state: ChatState, event: WireEvent): void {
  const bot = event.bot as Bot
  const known = state.bots.get(bot.user_id)
  if (event.op === 'delete') state.bots.delete(bot.user_id)
  else if (event.op === 'add') state.bots.set(bot.user_id, bot)
  else if (known) Object.assign(known, bot)
  state.changes.touch('bots')
}

export function applyPresence(state: ChatState, event: WireEvent): void {
  learnPresences(state, event.presences as Record<string, Presence>)
}

/** Takes presences, also from the answer of POST /users/me/presence. */
export function learnPresences(state: ChatState, presences: Readonly<Record<string, Presence>>): void {
  for (const [id, presence] of Object.entries(presences)) {
    state.presences.set(Number(id), presence)
    state.changes.touch('presence', id)
  }
}

export type PresenceNow = 'active' | 'idle' | 'offline'

/** Returns a user's presence. `now` in UNIX seconds. */
export function presenceOf(state: ChatState, userId: number, now: number): PresenceNow {
  const { me, presences, server, settings } = state
  // Users who look at the page are active, to others unless they appear away.
  if (userId === me) return settings.presence_enabled ? 'active' : 'offline'
  const presence = presences.get(userId)
  if (!presence) return 'offline'
  const oldest = now - server.server_presence_offline_threshold_seconds
  if (presence.active_timestamp > oldest) return 'active'
  return presence.idle_timestamp > oldest ? 'idle' : 'offline'
}

export function applyUserStatus(state: ChatState, event: WireEvent): void {
  const { id: _id, type: _type, user_id, ...changes } = event as WireEvent & { user_id: number } & UserStatus
  const status: UserStatus = { ...state.statuses.get(user_id), ...(changes as UserStatus) }
  if (!status.away) delete status.away
  if (!status.status_text) delete status.status_text
  if (!status.emoji_name) {
    delete status.emoji_name
    delete status.emoji_code
    delete status.reaction_type
  }
  if (Object.keys(status).length === 0) state.statuses.delete(user_id)
  else state.statuses.set(user_id, status)
  state.changes.touch('status', user_id)
}
