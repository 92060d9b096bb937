import { state, watch } from '../../chat.ts'
import { hrefOf, hrefOfConversation } from '../../navigation.ts'
import { conversationOf } from '../../state/conversation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import type { Message } from '../../state/wire.ts'
import { Icon } from '../../ui/icon.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { channelName, peerNames, topicName } from '../words.ts'

interface ConversationHeadingProps {
  readonly message: Message
  /** Whether all of the list is in its channel, which it does not name then. */
  readonly isWithin: boolean
}

/** The heading of a conversation's messages, in a list of several conversations. */
export function ConversationHeading({ message, isWithin }: ConversationHeadingProps) {
  watch(`message ${message.id}`)
  const conversation = conversationOf(state.messages.get(message.id) ?? message, state.me)
  if (conversation.kind === 'direct') {
    return (
      <div class="heading-row">
        <Icon name={conversation.peers.length > 1 ? 'group' : 'direct'} />
        <a class="one-line" dir="auto" href={hrefOfConversation(conversation)}>
          {peerNames(conversation.peers)}
        </a>
      </div>
    )
  }
  const { channelId, topic } = conversation
  const channel = state.channels.get(channelId)
  const color = channel?.subscription?.color
  return (
    <div class="heading-row" style={color ? { '--edge': color } : {}}>
      {!isWithin && (
        <>
          <ChannelIcon channel={channel} />
          <a class="one-line" dir="auto" href={hrefOf(channelNarrow(channelId))}>
            {channelName(channelId)}
          </a>
          <Icon name="within" />
        </>
      )}
      <a class="one-line" dir="auto" href={hrefOfConversation(conversation)}>
        {topicName(topic)}
      </a>
    </div>
  )
}
