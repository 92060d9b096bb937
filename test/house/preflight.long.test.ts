import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { PROJECT, ProgramFailedError, runProgram } from '../../scripts/project.ts'
import { inAccount, openStandInAccount, type StandInAccount } from './stand-in-account.ts'

const SLOW = 400_000
const preflight = join(PROJECT, 'scripts/preflight.ts')

/** What `--remote` asks of a deployment is asked of a server here: it has no page, so two checks must fail. */
describe('npm run preflight -- --remote', () => {
  let account: StandInAccount
  let server: LocalServer
  const startServer = async () => {
    server = await startLocalServer({
      entry: 'deployed',
      vars: { RATE_LIMIT_API_BY_USER: '250/10', LOG: 'off' },
    })
  }
  beforeAll(async () => {
    await startServer()
    account = await openStandInAccount(async (sql) => {
      if (!/^\s*(?:INSERT INTO organization_ticket|SELECT message_id)/.test(sql)) return undefined
      return (await server.runtime.getD1Database('DB')).prepare(sql).all()
    })
    account.databases.clear()
    // Another deployment, which stays.
    account.databases.set('parley', { uuid: 'parley', size: 0 })
    account.buckets.add('parley-uploads')
  }, SLOW)
  afterAll(async () => {
    account.stop()
    await server.stop()
  })

  const options = () => ['--remote', '--url', server.url, '--poll-minutes', '0', '--jurisdiction', 'us']
  const expectNothingLeft = () => {
    expect([...account.databases.keys()]).toEqual(['parley'])
    expect([...account.buckets]).toEqual(['parley-uploads'])
    expect([...account.served.keys()]).toEqual([])
    expect(account.files).toEqual([])
  }

  const MOMENTS: [string, (output: string) => boolean][] = [
    ['deploys', () => account.changes.includes('POST /r2/buckets')],
    ['checks', (output) => output.includes('| a message is sent |')],
  ]
  it.each(MOMENTS)(
    'removes all that it made when stopped while it %s',
    {
      timeout: SLOW,
    },
    async (_, isReached) => {
      account.changes.length = 0
      const env = { ...process.env, ...inAccount(account) }
      const child = spawn(process.execPath, [preflight, ...options()], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const hasEnded = once(child, 'close')
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk
      })
      await expect.poll(() => isReached(output), { timeout: SLOW / 2, interval: 10 }).toBe(true)
      child.kill('SIGINT')
      expect(await hasEnded).toEqual([1, null])
      expect(account.changes).toContainEqual(expect.stringMatching(/^DELETE \/workers\/scripts\/preflight-/))
      expect(output).not.toContain('could not be tried')
      expectNothingLeft()
    },
  )

  it('prints every check, ends with an error, and removes all that it made', { timeout: SLOW }, async () => {
    await server.stop()
    await startServer()
    account.files = ['1/ab/picture.png', '1/cd/a b.txt']
    const failure = await runProgram(preflight, options(), { env: inAccount(account) }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ProgramFailedError)
    const { output } = failure as ProgramFailedError
    const failed = [...output.matchAll(/^\| (.*) \| \*\*failed\*\*/gm)].map(([, name]) => name)
    expect(failed, output).toEqual(['files of the page are kept for ever', 'the documentation is served'])
    expect(output).toContain('2 checks have failed.')
    expect(output).not.toContain('only with --remote')
    expect(output).toMatch(/^\| databases and buckets are in the jurisdiction \| us \|$/m)
    expect(output).toMatch(/^\| two versions at once .* \| \d+ messages \|$/m)
    expect(output).toMatch(/^\| an earlier version comes back.* \| \d+ messages \|$/m)
    expectNothingLeft()
  })

  it('names what could not be removed', { timeout: SLOW }, async () => {
    // It ends early: the server has an organization already.
    account.refusesDeletion = true
    const ended = runProgram(preflight, options(), { env: inAccount(account) })
    await expect(ended).rejects.toThrow(/Remove these by hand: the D1 database preflight-\w+ \(/)
    expect([...account.databases.keys()]).toHaveLength(2)
  })
})
