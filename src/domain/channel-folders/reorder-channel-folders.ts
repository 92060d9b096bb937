import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { listFolders, orderFolders } from './channel-folder-rows.ts'
import { emitFolderEvent } from './emit-channel-folder.ts'

/** Puts all folders, archived ones too, into a new order. Source: docs/interface/channels.md#channel-folders. */
export const reorderChannelFolders: Command<Caller, { readonly order: readonly number[] }, void, object> = {
  apply(tx, _caller, { order }) {
    const ids = listFolders(tx.sql).map(({ id }) => id)
    const isSame = order.length === ids.length && ids.every((id) => order.includes(id))
    if (!isSame) throw new BadRequestError('Invalid order mapping.')
    orderFolders(tx.sql, order)
    emitFolderEvent(tx, { type: 'channel_folder', op: 'reorder', order })
    return {}
  },
}
