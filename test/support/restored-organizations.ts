import { expect } from 'vitest'
import { runAlarms } from './alarms.ts'
import { buildChannel, buildUser, expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { type Furnished, furnish } from './furnished-realm.ts'
import { rowsNow } from './inside-backups.ts'
import { makeBackup } from './listed-backups.ts'
import { sendDirect, sendTo } from './messages.ts'
import { dumpFiles } from './stores.ts'
import { upload } from './uploads.ts'
import { buildRealm } from './use-realm.ts'

/** What people see, and what is stored: to be the same before and after. */
interface Seen {
  readonly digests: readonly unknown[]
  readonly messages: readonly unknown[]
  readonly rows: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, string>
}

/** Tables that say what has happened since, or what is left to do. */
const SINCE = ['meta', 'job', 'audit_entry', 'usage']

export async function seen(of: TestRealm, people: readonly TestUser[]): Promise<Seen> {
  const digests: unknown[] = []
  const messages: unknown[] = []
  for (const { api } of people) {
    digests.push(expectSuccess(await api.get('/realm/digest')).sections)
    const params = { anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false }
    const found = expectSuccess(await api.get('/messages', params)).messages
    messages.push(found.map(({ avatar_url: _, ...message }: { avatar_url: string }) => message))
  }
  const rows = [...(await rowsNow(of))].filter(([table]) => !SINCE.includes(table))
  return {
    digests,
    messages,
    rows: new Map(rows.map(([table, values]) => [table, values.map((row) => JSON.stringify(row)).sort()])),
    files: await dumpFiles(of),
  }
}

/** Changes what there is in many ways. */
export async function changeAll(of: TestRealm, { bea, cai, open, sent, file }: Furnished): Promise<TestUser> {
  const dan = await buildUser(of, { name: 'Dan Dill' })
  const channel = await buildChannel([of.owner, bea, dan], { name: 'later' })
  await sendTo(dan, channel.id, 'new', 'written since')
  expectSuccess(await bea.api.patch(`/messages/${sent.first}`, { content: 'edited since' }))
  expectSuccess(await of.owner.api.delete(`/messages/${sent.edited}`))
  expectSuccess(await of.owner.api.patch(`/streams/${open.id}`, { new_name: 'ships' }))
  expectSuccess(await of.owner.api.delete(`/users/${cai.id}`))
  const { attachments } = expectSuccess(await bea.api.get('/attachments'))
  for (const { id } of attachments) expectSuccess(await bea.api.delete(`/attachments/${id}`))
  expect(file).toBeTruthy()
  await upload(bea, { name: 'since.txt', content: 'uploaded since' })
  await sendDirect(bea, [dan], 'direct since')
  await runAlarms(of, 3, 700)
  return dan
}

export async function backedUp() {
  const { realm: of } = await buildRealm()
  const furnished = await furnish(of)
  const people = [of.owner, furnished.bea, furnished.cai]
  const backup = await makeBackup(of)
  return { of, furnished, people, backup, before: await seen(of, people) }
}
