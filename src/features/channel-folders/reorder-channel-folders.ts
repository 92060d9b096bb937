import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { folderIds, orderFolders } from '../../store/channel-folders/channel-folder-rows.ts'
import { emitFolderEvent } from './emit-channel-folder.ts'

/** Puts all folders, archived ones too, into a new order. Source: docs/interface/channels.md#channel-folders. */
export const reorderChannelFoldersEndpoint = defineEndpoint({
  operation: 'reorder-channel-folders',
  method: 'PATCH',
  path: '/channel_folders',
  access: 'administrator',
  params: { order: jsonIds },
  returns: v.object({}),
  command: { apply: reorderChannelFolders },
  audit: 'shown',
})

function reorderChannelFolders(
  tx: RealmTransaction,
  _caller: Caller,
  { order }: { readonly order: readonly number[] },
): object {
  const ids = folderIds(tx.sql)
  const asked = new Set(order)
  const isSame = order.length === ids.length && ids.every((id) => asked.has(id))
  if (!isSame) throw new BadRequestError('Invalid order mapping.')
  orderFolders(tx.sql, order)
  emitFolderEvent(tx, { type: 'channel_folder', op: 'reorder', order })
  return {}
}
