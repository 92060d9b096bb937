import { beforeEach, expect, it } from 'vitest'
import { archivesOfPrograms } from '../../support/archives-of-programs.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { countOf, runImport, runUntil } from '../../support/imports.ts'
import { upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const [FIRST, LATER] = [96, 120]
const LATER_ARCHIVES = archivesOfPrograms(LATER)

async function importIt(
  realm: TestRealm,
  bytes: Uint8Array<ArrayBuffer>,
  more: Record<string, boolean>,
): Promise<Record<string, number>> {
  const path = await upload(realm.owner, {
    name: 'archive',
    type: 'application/octet-stream',
    content: bytes,
  })
  const { id } = expectSuccess(
    await realm.owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') }),
  )
  await runUntil(realm, id, 'waiting')
  await runImport(realm, id, {}, more)
  const { report } = await runUntil(realm, id, 'finished')
  expect(report.problems).toEqual([])
  return Object.fromEntries(['people', 'messages'].map((name) => [name, countOf(report.written, name)]))
}

it.each(archivesOfPrograms(FIRST))('A later archive of $format adds only what is new', async (first) => {
  const { realm } = made
  const later = LATER_ARCHIVES.find(({ format }) => format === first.format)!
  const countIn = ({ counted }: typeof first) => Object.values(counted).reduce((sum, count) => sum + count, 0)
  const written = await importIt(realm, first.bytes, {})
  expect(written).toEqual({ people: 5, messages: countIn(first) })
  expect(await importIt(realm, later.bytes, { known_source: true })).toEqual({
    people: 0,
    messages: countIn(later) - countIn(first),
  })
  expect(await findingsIn(realm)).toEqual([])
})
