import { state } from '../../chat.ts'
import { names } from '../../navigation.ts'
import { parseAddress } from '../../state/addresses.ts'
import { linkTo } from '../../state/mention-text.ts'
import { conversationOfNarrow } from '../../state/narrow.ts'

/** Returns the link, as the server knows it, to the message or topic of an address of this page; undefined if its names cannot stand in one. */
export function linkOfAddress(address: string): string | undefined {
  const shown = parseAddress(new URL(address).hash, names)
  if (shown.view !== 'narrow') return undefined
  const conversation = conversationOfNarrow(shown.narrow)
  const channel = conversation?.kind === 'topic' ? state.channels.get(conversation.channelId) : undefined
  if (conversation?.kind !== 'topic' || !channel || conversation.topic === '') return undefined
  const link = linkTo(channel, conversation.topic, { names, emptyTopic: '' })
  if (!link.startsWith('#**')) return undefined
  const message = shown.near ?? shown.with
  return message === undefined ? link : `${link.slice(0, -2)}@${message}**`
}
