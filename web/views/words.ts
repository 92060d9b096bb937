import { state } from '../chat.ts'
import type { Conversation } from '../state/conversation.ts'
import { isMutedPerson } from '../state/muted-people.ts'
import { listed, locale, t } from '../texts/texts.ts'

/** Returns a topic's name; the empty topic has one of the language. */
export function topicName(topic: string): string {
  return topic || t.emptyTopic
}

/** Returns a person's name as the page shows it. */
export function userName(id: number): string {
  return isMutedPerson(state, id) ? t.mutedPerson : realName(id)
}

/** Returns the name of a muted person too, for those who look for somebody by name or administer people. */
export function realName(id: number): string {
  return state.users.get(id)?.full_name ?? t.unknownPerson
}

/** Returns the names of the people of a conversation, with the user marked as such. */
export function peerNames(peers: readonly number[]): string {
  if (peers.length === 1 && peers[0] === state.me) return t.notesToSelf
  return listed(peers.map(userName))
}

/** Returns the names of the people of a conversation for a narrow row: the first ones of a group. */
export function shortPeerNames(peers: readonly number[]): string {
  if (peers.length === 1) return peerNames(peers)
  return listed(peers.map((id) => (isMutedPerson(state, id) ? t.mutedPerson : realName(id).split(' ')[0]!)))
}

/** Returns names in one line: of many, the first ones, and how many others there are. */
export function listedBriefly(names: readonly string[], shown: number): string {
  const others = names.length - shown
  return listed(others > 1 ? [...names.slice(0, shown), t.message.others(others)] : names)
}

export function channelName(id: number): string {
  return state.channels.get(id)?.name ?? t.unknownChannel
}

export function conversationName(conversation: Conversation): string {
  return conversation.kind === 'topic'
    ? `#${channelName(conversation.channelId)} › ${topicName(conversation.topic)}`
    : peerNames(conversation.peers)
}

/** Returns how names are ordered in the reader's language, with numbers in them by their value. */
export function nameOrder(): (a: string, b: string) => number {
  return new Intl.Collator(locale(), { numeric: true }).compare
}
