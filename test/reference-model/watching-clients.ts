import type { ChatState } from '../../web/state/index.ts'
import type { Json } from '../support/json.ts'
import { applyEvent } from './apply-event.ts'
import { type Cast, ROLES, type Role } from './case.ts'
import { EVERY_FORM, MODERN } from './client-forms.ts'
import { type ClientForm, type ClientState, openClient } from './client-state.ts'
import { type Comparison, compareStates } from './comparable-state.ts'
import { differencesBetween } from './differences.ts'
import { applyToPage, comparePages, openPage } from './page-client.ts'
import type { ClientQueue } from './person.ts'

/** A client that listens from the first case to the last. */
export interface WatchingClient {
  readonly role: Role
  readonly form: ClientForm
  queue: ClientQueue
  state: ClientState
  /** The page's state after the same events; present for the form with which the page registers. */
  page: ChatState | undefined
  /** Names of state that is not compared, because of events since the client's last fresh snapshot. */
  readonly ignored: Set<string>
}

/** Opens a client of every form for each of the watchers. */
export async function openWatchingClients({ watchers }: Cast): Promise<WatchingClient[]> {
  const kinds = ROLES.flatMap((role) => EVERY_FORM.map((form) => ({ role, form })))
  return Promise.all(
    kinds.map(async (kind) => {
      const ignored = new Set<string>()
      const opened = await openClient(watchers[kind.role], kind.form)
      return { ...kind, ...opened, page: kind.form === MODERN ? openPage(opened.state) : undefined, ignored }
    }),
  )
}

/** Applies all events that the client has not had yet; `waiting`: the events of a waiting poll. Returns the events. */
export async function catchUp(client: WatchingClient, waiting?: Promise<Json[]>): Promise<Json[]> {
  const heard = [...((await waiting) ?? []), ...(await client.queue.events())]
  for (const event of heard) applyEvent(client.state, event)
  if (client.page) applyToPage(client.page, heard)
  return heard
}

/**
 * Returns descriptions of the differences between the client's snapshot with events applied and a new one; from then on the
 * client has the new one. `lists`: also compares what clients fetch besides the snapshot.
 */
export async function differencesOfClient(
  cast: Cast,
  client: WatchingClient,
  { lists }: { lists: boolean },
): Promise<string[]> {
  const { role, form, queue, state, page, ignored } = client
  const fresh = await openClient(cast.watchers[role], form, { lists })
  if (!lists) {
    fresh.state.attachments = state.attachments
    fresh.state.invites = state.invites
  }
  await queue.end()
  const ignore = [...ignored]
  ignored.clear()
  const found = differencesOf(compareStates(state, fresh.state, { ignore }), `${role} with ${form.name}`)
  if (page) found.push(...differencesOf(comparePages(page, state, fresh.state, { ignore }), `${role}'s page`))
  Object.assign(client, fresh, { page: page && openPage(fresh.state) })
  return found
}

function differencesOf({ applied, fresh }: Comparison, who: string): string[] {
  return differencesBetween(applied, fresh).map((one) => `${who}: ${one}`)
}
