import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorker, MAIN_MODULE } from '../../scripts/build.ts'
import { listMigrations } from '../../scripts/migrations.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { isAlive } from '../../scripts/state-folder.ts'
import { SCHEMA_STEPS } from '../../src/store/schema/schema.ts'
import { inAccount, openStandInAccount, type StandInAccount } from './stand-in-account.ts'

const SLOW = 300_000
const deploy = join(PROJECT, 'scripts/deploy.ts')

describe('npm run deploy -- --dry-run', () => {
  it('lists its steps in order, with every migration, without using the network', {
    timeout: SLOW,
  }, async () => {
    // Any request would fail, since nothing listens on the discard port.
    const env = { CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }
    const output = await runProgram(deploy, ['--dry-run'], { env })
    const order = [
      'D1 database parley',
      'R2 bucket parley-uploads',
      ...listMigrations(),
      'Worker parley online',
    ].map((text) => output.indexOf(text))
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(output).toContain('The account could not be looked at: Not logged in to Cloudflare.')
    expect(output).toContain('earlier versions refuse the data')
  })
})

describe('npm run deploy', () => {
  let account: StandInAccount
  beforeAll(async () => {
    account = await openStandInAccount()
  })
  afterAll(() => account.stop())

  const run = (...args: string[]) => runProgram(deploy, args, { env: inAccount(account) })

  it('creates database and bucket, migrates, and then deploys the Worker', {
    timeout: SLOW,
  }, async () => {
    const output = await run()
    expect(output).toMatch(/https:\/\/parley\.acme\.workers\.dev\/setup\/[0-9a-f]{64}$/m)
    expect(account.changes.filter((change) => !change.endsWith('/subdomain'))).toEqual([
      'POST /d1/database',
      `PUT /d1/database/${account.databases.get('parley')!.uuid}`,
      'POST /r2/buckets',
      'POST /r2/buckets',
      ...listMigrations().map((name) => `apply ${name}`),
      'POST /workers/scripts/parley/assets-upload-session',
      'PUT /workers/scripts/parley',
      'PUT /workers/scripts/parley/schedules',
    ])
    expect(output).toContain('texts and search are read from the nearest copy')
    expect(account.databases.get('parley')!.isReplicated).toBe(true)
    const database = account.uploaded?.bindings.find((binding) => binding.name === 'DB')
    expect(database).toMatchObject({ type: 'd1', id: '11111111-2222-4333-8444-555555555555' })
    expect(account.uploaded?.bindings).toContainEqual(
      expect.objectContaining({ type: 'r2_bucket', name: 'UPLOADS', bucket_name: 'parley-uploads' }),
    )
  })

  it('has the page’s files served past the Worker', () => {
    const { config } = account.uploaded!.assets!
    expect(account.assets.some((path) => path.startsWith('/page/'))).toBe(true)
    expect(account.assets).not.toContain('/_headers')
    expect(config._headers).toContain('/page/*\n')
    expect(config).toMatchObject({ run_worker_first: expect.arrayContaining(['/', '/api/*']) })
  })

  it('has objects updated at once, and no address of a request stored', () => {
    expect(account.uploaded).toMatchObject({
      code_update_strategy: { mode: 'immediate' },
      observability: { enabled: true, redact_query_string: true, logs: { invocation_logs: false } },
    })
  })

  it('sets a key for secrets with the first deployment, and keeps it with later ones', {
    timeout: 2 * SLOW,
  }, async () => {
    const key = () => account.uploaded!.bindings.find(({ name }) => name === 'SECRETS_KEY')
    expect(key()?.type).toBe('secret_text')
    expect(Buffer.from(key()!.text!, 'base64')).toHaveLength(32)
    const output = await run()
    expect(key()).toBeUndefined()
    expect(output).not.toContain('SECRETS_KEY')
    // The file by which wrangler got the key is deleted.
    // What was written for wrangler goes with the process, secrets too.
    expect(readdirSync(join(PROJECT, '.parley/deploy')).filter((pid) => !isAlive(Number(pid)))).toEqual([])
  })

  it('puts the bundle online as it was built, with its compiled modules', {
    timeout: SLOW,
  }, async () => {
    const { folder, modules } = await buildWorker('deployed')
    expect(account.uploadedCode.includes(readFileSync(join(folder, MAIN_MODULE), 'utf8'))).toBe(true)
    const parts = [...account.uploadedCode.matchAll(/^Content-Disposition: form-data; name="([^"]+)"/gm)]
    expect(parts.map(([, name]) => name).toSorted()).toEqual(
      ['metadata', ...modules.map(({ path }) => path)].toSorted(),
    )
  })

  it('finds the database of an interrupted deployment, and migrates it', {
    timeout: SLOW,
  }, async () => {
    account.databases.get('parley')!.migrations = undefined
    account.changes.length = 0
    await run()
    expect(account.changes).not.toContain('POST /d1/database')
    expect(account.changes).toContain(`apply ${listMigrations()[0]}`)
    expect(account.changes).toContain('PUT /workers/scripts/parley')
  })

  it('with --name makes a second deployment that shares nothing with the first', {
    timeout: SLOW,
  }, async () => {
    const resources = () =>
      account
        .uploaded!.bindings.flatMap(({ type, id, bucket_name }) =>
          type === 'd1' || type === 'r2_bucket' ? [id ?? bucket_name] : [],
        )
        .toSorted()
    const first = resources()
    account.changes.length = 0
    const output = await run('--name', 'second')
    expect(output).toMatch(/https:\/\/second\.acme\.workers\.dev\/setup\/[0-9a-f]{64}$/m)
    const own = account.changes.filter((change) => !/^apply|\/subdomain$/.test(change))
    expect(own).toEqual([
      'POST /d1/database',
      `PUT /d1/database/${account.databases.get('second')!.uuid}`,
      'POST /r2/buckets',
      'POST /r2/buckets',
      'POST /workers/scripts/second/assets-upload-session',
      'PUT /workers/scripts/second',
      'PUT /workers/scripts/second/schedules',
    ])
    const second = resources()
    expect(second).toHaveLength(first.length)
    expect(second.filter((name) => first.includes(name))).toEqual([])
    // Objects belong to the Worker whose class they are, so no binding may name another Worker.
    const objects = account.uploaded!.bindings.filter(({ type }) => type === 'durable_object_namespace')
    expect(objects.map(({ name }) => name)).toEqual(['REALM', 'HASHER'])
    for (const each of objects) expect(each).not.toHaveProperty('script_name')
  })

  it('with --jurisdiction keeps everything there, also on later deployments without it', {
    timeout: 2 * SLOW,
  }, async () => {
    const uploads = () => account.uploaded!.bindings.find(({ name }) => name === 'UPLOADS')
    const jurisdictionOf = () => account.uploaded!.bindings.find(({ name }) => name === 'JURISDICTION')?.text
    await run('--name', 'third', '--jurisdiction', 'eu')
    const third = account.databases.get('third')!
    expect([third.jurisdiction, third.isReplicated]).toEqual(['eu', true])
    expect(uploads()).toMatchObject({ bucket_name: 'third-uploads', jurisdiction: 'eu' })
    expect(jurisdictionOf()).toBe('eu')
    third.size = 6_700_000_000
    expect(await run('--name', 'third')).toContain('was made in the jurisdiction eu, and stays there')
    expect(account.databases.get('third-bodies-1')!.jurisdiction).toBe('eu')
    expect(uploads()).toMatchObject({ bucket_name: 'third-uploads', jurisdiction: 'eu' })
    expect(jurisdictionOf()).toBe('eu')
    expect([...account.buckets].filter((name) => name.startsWith('third'))).toEqual([
      'third-uploads in eu',
      'third-backups in eu',
    ])
    account.changes.length = 0
    for (const other of [
      ['--name', 'third', '--jurisdiction', 'fedramp'],
      ['--jurisdiction', 'eu'],
    ]) {
      await expect(run(...other)).rejects.toThrow('exists already, but not in the jurisdiction')
    }
    expect(account.changes).toEqual([])
    for (const name of ['third', 'third-bodies-1']) account.databases.delete(name)
  })

  it('binds a further database when the newest is two thirds full, and announces it', {
    timeout: 2 * SLOW,
  }, async () => {
    const bound = () =>
      account.uploaded!.bindings.filter(({ type }) => type === 'd1').map(({ name, id }) => [name, id])
    const parley = account.databases.get('parley')!
    parley.size = 6_600_000_000
    account.changes.length = 0
    expect(await run()).toContain(
      'The D1 database parley has 6600 MB; beyond 6667 MB, another one is created',
    )
    // The Worker keeps its own database, whatever else has been deployed.
    expect(bound()).toEqual([['DB', parley.uuid]])
    expect(account.changes).not.toContain('POST /d1/database')
    parley.size = 6_700_000_000
    account.changes.length = 0
    expect(await run()).toContain('From now on, new texts go to parley-bodies-1. Nothing is moved.')
    const texts = account.databases.get('parley-bodies-1')!
    expect(bound()).toEqual([
      ['DB', parley.uuid],
      ['BODIES_1', texts.uuid],
    ])
    expect(account.changes.filter((change) => /^apply|database$|PUT .*parley$/.test(change))).toEqual([
      'POST /d1/database',
      ...listMigrations().map((name) => `apply ${name}`),
      'PUT /workers/scripts/parley',
    ])
    // Only the newest deployment counts.
    await run()
    expect([...account.databases.keys()]).toEqual(['parley', 'second', 'parley-bodies-1'])
    texts.size = 400 * 2 ** 20
    await runProgram(deploy, [], { env: { ...inAccount(account), D1_MAX_MIB: '500' } })
    expect(bound().map(([name]) => name)).toEqual(['DB', 'BODIES_1', 'BODIES_2'])
    for (const name of ['parley-bodies-1', 'parley-bodies-2']) account.databases.delete(name)
    parley.size = 0
  })

  it('refuses a database of another build, and changes nothing', { timeout: SLOW }, async () => {
    const parley = account.databases.get('parley')!
    const own = [...parley.migrations!]
    expect(own).toEqual(listMigrations())
    account.changes.length = 0
    for (const [build, migrations] of [
      ['an earlier', ['0001-of-before.sql', '0002-of-before.sql']],
      ['a newer', [...own, '9999-later.sql']],
    ] as const) {
      parley.migrations = [...migrations]
      const refusal = `The D1 database parley was made by ${build} Parley, whose data this version cannot read, so nothing was changed.`
      await expect(run()).rejects.toThrow(refusal)
    }
    expect(account.changes).toEqual([])
    parley.migrations = own
  })

  it('adds a web client beside the page, and removes it again', { timeout: SLOW }, async () => {
    await run('--web-client', 'test/node/web-client')
    expect(account.assets).toEqual(
      expect.arrayContaining([
        '/index.html',
        '/client/index.html',
        '/client/client.json',
        '/client/static/client.js',
      ]),
    )
    await run()
    expect(account.assets).toContain('/index.html')
    expect(account.assets.filter((path) => path.startsWith('/client/'))).toEqual([])
  })

  it('changes nothing when the web client’s folder is invalid', { timeout: SLOW }, async () => {
    account.changes.length = 0
    await expect(run('--web-client', 'test/support')).rejects.toThrow('has no client.json')
    expect(account.changes).toEqual([])
  })

  it('says how to log in when wrangler knows no log-in, or which account to choose', {
    timeout: SLOW,
  }, async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'nobody-'))
    const nobody = { CLOUDFLARE_API_TOKEN: '', HOME: scratch, XDG_CONFIG_HOME: scratch }
    await expect(runProgram(deploy, [], { env: { ...inAccount(account), ...nobody } })).rejects.toThrow(
      'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
    )
    rmSync(scratch, { recursive: true })
    account.changes.length = 0
    const unsure = { ...inAccount(account), CLOUDFLARE_ACCOUNT_ID: '' }
    await expect(runProgram(deploy, [], { env: unsure })).rejects.toThrow(
      'Set CLOUDFLARE_ACCOUNT_ID to the account to use:\n  acme  Acme\n  other  Other',
    )
    expect(account.changes).toEqual([])
  })

  it('leaves wrangler.toml without account ids', () => {
    expect(readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8')).not.toMatch(/database_id/)
  })
})

