import type { BodyReader } from '../../core/command.ts'
import { bodyOf, type CompleteMessage, completeMessage } from './complete-message.ts'
import type { FoundMessages } from './get-messages.ts'

/**
 * Completes messages with their bodies, in the Worker. 'again' when one was edited or deleted since the
 * realm object was asked: then that is asked again, and a deleted message is simply not there.
 */
export async function finishMessages(
  { messages, historyPolicy, found }: FoundMessages,
  wishes: { readonly apply_markdown: boolean; readonly allow_empty_topic_name: boolean },
  reader: BodyReader,
): Promise<'again' | ({ messages: CompleteMessage[] } & FoundMessages['found'])> {
  const bodies = await reader.read(messages.map(({ facts }) => facts.id))
  const complete: CompleteMessage[] = []
  for (const message of messages) {
    const body = bodyOf(message, bodies)
    if (!body) return 'again'
    complete.push(
      completeMessage(message, body, {
        applyMarkdown: wishes.apply_markdown,
        allowEmptyTopic: wishes.allow_empty_topic_name,
        historyPolicy,
      }),
    )
  }
  return { messages: complete, ...found }
}
