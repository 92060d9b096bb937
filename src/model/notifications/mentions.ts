import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import type { ReceiverFlags } from '../messages/send/receiver-flags.ts'

/** Receivers of a message whom it mentions. */
export interface Mentions {
  readonly byName: readonly number[]
  readonly inTopic: readonly number[]
  readonly isChannel: boolean
}

export const NO_MENTIONS: Mentions = { byName: [], inTopic: [], isChannel: false }

/** Returns the mentions of a message that is being stored. */
export function mentionsAmong({ personal, common }: Pick<ReceiverFlags, 'personal' | 'common'>): Mentions {
  return {
    byName: personal.mentioned ?? [],
    inTopic: personal.topic_wildcard_mentioned ?? [],
    isChannel: common.includes('stream_wildcard_mentioned'),
  }
}

/** Returns the mentions of a stored message, by its receivers' flags; the message's bits say whether it mentions its channel. */
export function mentionsByFlags(bits: ReadonlyMap<number, number>): Mentions {
  const having = (bit: number) => [...bits.keys()].filter((userId) => (bits.get(userId)! & bit) !== 0)
  return {
    byName: having(FLAG_BIT.mentioned),
    inTopic: having(FLAG_BIT.topic_wildcard_mentioned),
    isChannel: false,
  }
}
