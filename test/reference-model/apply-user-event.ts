import type { Json } from '../support/json.ts'
import type { ClientState } from './client-state.ts'

/** Accounts, bots, groups, presence and statuses. Source: docs/interface/events.md#events-about-people; docs/interface/events.md#events-about-channels-and-groups. */
export function applyUserEvent(state: ClientState, event: Json): boolean {
  const { register } = state
  switch (event.type) {
    case 'realm_user':
      changeUsers(state, event)
      return true
    case 'realm_bot':
      changeBots(register, event)
      return true
    case 'user_group':
      changeGroups(register, event)
      return true
    case 'presence':
      changePresence(state, event)
      return true
    case 'user_status':
      changeStatus(register, event)
      return true
    default:
      return false
  }
}

function changeUsers(state: ClientState, { op, person }: Json): void {
  const { register, me } = state
  if (op === 'add') {
    const { is_active = true, ...user } = person
    forgetUser(register, user.user_id)
    register[is_active ? 'realm_users' : 'realm_non_active_users'].push(user)
  } else if (op === 'remove') {
    const known = findUser(register, person.user_id)
    forgetUser(register, person.user_id)
    // Clients that need complete lists keep a placeholder.
    if (known && !state.form.capabilities.user_list_incomplete) {
      register.realm_users.push({ ...known, full_name: person.full_name })
    }
  } else {
    const { user_id, ...changes } = person
    const user = findUser(register, user_id)
    if (user) changeUser(state, user, changes)
    if (user_id === me) changeOwnAccount(state, changes)
  }
}

function findUser(register: Json, userId: number): Json {
  return [...register.realm_users, ...register.realm_non_active_users].find(
    ({ user_id }) => user_id === userId,
  )
}

function forgetUser(register: Json, userId: number): void {
  for (const list of ['realm_users', 'realm_non_active_users']) {
    register[list] = register[list].filter(({ user_id }: Json) => user_id !== userId)
  }
}

function changeUser({ register, form }: ClientState, user: Json, changes: Json): void {
  if ('role' in changes) Object.assign(user, roleFlags(changes.role))
  else if ('new_email' in changes) {
    movePresence(register, user.email, changes.new_email)
    user.email = changes.new_email
  } else if ('is_active' in changes) {
    changeActivity(register, user, changes.is_active)
    if (changes.is_deleted) user.is_deleted = true
  } else if ('avatar_version' in changes) {
    // Clients that compute such addresses get none in the snapshot.
    const isOwnPicture = changes.avatar_source !== 'G' || changes.avatar_url?.startsWith('/')
    const isComputed = form.options.client_gravatar === true && !isOwnPicture
    user.avatar_url = isComputed ? null : changes.avatar_url
    user.avatar_version = changes.avatar_version
  } else if ('custom_profile_field' in changes) {
    const { id, value, rendered_value } = changes.custom_profile_field
    if (value === null) delete user.profile_data[id]
    else user.profile_data[id] = rendered_value === undefined ? { value } : { value, rendered_value }
  } else {
    // A change of what users say of themselves names the account by its address, too.
    const { email: _email, ...fields } = changes
    Object.assign(user, fields)
  }
}

function roleFlags(role: number) {
  return { role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 }
}

/** A deactivated account is in no group, has no permission and shows neither status nor presence. */
function changeActivity(register: Json, user: Json, isActive: boolean): void {
  forgetUser(register, user.user_id)
  register[isActive ? 'realm_users' : 'realm_non_active_users'].push(user)
  if (isActive) return
  for (const group of register.realm_user_groups) {
    group.members = group.members.filter((id: number) => id !== user.user_id)
  }
  const lists = ['realm_user_groups', 'streams', 'subscriptions', 'unsubscribed', 'never_subscribed']
  for (const one of [register, ...lists.flatMap((list) => register[list])])
    dropFromPermissions(one, user.user_id)
  delete register.user_status[user.user_id]
  delete register.presences[user.email]
  delete register.presences[user.user_id]
}

