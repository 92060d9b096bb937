import { applyEvent } from '../reference-model/apply-event.ts'
import { type ClientForm, openClient } from '../reference-model/client-state.ts'
import { compareStates } from '../reference-model/comparable-state.ts'
import { differencesBetween } from '../reference-model/differences.ts'
import type { Person } from '../reference-model/person.ts'
import type { ParameterValue } from '../support/api.ts'
import type { TestUser } from '../support/factories.ts'
import { ALL_CAPABILITIES } from '../support/queues.ts'

const FORM: ClientForm = {
  name: 'a modern client',
  capabilities: ALL_CAPABILITIES,
  options: { apply_markdown: true, client_gravatar: true, slim_presence: true, include_subscribers: true },
}

/** Inserted messages have no texts, so that clients do without. */
const WITHOUT_TEXTS = { lists: false, messages: false }

/** What no event tells, and what follows from the texts of messages. */
const NOT_COMPARED = ['first_message_id', 'recent_private_conversations']

/** Opens a client of each of these, which applies its events as the reference model does. */
export function openClients(users: readonly TestUser[]) {
  return Promise.all(
    users.map(async (user) => {
      const person = personOf(user)
      const { queue, state } = await openClient(person, FORM, WITHOUT_TEXTS)
      return {
        /** Returns in which points the state after all events differs from that of a new registration. */
        async differences(): Promise<string[]> {
          for (let events = await queue.events(); events.length > 0; events = await queue.events()) {
            for (const event of events) applyEvent(state, event)
          }
          const fresh = await openClient(person, FORM, WITHOUT_TEXTS)
          const { applied, fresh: expected } = compareStates(state, fresh.state, {
            ignore: NOT_COMPARED,
          })
          return differencesBetween({ ...applied, messages: [] }, expected).map(
            (what) => `${user.fullName} ${what}`,
          )
        },
      }
    }),
  )
}

function personOf(user: TestUser): Person {
  const none = () => {
    throw new Error('This client asks no more than the API')
  }
  const { id, email, fullName, apiKey, api } = user
  return {
    id,
    email,
    fullName,
    apiKey,
    request: (method, path, params = {}) =>
      api.request(method, path, params as Record<string, ParameterValue>),
    postFile: none,
    using: none,
  }
}
