import { runDurableObjectAlarm } from 'cloudflare:test'
import { realmStub } from './api.ts'
import { expectSuccess, type TestRealm } from './factories.ts'
import { world } from './world.ts'

/** Makes a backup, and returns its number. */
export async function makeBackup({ id, owner }: TestRealm): Promise<number> {
  const { id: backupId } = expectSuccess(await owner.api.post('/backups'))
  await runUntil(id, async () => {
    const { backups } = expectSuccess(await owner.api.get('/backups'))
    const made = backups.find((each: { id: number }) => each.id === backupId)
    return made.finished_at !== null && made.stage === null
  })
  return backupId
}

/** Runs due jobs until something is so; `meanwhile` is called before each run. */
export async function runUntil(
  realmId: number,
  isSo: () => Promise<boolean>,
  meanwhile: () => void = () => {},
): Promise<void> {
  for (let run = 0; run < 400; run += 1) {
    if (await isSo()) return
    meanwhile()
    await runDueJobs(realmId)
  }
  throw new Error('The job does not end')
}

/** Runs what is due in two seconds; the object may crash meanwhile. */
export async function runDueJobs(realmId: number): Promise<void> {
  world.clockOffset += 2
  await runDurableObjectAlarm(realmStub(realmId)).catch(() => {})
  world.crashAt = undefined
}
