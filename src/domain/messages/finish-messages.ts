import type { BodyReader } from '../../core/command.ts'
import { bodyOf, type CompleteMessage, completeMessage } from './complete-message.ts'
import type { FoundFields, FoundMessages } from './get-messages.ts'
import { type MatchFields, matchFields } from './search/match-fields.ts'

type FinishedMessage = CompleteMessage & Partial<MatchFields>

/**
 * Completes messages with their bodies, in the Worker. 'again' when one was edited or deleted since the
 * realm object was asked: then that is asked again, and a deleted message is simply not there.
 */
export async function finishMessages(
  { messages, historyPolicy, needles, found }: FoundMessages,
  wishes: { readonly apply_markdown: boolean; readonly allow_empty_topic_name: boolean },
  reader: BodyReader,
): Promise<'again' | ({ messages: FinishedMessage[] } & FoundFields)> {
  const bodies = await reader.read(messages.map(({ facts }) => facts.id))
  const finished: FinishedMessage[] = []
  for (const message of messages) {
    const body = bodyOf(message, bodies)
    if (!body) return 'again'
    const complete = completeMessage(message, body, {
      applyMarkdown: wishes.apply_markdown,
      allowEmptyTopic: wishes.allow_empty_topic_name,
      historyPolicy,
    })
    finished.push(needles ? { ...complete, ...matchFields(body, complete.subject, needles) } : complete)
  }
  return { messages: finished, ...found }
}
