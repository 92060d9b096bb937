import { runDurableObjectAlarm } from 'cloudflare:test'
import { realmStub } from './api.ts'
import { expectSuccess, type TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

/** A backup as the API lists it. */
export interface Listed {
  readonly id: number
  readonly began_at: number
  readonly finished_at: number | null
  readonly kept_until: number | null
  readonly stage: string | null
  readonly size: number
  readonly sent: number
  readonly digest: string | null
  readonly contents: Readonly<Record<string, number>> | null
}

export async function listed({ owner }: TestRealm): Promise<readonly Listed[]> {
  return expectSuccess(await owner.api.get('/backups')).backups
}

/** Asks for a backup, and runs its job to the end; `meanwhile` is called before each run. */
export async function makeBackup(
  of: TestRealm,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Listed> {
  const { id } = expectSuccess(await of.owner.api.post('/backups'))
  await runToEnd(of, meanwhile)
  return (await listed(of)).find((each) => each.id === id)!
}

/** Runs the job of the newest backup to its end. */
export async function runToEnd(
  of: TestRealm,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  for (let run = 0; run < 400; run += 1) {
    const [backup] = await listed(of)
    if (backup!.finished_at !== null && backup!.stage === null) return
    await meanwhile()
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    world.crashAt = undefined
  }
  throw new Error(`Not finished: ${JSON.stringify(await listed(of))}`)
}

/** The last restore, as the API lists it. */
export interface ListedRestore {
  readonly backup_id: number
  readonly stage: string | null
  readonly outcome: string | null
  readonly archive_id: number | null
}

/** Has a backup replace the organization, and runs that to its end; `meanwhile` is called before each run. */
export async function restore(
  of: TestRealm,
  id: number,
  meanwhile: () => Promise<void> = async () => {},
): Promise<ListedRestore> {
  expectSuccess(await of.owner.api.post(`/backups/${id}/restore`))
  let ended: ListedRestore | undefined
  await runRestore(
    of,
    async () => {
      const { status, body } = await of.owner.api.get('/backups')
      if (status === 200 && body.restore.stage === null) ended = body.restore
      return ended !== undefined
    },
    meanwhile,
  )
  return ended!
}

/** Runs a restore until something is so; `meanwhile` is called before each run. */
export async function runRestore(
  of: TestRealm,
  isSo: () => Promise<boolean>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  for (let run = 0; run < 600; run += 1) {
    if (await isSo()) return
    await meanwhile()
    world.clockOffset += 61
    await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    world.crashAt = undefined
  }
  throw new Error(`Not restored: ${await restoreStage(of)}`)
}

/** Returns the stage of a restore, also while the organization answers nobody. */
export function restoreStage(of: TestRealm): Promise<unknown> {
  return inRealm(
    of,
    (_, { storage }) =>
      storage.sql
        .exec(`SELECT value ->> '$.progress.stage' AS stage FROM meta WHERE key = 'restoration'`)
        .toArray()[0]?.stage,
  )
}
