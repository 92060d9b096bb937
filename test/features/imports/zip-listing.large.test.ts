import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { type ZipFile, zipOf } from '../../imports/zip-builder.ts'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { countOf, importWithId, messagesOf, runImport, runUntil } from '../../support/imports.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const T = 1_402_560_000
const [FILES, DAYS] = [10_500, 12] as const

it('A ZIP of many files is listed once wherever the object dies', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { realm } = made
  const days = Array.from({ length: DAYS }, (_, at): ZipFile => {
    const seconds = T + at * 86_400
    const file = { id: `F${at * 900}`, name: 'a.txt', mimetype: 'text/plain', user: 'U1', created: T }
    const message = { type: 'message', user: 'U1', ts: `${seconds}.000100`, text: `day ${at}`, files: [file] }
    return {
      name: `boats/${new Date(seconds * 1_000).toISOString().slice(0, 10)}.json`,
      content: JSON.stringify([message]),
    }
  })
  const lists = {
    'users.json': [{ id: 'U1', team_id: 'T1', name: 'ada', profile: { real_name: 'Ada Amsel' } }],
    'channels.json': [{ id: 'C1', name: 'boats', created: T, creator: 'U1', members: ['U1'] }],
  }
  const bytes = zipOf([
    ...days.slice(DAYS / 2),
    ...Array.from({ length: FILES }, (_, at) => ({
      name: `__uploads/F${at}/a.txt`,
      content: `file ${at}`,
      isStored: true,
    })),
    ...days.slice(0, DAYS / 2),
    ...Object.entries(lists).map(([name, list]) => ({ name, content: JSON.stringify(list) })),
  ])
  const path = await upload(realm.owner, {
    name: 'slack.zip',
    type: 'application/zip',
    content: new Uint8Array(bytes),
  })
  const asked = { path_id: path.replace('/user_uploads/', '') }
  const { id } = expectSuccess(await realm.owner.api.post('/imports', asked))
  let deaths = 0
  for (let run = 0; run < 40; run += 1) {
    if ((await importWithId(realm, id)).state === 'waiting') break
    world.crashAt = 'importing'
    // The job keeps the lease of the run that crashed.
    world.clockOffset += 700
    await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
    if (world.crashAt === undefined) deaths += 1
  }
  world.crashAt = undefined
  // It is recognised, looked through twice for its lists, listed in two steps, and then read.
  expect(deaths).toBeGreaterThanOrEqual(6)
  const { report } = await runUntil(realm, id, 'waiting')
  expect(report.problems).toEqual([])
  expect(countOf(report.records, 'message')).toBe(DAYS)
  await runImport(realm, id)
  await runUntil(realm, id, 'finished')
  const sent = await messagesOf(realm.owner, [{ operator: 'channel', operand: 'boats' }])
  const texts = sent.map(({ content }) => content as string).filter((content) => content.startsWith('day'))
  expect(texts.map((content) => content.split('\n', 1)[0])).toEqual(days.map((_, at) => `day ${at}`))
  const links = texts.map((content) => /\/user_uploads\/[^)]+/.exec(content)![0])
  const contents = links.map(async (link) => (await fetchPath(realm, link, realm.owner)).text())
  expect(await Promise.all(contents)).toEqual(days.map((_, at) => `file ${at * 900}`))
  expect(await findingsIn(realm)).toEqual([])
  vi.restoreAllMocks()
})
