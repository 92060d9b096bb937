import type { Json } from '../../support/json.ts'
import type { Cast, Role } from '../case.ts'
import { type Params, type Person, succeed } from '../person.ts'

/** Makes a call that must succeed; returns its answer. */
export async function call(
  user: Person,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  params?: Params,
): Promise<Json> {
  return succeed(user, method, path, params)
}

/** Lets each of the watchers do it, one after the other. */
export async function each(
  cast: Cast,
  roles: readonly Role[],
  act: (user: Person, role: Role) => Promise<unknown>,
): Promise<void> {
  for (const role of roles) await act(cast.watchers[role], role)
}

export function post(user: Person, to: string | number, topic: string, content = 'hello'): Promise<number> {
  return call(user, 'POST', '/messages', { type: 'channel', to, topic, content }).then(({ id }) => id)
}

export function write(user: Person, to: readonly Person[], content = 'hello'): Promise<number> {
  const ids = to.map(({ id }) => id)
  return call(user, 'POST', '/messages', { type: 'direct', to: ids, content }).then(({ id }) => id)
}

let names = 0

/** Returns a name that nothing else has. */
export function newName(what: string): string {
  names += 1
  return `${what} ${names}`
}

/** Creates a channel, as the first of these people with the rest. */
export async function makeChannel(
  members: readonly Person[],
  settings: Params = {},
): Promise<{ id: number; name: string }> {
  const name = newName('channel')
  const [creator] = members
  await call(creator!, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: members.map(({ id }) => id),
    ...settings,
  })
  const { stream_id } = await call(creator!, 'GET', '/get_stream_id', { stream: name })
  return { id: stream_id, name }
}

/** Returns the id of a system group. */
export async function systemGroup(user: Person, name: string): Promise<number> {
  const { user_groups } = await call(user, 'GET', '/user_groups')
  return user_groups.find((group: Json) => group.name === name).id
}

export function watchersOf(cast: Cast): Person[] {
  return Object.values(cast.watchers)
}

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
)

/** A picture of one pixel. */
export function picture(name: string): File {
  return new File([PNG], name, { type: 'image/png' })
}
