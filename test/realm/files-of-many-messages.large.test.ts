import { describe, expect, it } from 'vitest'
import { countRows } from '../support/counted-rows.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestChannel,
  type TestUser,
} from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { insertAttachment, putLink } from '../support/inside-rows.ts'
import { ENTRIES_AT_ONCE, LINKS_SHOWN } from '../support/limits.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { readStatus, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'

const { realm, ann, ben, eve, channel, elsewhere } = useRealm(
  { ann: 'member', ben: 'member', eve: 'member' },
  { channels: { channel: ['ann', 'ben'], elsewhere: ['ann'] } },
)

// The object that lists them is the one whose turns are watched.
neverEvict()
const MANY = 300

interface ListedFile {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly messages: readonly { readonly id: number }[]
}

async function filesOf({ api } = ann): Promise<ListedFile[]> {
  return expectSuccess(await api.get('/attachments')).attachments
}

async function fileAt(path: string): Promise<ListedFile> {
  return (await filesOf()).find(({ path_id }) => `/user_uploads/${path_id}` === path)!
}

/** Enters links of as many older messages, of a channel that only some see, to a file. */
async function linkFromMany(path: string): Promise<number> {
  const first = await sendTo(ann, elsewhere.id, 'older', `see [it](${path})`)
  const { id } = await fileAt(path)
  const others: number[] = []
  for (let at = 1; at < MANY; at += 1) others.push(await sendTo(ann, elsewhere.id, 'older', `number ${at}`))
  await changeRealm(realm, ({ sql }) => {
    for (const message of [first, ...others]) putLink(sql, id, message)
  })
  return id
}

it('a file that hundreds of messages link to is announced with the newest', async () => {
  const [few, many] = [await upload(ann), await upload(ann)]
  await sendTo(ann, channel.id, 'files', `[few](${few})`)
  await linkFromMany(many)
  const queue = await openQueue(ann, { event_types: ['attachment'], fetch_event_types: [] })
  const send = (path: string) => {
    const message = { type: 'channel', to: channel.id, topic: 'files', content: `[file](${path})` }
    return countRows(ann.api, 'POST', '/messages', message)
  }
  await send(few)
  const [ofFew, ofMany] = [await send(few), await send(many)]
  expect(ofMany.object.read - ofFew.object.read).toBeLessThan(10 * LINKS_SHOWN)
  const { attachment } = (await queue.events()).at(-1)!
  const listed = await fileAt(many)
  expect(attachment).toEqual(listed)
  expect(listed.messages).toHaveLength(LINKS_SHOWN)
  expect(listed.messages.at(-1)).toMatchObject({ id: ofMany.body.id })
})

it('a user who may read one of them may read the file, and share it', async () => {
  for (const { id } of [channel, elsewhere]) {
    expectSuccess(await realm.owner.api.patch(`/streams/${id}`, { is_private: true }))
  }
  const path = await upload(ann)
  await sendTo(ann, channel.id, 'files', `[first](${path})`)
  await linkFromMany(path)
  expect(await readStatus(realm, path, ben)).toBe(200)
  expect(await readStatus(realm, path, eve)).not.toBe(200)
  await sendTo(ben, channel.id, 'files', `[passed on](${path})`)
  expect((await fileAt(path)).messages).toHaveLength(LINKS_SHOWN)
})

/** Enters files, more than one turn presents, the first of which these messages link to. Returns their ids. */
function insertFiles(owner: TestUser, linking: readonly number[]): Promise<number[]> {
  return changeRealm(realm, (tx) =>
    Array.from({ length: ENTRIES_AT_ONCE + MANY }, (_, at) => {
      const { id } = insertAttachment(tx.sql, {
        path: `${realm.id}/00/${owner.id}/${at}/file-${at}.txt`,
        ownerId: owner.id,
        name: `file-${at}.txt`,
        contentType: 'text/plain',
        size: 1,
        createdAt: 0,
        image: null,
      })
      const message = linking[at]
      if (message !== undefined) putLink(tx.sql, id, message)
      return id
    }),
  )
}

it('a list of thousands of files is made in several turns, each file once', async () => {
  const sent = await sendTo(ben, channel.id, 'files', 'all of them')
  const ids = await insertFiles(ben, new Array(MANY).fill(sent))
  const listed = await filesOf(ben)
  expect(listed.map(({ id }) => id)).toEqual(ids)
  expect(listed.filter(({ messages }) => messages.length === 1)).toHaveLength(MANY)
})

describe('a list of files that is made in several turns', () => {
  /** Does something between the first two turns in which a user lists their files; returns the linking messages that they get. */
  async function listedDuring(user: TestUser, act: () => Promise<unknown>) {
    const { answer: listed, turns } = await inWatchedSlices(
      realm,
      () => filesOf(user),
      async (turn) => {
        if (turn === 1) await act()
      },
    )
    expect(turns).toBeGreaterThan(1)
    return listed.flatMap(({ messages }) => messages.map(({ id }) => id))
  }

  /** Returns a user with files that a message of each of these channels links to. */
  async function ownerOfFiles(count: number) {
    const user = await buildUser(realm)
    const rooms: TestChannel[] = []
    const sent: number[] = []
    for (let at = 0; at < count; at += 1) {
      const room = await buildChannel([realm.owner, user], { invite_only: true })
      rooms.push(room)
      sent.push(await sendTo(user, room.id, 'files', 'here'))
    }
    await insertFiles(user, sent)
    return { user, rooms, sent }
  }

  it('has no message of a channel that its owner has left meanwhile', async () => {
    const { user, rooms, sent } = await ownerOfFiles(2)
    const leave = () => user.api.delete('/users/me/subscriptions', { subscriptions: [rooms[0]!.name] })
    expect(await listedDuring(user, leave)).toEqual([sent[1]])
  })

  it('has no message that was deleted, or moved out of its owner’s sight', async () => {
    const { user, sent } = await ownerOfFiles(3)
    const hidden = await buildChannel([realm.owner], {
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const change = async () => {
      expectSuccess(await realm.owner.api.delete(`/messages/${sent[0]}`))
      const move = { stream_id: hidden.id, propagate_mode: 'change_one' }
      expectSuccess(await realm.owner.api.patch(`/messages/${sent[1]}`, move))
    }
    expect(await listedDuring(user, change)).toEqual([sent[2]])
  })

  it('has all of them whatever others do meanwhile', async () => {
    const { user, rooms, sent } = await ownerOfFiles(2)
    const join = async () => {
      const others = { subscriptions: [{ name: rooms[0]!.name }], principals: [ann.id, ben.id] }
      expectSuccess(await realm.owner.api.post('/users/me/subscriptions', others))
      await sendTo(ann, rooms[0]!.id, 'files', 'thanks')
    }
    expect(await listedDuring(user, join)).toEqual(sent)
  })
})
