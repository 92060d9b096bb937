import { beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { archiveOf, countOf, importWithId, runUntil } from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { beginPacked, LINES, message, packed } from '../../support/packed-imports.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

it('A packed archive is unpacked before it is read', async () => {
  const { realm } = made
  const id = await beginPacked(realm, await packed(archiveOf([...LINES, message(1, 'hello')])))
  const { report } = await runUntil(realm, id, 'waiting')
  expect(countOf(report.records, 'message')).toBe(1)
  expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'run' }))
  const { report: written } = await runUntil(realm, id, 'finished')
  expect(countOf(written.written, 'messages')).toBe(1)
  expect(await findingsIn(realm)).toEqual([])
})

it.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>, string]>([
  ['that ends too early', async (bytes) => bytes.slice(0, -20), 'damaged, or ends too early'],
  [
    'with another checksum',
    async (bytes) => bytes.map((byte, at) => (at === bytes.length - 8 ? byte ^ 1 : byte)),
    'damaged, or ends too early',
  ],
  ['that is packed twice', (bytes) => packed(bytes), 'packed twice'],
])('A packed archive %s fails, in words', async (_, broken, words) => {
  const { realm } = made
  const id = await beginPacked(realm, await broken(await packed(archiveOf([...LINES, message(1, 'hello')]))))
  const failed: Json = await runUntil(realm, id, 'failed')
  expect(failed.failure).toContain(words)
  expect(await importWithId(realm, id)).toMatchObject({ format: null })
})
