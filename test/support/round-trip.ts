/** Exports an organization, imports the archive into an empty one, and exports that. */
import { expect } from 'vitest'
import { type ArchiveDigest, digestOf } from '../../scripts/archive-digest.ts'
import { finishExport, startExport } from './exports.ts'
import { expectSuccess, type TestRealm } from './factories.ts'
import { findingsIn } from './findings.ts'
import { runUntil } from './imports.ts'
import { upload } from './uploads.ts'
import { buildRealm } from './use-realm.ts'
import { world } from './world.ts'

async function digestOfBytes(bytes: Uint8Array): Promise<ArchiveDigest> {
  return digestOf(
    { name: 'export.tar', size: bytes.length, read: async (from, to) => bytes.slice(from, to) },
    { keepsLines: true },
  )
}

/** Returns the archive of all that an organization has. */
async function exported(realm: TestRealm): Promise<Uint8Array<ArrayBuffer>> {
  world.settings = { OWNER_FULL_CONTENT_ACCESS: realm.host }
  const { bytes } = await finishExport(
    realm,
    await startExport(realm.owner, { export_type: 'full_without_consent' }),
  )
  world.settings = {}
  return bytes
}

/** Returns the digests of an organization before and after a round trip through an archive into an empty one, whose owner has the same address. */
export async function roundTrip(realm: TestRealm): Promise<{ before: ArchiveDigest; after: ArchiveDigest }> {
  const archive = await exported(realm)
  const { realm: empty } = await buildRealm({}, { ownerEmail: realm.owner.email })
  const path = await upload(empty.owner, { name: 'export.tar', type: 'application/x-tar', content: archive })
  const { id } = expectSuccess(
    await empty.owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') }),
  )
  await runUntil(empty, id, 'waiting')
  expectSuccess(await empty.owner.api.patch(`/imports/${id}`, { mapping: { settings: true }, action: 'run' }))
  const { report } = await runUntil(empty, id, 'finished')
  expect(report.problems).toEqual([])
  expect(await findingsIn(empty)).toEqual([])
  return { before: await digestOfBytes(archive), after: await digestOfBytes(await exported(empty)) }
}

/** Expects that two organizations have the same content. */
export function expectSame({ before, after }: { before: ArchiveDigest; after: ArchiveDigest }): void {
  const lines = ({ sections }: ArchiveDigest) => sections.map(({ name, lines: all }) => [name, all])
  expect(lines(after)).toEqual(lines(before))
  expect(after.whole).toBe(before.whole)
}
