import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../scripts/deployment-config.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { copyOfProject } from '../support/copy-of-project.ts'
import { fromJson } from '../support/json.ts'
import { inAccount, openStandInAccount } from './stand-in-account.ts'

interface Manifest {
  readonly cloudflare: { readonly bindings: Readonly<Record<string, { readonly description: string }>> }
  readonly devDependencies: Readonly<Record<string, string>>
}

const textOf = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8')
const manifest = fromJson<Manifest>(textOf('package.json'))

it('the button describes each binding that it makes, and asks for no secret', async () => {
  const config = await readConfig()
  const made = [
    ...config.d1_databases.map(({ binding }) => binding),
    ...config.r2_buckets!.map(({ binding }) => binding),
    ...config.durable_objects.bindings.map(({ name }) => name),
    'IMAGES',
  ]
  expect(Object.keys(manifest.cloudflare.bindings).toSorted()).toEqual(made.toSorted())
  for (const { description } of Object.values(manifest.cloudflare.bindings))
    expect(description).toMatch(/^[A-Z].+\.$/)
  for (const file of ['.dev.vars.example', '.env.example', '.dev.vars', '.env'])
    expect(existsSync(join(PROJECT, file))).toBe(false)
})

it('the workflow that deploys has the version of wrangler that is tested', () => {
  const [, version] = /wranglerVersion: (\S+)/.exec(textOf('.github', 'workflows', 'deploy.yml'))!
  expect(version).toBe(manifest.devDependencies.wrangler)
  expect(textOf('.github', 'workflows', 'checks.yml')).toContain('run: .ci/run')
})

it('npm run deploy goes on with the names and ids that the button has written', {
  timeout: 300_000,
}, async () => {
  const copy = copyOfProject()
  const account = await openStandInAccount()
  try {
    const file = join(copy, 'wrangler.toml')
    const written = readFileSync(file, 'utf8')
      .replace('name = "parley"', 'name = "acme-chat"')
      .replace(
        'database_name = "parley"',
        'database_name = "acme-texts"\ndatabase_id = "00000000-0000-0000-0000-000000000000"',
      )
      .replace('bucket_name = "parley-uploads"', 'bucket_name = "acme-files"')
    writeFileSync(file, written)
    const uuid = '22222222-2222-4333-8444-555555555555'
    account.databases.set('acme-texts', { uuid, size: 0 })
    account.buckets.add('acme-files')
    const env = { ...inAccount(account), WORKERS_CI: '1', CI: 'true' }
    const deploy = () => runProgram(join(copy, 'scripts/run.mjs'), ['scripts/deploy.ts'], { cwd: copy, env })
    const output = await deploy()
    expect(output).toMatch(/https:\/\/acme-chat\.acme\.workers\.dev\/setup\/[0-9a-f]{64}$/m)
    expect(account.changes).not.toContain('POST /d1/database')
    const bound = (name: string) => account.uploaded!.bindings.find((binding) => binding.name === name)
    expect([bound('DB')?.id, bound('UPLOADS')?.bucket_name]).toEqual([uuid, 'acme-files'])
    expect([...account.buckets]).toEqual(['acme-files', 'parley-backups'])
    // A later push upgrades without a question.
    account.setVariable('acme-chat', 'SCHEMA_STEP', '1')
    expect(await deploy()).toContain('This cannot be taken back')
  } finally {
    account.stop()
    rmSync(copy, { recursive: true })
  }
})
