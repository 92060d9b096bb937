import { applyEvent } from './apply-event.ts'
import { type Cast, ROLES, type Role } from './case.ts'
import { EVERY_FORM } from './client-forms.ts'
import { type ClientForm, type ClientState, openClient } from './client-state.ts'
import { compareStates } from './comparable-state.ts'
import { differencesBetween } from './differences.ts'
import type { ClientQueue, Json } from './person.ts'

/** A client that listens from the first case to the last. */
export interface WatchingClient {
  readonly role: Role
  readonly form: ClientForm
  queue: ClientQueue
  state: ClientState
  /** What is not compared, because of what has happened since its last fresh snapshot. */
  readonly ignored: Set<string>
}

/** One of every form for each of the watchers. */
export async function openWatchingClients({ watchers }: Cast): Promise<WatchingClient[]> {
  const kinds = ROLES.flatMap((role) => EVERY_FORM.map((form) => ({ role, form })))
  return Promise.all(
    kinds.map(async (kind) => {
      const ignored = new Set<string>()
      return { ...kind, ...(await openClient(watchers[kind.role], kind.form)), ignored }
    }),
  )
}

/** Everything that the client has not heard, applied to what it knows; `waiting`: what it is about to hear. */
export async function catchUp(client: WatchingClient, waiting?: Promise<Json[]>): Promise<Json[]> {
  const heard = [...((await waiting) ?? []), ...(await client.queue.events())]
  for (const event of heard) applyEvent(client.state, event)
  return heard
}

/**
 * Where what events made of the client's snapshot differs from a fresh one, in words. From then on the
 * client knows what the fresh one does. `lists`: also what clients fetch beside the snapshot.
 */
export async function differencesOfClient(
  cast: Cast,
  client: WatchingClient,
  { lists }: { lists: boolean },
): Promise<string[]> {
  const { role, form, queue, state, ignored } = client
  const fresh = await openClient(cast.watchers[role], form, { lists })
  if (!lists) {
    fresh.state.attachments = state.attachments
    fresh.state.invites = state.invites
  }
  Object.assign(client, fresh)
  await queue.end()
  const { applied, fresh: expected } = compareStates(state, fresh.state, { ignore: [...ignored] })
  ignored.clear()
  return differencesBetween(applied, expected).map((one) => `${role} with ${form.name}: ${one}`)
}
