import type { Command } from '../../core/command.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  deleteDefaultGroup,
  listDefaultGroups,
  saveDefaultGroup,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'
import type { Caller } from '../caller.ts'
import { requireDefaultGroup } from './default-channel-group-rules.ts'
import { emitDefaultGroups } from './emit-default-channel-groups.ts'

/** Deletes a group of default channels. Source: docs/interface/channels.md#default-channel-groups. */
export const deleteDefaultStreamGroup: Command<Caller, { readonly group_id: number }, void, object> = {
  apply(tx, _caller, { group_id }) {
    deleteDefaultGroup(tx.sql, requireDefaultGroup(tx.sql, group_id).id)
    emitDefaultGroups(tx)
    return {}
  },
}

/** Removes a channel that can no longer be chosen from its groups; emits an event only if there were any. */
export function leaveDefaultGroups(tx: RealmTransaction, channelId: number): void {
  const groups = listDefaultGroups(tx.sql).filter(({ channelIds }) => channelIds.includes(channelId))
  for (const group of groups) {
    saveDefaultGroup(tx.sql, { ...group, channelIds: group.channelIds.filter((id) => id !== channelId) })
  }
  if (groups.length > 0) emitDefaultGroups(tx)
}
