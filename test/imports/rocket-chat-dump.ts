/** A dump of a Rocket.Chat database, with whatever a test adds to it. */
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { rocketChatReader } from '../../src/imports/rocket-chat-reader.ts'
import { bsonFileOf } from './bson-builder.ts'
import { tarOf } from './tar-builder.ts'

export const rocketChat = rocketChatReader as ImportReader

export type Documents = readonly (object | Uint8Array)[]

export const at = (seconds: number) => new Date((1_600_000_000 + seconds) * 1_000)

const ADA = {
  _id: 'ada1',
  username: 'ada',
  name: 'Ada Amsel',
  emails: [{ address: 'ada@example.org', verified: true }],
  roles: ['user', 'admin'],
  type: 'user',
  active: true,
  createdAt: at(-100_000),
}
const BEN = {
  _id: 'ben1',
  username: 'ben.b',
  name: 'Ben Brandt',
  roles: ['user'],
  type: 'user',
  active: true,
}
const GENERAL = { _id: 'GENERAL', t: 'c', name: 'general', default: true, ts: at(-90_000) }

export const byAda = { u: { _id: 'ada1', username: 'ada', name: 'Ada Amsel' } }
export const byBen = { u: { _id: 'ben1', username: 'ben.b', name: 'Ben Brandt' } }

export const subscription = (rid: string, user: typeof byAda, more: object = {}) => ({
  _id: `${rid}-${user.u._id}`,
  rid,
  ...user,
  ...more,
})

export const message = (_id: string, seconds: number, msg: string, more: object = {}) => ({
  _id,
  rid: 'GENERAL',
  msg,
  ts: at(seconds),
  ...byAda,
  ...more,
})

/** Returns an archive of these collections, in addition to two people and a room. */
export function dumpOf(
  collections: Readonly<Record<string, Documents>>,
  files: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array {
  const { users = [], rocketchat_room = [], rocketchat_message = [], ...others } = collections
  const all = {
    users: [{ _id: 'rocket.cat', username: 'rocket.cat', type: 'bot', roles: ['bot'] }, ADA, BEN, ...users],
    rocketchat_room: [GENERAL, ...rocketchat_room],
    rocketchat_message,
    ...others,
  }
  const entries = Object.entries(all).map(
    ([name, documents]) => [`dump/rocketchat/${name}.bson`, bsonFileOf(documents)] as const,
  )
  return tarOf({ ...Object.fromEntries(entries), ...files })
}