function dropFromPermissions(one: Json, userId: number): void {
  for (const [name, value] of Object.entries<Json>(one)) {
    if (!value?.direct_members) continue
    const direct_members = value.direct_members.filter((id: number) => id !== userId)
    one[name] = { ...value, direct_members }
  }
}

function changeOwnAccount({ register }: ClientState, changes: Json): void {
  if ('full_name' in changes) register.full_name = changes.full_name
  if ('delivery_email' in changes) register.delivery_email = changes.delivery_email
  if ('new_email' in changes) register.email = changes.new_email
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in register.user_settings)) continue
    register.user_settings[name] = value
    if (name in register) register[name] = value
  }
  if ('avatar_source' in changes) {
    const { avatar_source, avatar_url, avatar_url_medium } = changes
    Object.assign(register, { avatar_source, avatar_url, avatar_url_medium })
  }
  if ('role' in changes) {
    const { is_owner, is_admin, is_guest } = roleFlags(changes.role)
    Object.assign(register, { is_owner, is_admin, is_guest, is_moderator: changes.role <= 300 })
  }
}

function movePresence(register: Json, from: string, to: string): void {
  if (!(from in register.presences)) return
  register.presences[to] = register.presences[from]
  delete register.presences[from]
}

function changeBots(register: Json, { op, bot }: Json): void {
  const rest = register.realm_bots.filter(({ user_id }: Json) => user_id !== bot.user_id)
  const known = register.realm_bots.find(({ user_id }: Json) => user_id === bot.user_id)
  if (op === 'delete') register.realm_bots = rest
  else if (op === 'add') register.realm_bots = [...rest, bot]
  else if (known) Object.assign(known, bot)
}

function changeGroups(register: Json, event: Json): void {
  const groups: Json[] = register.realm_user_groups
  const group = groups.find(({ id }) => id === event.group_id)
  switch (event.op) {
    case 'add':
      register.realm_user_groups = [...groups.filter(({ id }) => id !== event.group.id), event.group]
      return
    case 'remove':
      register.realm_user_groups = groups.filter(({ id }) => id !== event.group_id)
      return
    case 'update':
      if (group) Object.assign(group, event.data)
      return
    case 'add_members':
      if (group) group.members = joined(group.members, event.user_ids)
      return
    case 'remove_members':
      if (group) group.members = left(group.members, event.user_ids)
      return
    case 'add_subgroups':
      if (group) group.direct_subgroup_ids = joined(group.direct_subgroup_ids, event.direct_subgroup_ids)
      return
    default:
      if (group) group.direct_subgroup_ids = left(group.direct_subgroup_ids, event.direct_subgroup_ids)
  }
}

function joined(ids: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...ids, ...more])].sort((a, b) => a - b)
}

function left(ids: readonly number[], gone: readonly number[]): number[] {
  return ids.filter((id) => !gone.includes(id))
}

function changePresence({ register, form }: ClientState, event: Json): void {
  if (event.presences) {
    if (form.options.slim_presence) Object.assign(register.presences, event.presences)
    return
  }
  const { website } = event.presence
  if (!form.options.slim_presence) {
    register.presences[event.email] = { website, aggregated: pick(website) }
    return
  }
  const known = register.presences[event.user_id] ?? {}
  const active = website.status === 'active' ? { active_timestamp: website.timestamp } : {}
  register.presences[event.user_id] = { ...known, ...active, idle_timestamp: website.timestamp }
}

function pick({ client, status, timestamp }: Json) {
  return { client, status, timestamp }
}

function changeStatus(register: Json, { id: _id, type: _type, user_id, ...changes }: Json): void {
  const status = { ...register.user_status[user_id], ...changes }
  for (const part of ['away', 'status_text']) if (!status[part]) delete status[part]
  if (!status.emoji_name) {
    for (const part of ['emoji_name', 'emoji_code', 'reaction_type']) delete status[part]
  }
  if (Object.keys(status).length === 0) delete register.user_status[user_id]
  else register.user_status[user_id] = status
}
