import { DEPLOY_RETRY_SECONDS, ServiceUnavailableError } from '../../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import type { MessageFacts, PresentedMessage } from './present-message.ts'

/**
 * Messages on their way to the Worker, as two texts: as objects of twenty fields, which are taken apart and put together
 * again on the way, a hundred of them cost a third of a millisecond more.
 */
export interface PackedMessages {
  readonly ids: readonly number[]
  readonly heads: JsonText<readonly MessageHead[]>
  /** The JSON of each message's facts, on a line of its own. */
  readonly facts: string
}

/** What the Worker has to know of a message to complete it. */
type MessageHead = Omit<PresentedMessage, 'facts'>

/** A message as the Worker unpacks it: its facts are sent on as they are. */
export interface UnpackedMessage extends MessageHead {
  readonly id: number
  readonly facts: JsonText<MessageFacts>
}

export function packMessages(messages: readonly PresentedMessage[]): PackedMessages {
  return {
    ids: messages.map(({ facts }) => facts.id),
    heads: jsonText(messages.map(({ facts: _, ...head }) => head)),
    facts: messages.map(({ facts }) => jsonText(facts)).join('\n'),
  }
}

/** @throws ServiceUnavailableError (503) during a deploy, while the object is of a build that packs messages in another way. */
export function unpackMessages({ ids, heads, facts }: PackedMessages): UnpackedMessage[] {
  if (typeof facts !== 'string') throw new ServiceUnavailableError(DEPLOY_RETRY_SECONDS)
  const lines = facts.split('\n') as JsonText<MessageFacts>[]
  return fromJson(heads).map((head, at) => ({ ...head, id: ids[at]!, facts: lines[at]! }))
}
