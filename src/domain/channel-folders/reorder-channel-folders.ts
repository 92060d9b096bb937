import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { folderIds, orderFolders } from './channel-folder-rows.ts'
import { emitFolderEvent } from './emit-channel-folder.ts'

/** Puts all folders, archived ones too, into a new order. Source: docs/interface/channels.md#channel-folders. */
export const reorderChannelFolders: Command<Caller, { readonly order: readonly number[] }, void, object> = {
  apply(tx, _caller, { order }) {
    const ids = folderIds(tx.sql)
    const asked = new Set(order)
    const isSame = order.length === ids.length && ids.every((id) => asked.has(id))
    if (!isSame) throw new BadRequestError('Invalid order mapping.')
    orderFolders(tx.sql, order)
    emitFolderEvent(tx, { type: 'channel_folder', op: 'reorder', order })
    return {}
  },
}
