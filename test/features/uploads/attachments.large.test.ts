import { expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { putLink } from '../../support/inside-rows.ts'
import { LINKS_SHOWN } from '../../support/limits.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

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
