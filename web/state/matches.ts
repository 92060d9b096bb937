import type { Channel, ChatState } from './chat-state.ts'
import { conversationOf, isResolved, topicKey } from './conversation.ts'
import type { Narrow, NarrowTerm } from './narrow.ts'
import { isTopicMuted, TOPIC_POLICY, topicPolicy } from './topics.ts'
import type { Message } from './wire.ts'

/** Whether a message belongs to a narrow; undefined where only the server knows (searches). */
export function belongsTo(state: ChatState, narrow: Narrow, message: Message): boolean | undefined {
  let belongs: boolean | undefined = true
  for (const term of narrow) {
    const found = matches(state, term, message)
    if (found === undefined) belongs = undefined
    else if (found === (term.negated === true)) return false
  }
  return belongs
}

function matches(state: ChatState, term: NarrowTerm, message: Message): boolean | undefined {
  switch (term.operator) {
    case 'channel':
      return message.stream_id === term.operand
    case 'topic':
      return message.type === 'stream' && topicKey(message.subject) === topicKey(term.operand)
    case 'dm': {
      if (message.type !== 'private') return false
      const conversation = conversationOf(message, state.me)
      return conversation.kind === 'direct' && conversation.peers.join() === term.operand.join()
    }
    case 'dm-including': {
      if (message.type !== 'private') return false
      return (message.display_recipient as readonly { id: number }[]).some(({ id }) => id === term.operand)
    }
    case 'sender':
      return message.sender_id === term.operand
    case 'id':
      return message.id === term.operand
    case 'is':
      return matchesIs(state, term.operand, message)
    case 'has':
      return matchesHas(term.operand, message)
    case 'in':
      return term.operand === 'all' || !isMuted(state, message)
    case 'channels':
      return isInPublicChannel(state.channels.get(message.stream_id ?? -1), term.operand)
    case 'mentions':
    case 'search':
      return undefined
  }
}

function matchesIs(
  state: ChatState,
  operand: Extract<NarrowTerm, { operator: 'is' }>['operand'],
  message: Message,
): boolean {
  const { flags } = message
  switch (operand) {
    case 'dm':
      return message.type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'mentioned':
      return MENTION_FLAGS.some((flag) => flags.includes(flag))
    case 'alerted':
      return flags.includes('has_alert_word')
    case 'resolved':
      return message.type === 'stream' && isResolved(message.subject)
    case 'followed':
      return (
        message.type === 'stream' &&
        topicPolicy(state, message.stream_id!, message.subject) === TOPIC_POLICY.followed
      )
    case 'muted':
      return isMuted(state, message)
  }
}

const MENTION_FLAGS = [
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
] as const

/** Whether a message has what `has` asks for, by the server's HTML; undefined where that does not show it. */
function matchesHas(
  operand: Extract<NarrowTerm, { operator: 'has' }>['operand'],
  { content, reactions }: Message,
): boolean | undefined {
  if (operand === 'reaction') return reactions.length > 0
  const [sign, sure] = HAS_SIGNS[operand]
  if (!content.includes(sign)) return false
  return sure ? true : undefined
}

const HAS_SIGNS = {
  link: ['<a ', false],
  image: ['<img ', false],
  attachment: ['/user_uploads/', false],
} as const

function isMuted(state: ChatState, message: Message): boolean {
  return message.type === 'stream' && isTopicMuted(state, message.stream_id!, message.subject)
}

function isInPublicChannel(channel: Channel | undefined, kind: 'public' | 'web-public'): boolean {
  if (!channel) return false
  return kind === 'web-public' ? channel.is_web_public : !channel.invite_only
}
