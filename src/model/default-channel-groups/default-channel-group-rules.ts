import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName, nameKey } from '../../core/names.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { type Channel, findChannelByName } from '../../store/channels/channel-rows.ts'
import {
  type DefaultChannelGroup,
  findDefaultGroup,
  listDefaultGroups,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'

/** Length of a group's name, in code points. */
const MAX_NAME_LENGTH = 60
const MAX_DESCRIPTION_LENGTH = 1024

export function requireDefaultGroup(sql: Sql, id: number): DefaultChannelGroup {
  const group = findDefaultGroup(sql, id)
  if (!group) throw new BadRequestError(`Default channel group with id '${id}' does not exist.`)
  return group
}

/** Requires a name that no other group has. `exceptId`: the group to rename. */
export function requireDefaultGroupName(sql: Sql, wanted: string, exceptId?: number): string {
  const name = wanted.trim()
  if (name === '' || firstUnfitInName(name) !== undefined) {
    throw new BadRequestError(`Invalid default channel group name '${name}'`)
  }
  if (isLongerThan(name, MAX_NAME_LENGTH)) {
    throw new BadRequestError(`Default channel group name too long (limit: ${MAX_NAME_LENGTH} characters)`)
  }
  const key = nameKey(name)
  if (listDefaultGroups(sql).some((other) => other.id !== exceptId && nameKey(other.name) === key)) {
    throw new BadRequestError(`Default channel group '${name}' already exists`)
  }
  return name
}

export function requireDefaultGroupDescription(description: string): string {
  if (isLongerThan(description, MAX_DESCRIPTION_LENGTH)) {
    throw new BadRequestError(`description is too long (limit: ${MAX_DESCRIPTION_LENGTH} characters)`)
  }
  return description
}

export function requireChannelsNamed(sql: Sql, names: readonly string[]): Channel[] {
  return names.map((name) => {
    const channel = findChannelByName(sql, name)
    if (!channel || channel.isArchived) throw new BadRequestError(`Invalid channel name '${name}'`)
    return channel
  })
}

/** Refuses private channels, which a group would show to all, and channels that everyone joins anyway. */
export function requireMayJoinGroup(channel: Channel, groupName: string): void {
  if (channel.isDefault) {
    throw new BadRequestError(`'${channel.name}' is a default channel and cannot be added to '${groupName}'`)
  }
  if (channel.isPrivate) throw new BadRequestError('Private channels cannot be made default.')
}

/** Returns all groups in the form for clients. Source: docs/interface/register.md#what-the-snapshot-has. */
export function presentDefaultGroups(sql: Sql) {
  return listDefaultGroups(sql).map(({ channelIds, ...group }) => ({ ...group, streams: [...channelIds] }))
}