describe('npm run deploy without R2', () => {
  let account: StandInAccount
  beforeAll(async () => {
    account = await openStandInAccount()
    account.hasR2 = false
  })
  afterAll(() => account.stop())

  const run = (...args: string[]) => runProgram(deploy, args, { env: inAccount(account) })
  const bound = (name: string) => account.uploaded!.bindings.find((binding) => binding.name === name)

  it('goes on without a bucket, and says how to get one', { timeout: SLOW }, async () => {
    const output = await run()
    expect(output).toContain('keep files in D1, since the account has no R2: up to 5 MiB each')
    expect(output).toContain('switch R2 on in the dashboard')
    expect(output).toContain('there are no backups, unless BACKUP_S3_URL is set')
    expect(account.uploaded!.bindings.filter(({ type }) => type === 'r2_bucket')).toEqual([])
    expect(account.changes).toContain('PUT /workers/scripts/parley')
  })

  it('binds a bucket later, and has files moved until none is left', { timeout: 3 * SLOW }, async () => {
    account.hasR2 = true
    const database = account.databases.get('parley')!
    database.files = ['user_uploads/1/a/b']
    expect(await run()).toContain('move the files that are in D1 to the bucket at night')
    expect(bound('UPLOADS')).toMatchObject({ bucket_name: 'parley-uploads' })
    expect(bound('FILES_IN_D1')?.text).toBe('yes')
    await run()
    expect(bound('FILES_IN_D1')?.text).toBe('yes')
    database.files = []
    expect(await run()).not.toContain('move the files')
    expect(bound('FILES_IN_D1')).toBeUndefined()
  })

  it('refuses to leave files behind in R2 that was switched off', { timeout: SLOW }, async () => {
    account.hasR2 = false
    account.changes.length = 0
    await expect(run()).rejects.toThrow('has files in R2, which this deployment would not reach')
    expect(account.changes).toEqual([])
  })
})

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

  it('asks before it adds a class of objects', { timeout: SLOW }, async () => {
    goBack(String(steps.length))
    account.setVariable('parley', 'HASHER', undefined)
    const said = 'This cannot be taken back: The Worker gets the class of objects HasherObject'
    expect(await deployTo('--dry-run')).toContain(said)
    await deployTo('--yes')
    expect(await deployTo('--dry-run')).not.toContain('HasherObject')
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
