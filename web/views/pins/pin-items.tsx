import { pin, pinsOf, unpin } from '../../actions/pins.ts'
import { state } from '../../chat.ts'
import { mayPin } from '../../state/channel-permissions.ts'
import type { Channel } from '../../state/chat-state.ts'
import { topicKey } from '../../state/conversation.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { MenuItem } from '../../ui/menu.tsx'
import { announce, attempt } from '../announcement.tsx'

/** Pins a message to its channel, or takes it off. */
export function PinMessageItem({ message: { id, type, stream_id } }: { readonly message: Message }) {
  const channel = type === 'stream' ? state.channels.get(stream_id!) : undefined
  if (!channel || !mayPin(state, channel)) return null
  const known = pinsOf(channel.stream_id).find(({ message_id }) => message_id === id)
  return (
    <MenuItem
      icon="pin"
      onClick={() => attempt(known ? takeOff(channel, known) : putOn(channel, { message_id: id }))}
    >
      {known ? t.pins.unpinMessage : t.pins.pinMessage}
    </MenuItem>
  )
}

/** Does the same with a topic. */
export function PinTopicItem({ channel, topic }: { readonly channel: Channel; readonly topic: string }) {
  if (!mayPin(state, channel)) return null
  const key = topicKey(topic)
  const known = pinsOf(channel.stream_id).find((one) => one.topic !== null && topicKey(one.topic) === key)
  return (
    <MenuItem icon="pin" onClick={() => attempt(known ? takeOff(channel, known) : putOn(channel, { topic }))}>
      {known ? t.pins.unpinTopic : t.pins.pinTopic}
    </MenuItem>
  )
}

async function putOn({ stream_id, name }: Channel, what: Parameters<typeof pin>[1]): Promise<void> {
  await pin(stream_id, what)
  announce(t.pins.pinned(name))
}

/** Takes a pin off; it can be put back. */
export async function takeOff(
  { stream_id }: Pick<Channel, 'stream_id'>,
  known: Parameters<typeof unpin>[1],
): Promise<void> {
  await unpin(stream_id, known)
  const { message_id, topic } = known
  const what = message_id === null ? { topic: topic! } : { message_id }
  announce(t.pins.unpinned, () => pin(stream_id, what))
}
