import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonInteger } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../../model/caller.ts'
import { requireRoomForDefaults } from '../../model/channels/change/channel-values.ts'
import { emitDefaultChannels } from '../../model/channels/defaults/default-channels.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { changeChannel } from '../../store/channels/channel-rows.ts'

type ByChannel = Command<Caller, { readonly stream_id: number }, void>

/** Makes new users join the channel. Repeating it is no error. Source: docs/interface/channels.md#default-channels. */
const addDefaultStream: ByChannel = {
  apply(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    if (channel.isArchived) throw new BadRequestError('Invalid channel ID')
    if (channel.isPrivate) throw new BadRequestError('Private channels cannot be made default.')
    if (channel.isDefault) return
    requireRoomForDefaults(tx.sql, 1)
    changeChannel(tx.sql, channel.id, { isDefault: true })
    emitDefaultChannels(tx)
  },
}

/** Makes new users join a channel. Source: docs/interface/channels.md#default-channels. */
export const addDefaultStreamEndpoint = defineEndpoint({
  operation: 'add-default-stream',
  route: 'POST /default_streams',
  access: 'administrator',
  params: { stream_id: jsonInteger },
  command: addDefaultStream,
  audit: 'shown',
})

/** Stops new users from joining the channel; subscribers stay. */
const removeDefaultStream: ByChannel = {
  apply(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    if (!channel.isDefault) return
    changeChannel(tx.sql, channel.id, { isDefault: false })
    emitDefaultChannels(tx)
  },
}

/** Stops making new users join a channel. Source: docs/interface/channels.md#default-channels. */
export const removeDefaultStreamEndpoint = defineEndpoint({
  operation: 'remove-default-stream',
  route: 'DELETE /default_streams',
  access: 'administrator',
  params: { stream_id: jsonInteger },
  command: removeDefaultStream,
  audit: 'shown',
})
