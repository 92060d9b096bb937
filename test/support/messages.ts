import type { ParameterValue } from './api.ts'
import { bodyDatabase } from './body-database.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'

/** Sends to a channel, by name or id; returns the message's id. */
export async function sendTo(
  sender: TestUser,
  channel: string | number,
  topic: string,
  content = 'hello',
): Promise<number> {
  const { id } = expectSuccess(
    await sender.api.post('/messages', { type: 'channel', to: channel, topic, content }),
  )
  return id
}

/** Sends to people; returns the message's id. */
export async function sendDirect(
  sender: TestUser,
  to: readonly Pick<TestUser, 'id'>[],
  content = 'hello',
): Promise<number> {
  const { id } = expectSuccess(
    await sender.api.post('/messages', { type: 'direct', to: to.map((user) => user.id), content }),
  )
  return id
}

/** Returns the ids of the messages that `reader` finds in a narrow, ascending: all of them unless `params` limit them. */
export async function idsIn(
  reader: TestUser,
  narrow: ParameterValue,
  params: Record<string, ParameterValue | undefined> = {},
): Promise<number[]> {
  const { messages } = expectSuccess(
    await reader.api.get('/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 1_000,
      narrow,
      ...params,
    }),
  )
  return messages.map(({ id }: { id: number }) => id)
}

/** Waits until D1 has the bodies of these messages: after a failure the projection pauses for seconds. */
export async function untilProjected(realm: TestRealm, ids: readonly number[]): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt += 1) {
    const row = await bodyDatabase
      .prepare(
        `SELECT COUNT(*) AS n FROM message_body WHERE realm_id = ? AND message_id IN (SELECT value FROM json_each(?))`,
      )
      .bind(realm.id, JSON.stringify(ids))
      .first<{ n: number }>()
    if (row!.n === ids.length) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('D1 has not got the messages')
}
