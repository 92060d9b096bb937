import type { ParameterValue } from './api.ts'
import { expectSuccess, type TestUser } from './factories.ts'
import { holdPolls } from './held-polls.ts'
import type { Json } from './json.ts'

export type TestEvent = { id: number; type: string; op?: string } & Record<string, Json>

/** The capabilities that a modern client declares. */
export const ALL_CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
}

/** An event queue with its cursor, as a client keeps it. Events are checked against the declaration of GET /events. */
export class TestQueue {
  readonly user: TestUser
  readonly id: string
  readonly snapshot: Json
  lastEventId: number

  constructor(user: TestUser, snapshot: Json) {
    this.user = user
    this.id = snapshot.queue_id
    this.snapshot = snapshot
    this.lastEventId = snapshot.last_event_id
  }

  /** Returns the present events without waiting. The next call acknowledges them. */
  async events(): Promise<TestEvent[]> {
    return this.#take({ dont_block: true })
  }

  /** Waits for the next events, and returns them. */
  async poll(): Promise<TestEvent[]> {
    return this.#take({})
  }

  /** Returns the present events of one type (and op). */
  async eventsOf(type: string, op?: string): Promise<TestEvent[]> {
    return (await this.events()).filter(
      (event) => event.type === type && (op === undefined || event.op === op),
    )
  }

  async #take(params: Record<string, ParameterValue>): Promise<TestEvent[]> {
    const { events } = expectSuccess(
      await this.user.api.get('/events', { queue_id: this.id, last_event_id: this.lastEventId, ...params }),
    ) as { events: TestEvent[] }
    for (const event of events) {
      if (event.id <= this.lastEventId) throw new Error(`Event ${event.id} came after ${this.lastEventId}`)
      this.lastEventId = event.id
    }
    return events
  }
}

export async function openQueue(
  user: TestUser,
  params: Record<string, ParameterValue | undefined> = {},
): Promise<TestQueue> {
  const snapshot = expectSuccess(
    await user.api.post('/register', {
      client_capabilities: ALL_CAPABILITIES,
      apply_markdown: true,
      ...params,
    }),
  )
  return new TestQueue(user, snapshot)
}

/**
 * Returns the events that waiting clients get while `act` runs: events that are kept in memory only (typing,
 * presence) are certain only to reach waiting clients.
 */
export async function whileListening(
  queues: readonly TestQueue[],
  act: () => Promise<unknown>,
): Promise<TestEvent[][]> {
  const polls = await holdPolls(queues)
  await act()
  return Promise.all(polls)
}
