import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMigrations } from '../../scripts/migrations.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { SCHEMA_STEPS } from '../../src/store/schema/schema.ts'
import { inAccount, openStandInAccount, type StandInAccount } from './stand-in-account.ts'

const SLOW = 300_000
const deploy = join(PROJECT, 'scripts/deploy.ts')

describe('npm run deploy over an earlier version', () => {
  const [first, ...later] = listMigrations()
  const steps = SCHEMA_STEPS.map(({ version, name }) => `${version} ${name}`)
  let account: StandInAccount
  beforeAll(async () => {
    account = await openStandInAccount()
    await deployTo()
  }, SLOW)
  afterAll(() => account.stop())

  const deployTo = (...args: string[]) => runProgram(deploy, args, { env: inAccount(account) })
  /** Lets the account have what an earlier version has deployed. */
  const goBack = (step: string | undefined, migrations: readonly string[] = listMigrations()) => {
    account.setVariable('parley', 'SCHEMA_STEP', step)
    account.databases.get('parley')!.migrations = [...migrations]
    account.changes.length = 0
  }

  it('says what it will change, and changes nothing without a yes', { timeout: 2 * SLOW }, async () => {
    goBack('7')
    const said = [
      'use the D1 database parley',
      'use the R2 bucket parley-uploads',
      'in place of the present version',
    ]
    const rehearsed = await deployTo('--dry-run')
    for (const text of [
      ...said,
      ...steps.slice(7),
      'This cannot be taken back: Organizations get new steps',
    ]) {
      expect(rehearsed).toContain(text)
    }
    expect(rehearsed).not.toContain(steps[6])
    const refused = await deployTo().then(
      () => '',
      (error: Error) => error.message,
    )
    expect(refused).toContain('Nothing was changed. `npm run deploy -- --yes` goes on without a question.')
    for (const text of [...said, ...steps.slice(7)]) expect(refused).toContain(text)
    expect(account.changes).toEqual([])
    await deployTo('--yes')
    expect(account.changes).toContain('PUT /workers/scripts/parley')
  })

  it('asks nothing where only the code is new', { timeout: SLOW }, async () => {
    account.changes.length = 0
    expect(await deployTo()).not.toContain('cannot be taken back')
    expect(account.changes).toContain('PUT /workers/scripts/parley')
  })

  it('names all steps where the earlier version does not say which it had', { timeout: SLOW }, async () => {
    goBack(undefined)
    const output = await deployTo('--dry-run')
    expect(output).toContain('those of these steps of the schema that it lacks')
    for (const step of steps) expect(output).toContain(step)
  })

  it('asks before migrations of a database that has some', { timeout: SLOW }, async () => {
    goBack(String(steps.length), ['0000-of-before.sql'])
    await expect(deployTo()).rejects.toThrow('was made by an earlier Parley')
    goBack(String(steps.length), [first!])
    const output = await deployTo('--dry-run')
    for (const name of later) expect(output).toContain(name)
    expect(output.includes('The D1 database parley gets')).toBe(later.length > 0)
  })

  it('refuses to deploy over a newer version, and changes nothing', { timeout: SLOW }, async () => {
    goBack(String(steps.length + 1))
    for (const args of [[], ['--yes'], ['--dry-run']]) {
      await expect(deployTo(...args)).rejects.toThrow(
        `The Worker parley was deployed by a newer Parley (step ${steps.length + 1} of the schema, where this version has ${steps.length}).`,
      )
    }
    expect(account.changes).toEqual([])
  })
})
