import { beforeEach, expect, it, vi } from 'vitest'
import { CHANGES_OF_COMMIT, ROWS_OF_SLICE } from '../../../src/core/budgets.ts'
import { fairScheduler } from '../../../src/core/fair-scheduler.ts'
import { archivesOfPrograms } from '../../support/archives-of-programs.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { runImport, runUntil } from '../../support/imports.ts'
import { inRealm } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm } = useRealmPerTest()
neverEvict()
beforeEach(keepAlarmsAway)

/** More than any commit writes or deletes. */
const MESSAGES = CHANGES_OF_COMMIT

it.each(archivesOfPrograms(MESSAGES))(
  'An import of $format lets others in after few rows',
  async (archive) => {
    const { name, bytes } = archive
    const path = await upload(realm.owner, { name, type: 'application/octet-stream', content: bytes })
    const asked = { path_id: path.replace('/user_uploads/', '') }
    const importIt = async (more: Record<string, boolean>) => {
      const { id } = expectSuccess(await realm.owner.api.post('/imports', asked))
      await runUntil(realm, id, 'waiting')
      await runImport(realm, id, {}, more)
      await runUntil(realm, id, 'finished')
      return id
    }
    const most = await mostRowsOfASlice(realm, async () => {
      const first = await importIt({})
      // It finds all there already.
      await importIt({ known_source: true })
      expectSuccess(await realm.owner.api.patch(`/imports/${first}`, { action: 'undo' }))
      await runUntil(realm, first, 'undone')
    })
    expect(most).toBeGreaterThan(100)
    expect(most).toBeLessThanOrEqual(ROWS_OF_SLICE)
  },
)

/** Returns the most rows that were read and written between two times at which others come in. */
async function mostRowsOfASlice(of: TestRealm, work: () => Promise<void>): Promise<number> {
  let [most, before] = [0, 0]
  let rows = () => 0
  const passing =
    <Arguments extends unknown[]>(pass: (...given: Arguments) => Promise<void>) =>
    async (...given: Arguments) => {
      most = Math.max(most, rows() - before)
      await pass(...given)
      before = rows()
    }
  await inRealm(of, ({ parts: { sql } }, { storage }) => {
    rows = () => sql.counts.read + sql.counts.written
    before = rows()
    storage.sync = passing(storage.sync.bind(storage))
  })
  const next = fairScheduler.nextSlice.bind(fairScheduler)
  vi.spyOn(fairScheduler, 'nextSlice').mockImplementation(passing(next))
  try {
    await work()
  } finally {
    vi.mocked(fairScheduler.nextSlice).mockRestore()
  }
  return Math.max(most, rows() - before)
}
