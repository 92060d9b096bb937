import { toggledTopic } from '../state/conversation.ts'
import type { Message } from '../state/wire.ts'
import { call } from './call.ts'

/** Returns a message's source. */
export async function sourceOf(id: number): Promise<string> {
  const { message } = await call('GET', `/messages/${id}`, {
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return (message as Message).content
}

/** Deletes a message. `keepalive`: the request outlives the page. */
export async function deleteMessage(id: number, keepalive = false): Promise<void> {
  await call('DELETE', `/messages/${id}`, {}, { keepalive })
}

export type MoveExtent = 'change_one' | 'change_later' | 'change_all'

export async function move(
  id: number,
  to: { readonly channelId?: number; readonly topic: string; readonly extent: MoveExtent },
): Promise<void> {
  await call('PATCH', `/messages/${id}`, {
    topic: to.topic,
    propagate_mode: to.extent,
    ...(to.channelId === undefined ? {} : { stream_id: to.channelId }),
  })
}

/** Adds or removes the check mark before the topic. `id`: any message of it. */
export async function toggleResolved(id: number, topic: string): Promise<void> {
  await move(id, { topic: toggledTopic(topic), extent: 'change_all' })
}

/** Returns some message of a topic, which changes of the whole topic have to name. */
export async function newestOf(channelId: number, topic: string): Promise<number | undefined> {
  const { messages } = await call('GET', '/messages', {
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ],
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    allow_empty_topic_name: true,
  })
  return (messages as Message[])[0]?.id
}
