import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { digestOfFile } from '../../scripts/digest.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { countFindings } from '../../scripts/verify.ts'
import { inAccount, openStandInAccount, type StandInAccount } from '../house/stand-in-account.ts'
import { freePort, type Running, start } from '../house/started.ts'
import { type Json, readJson } from '../support/json.ts'
import { openS3, type S3Server } from '../support/s3-server.ts'
import { found, PASSWORD } from './found.ts'

const MINUTES = 10 * 60_000
const HOST = 'localhost'
const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const POST = JSON.stringify({ action: 'deleted', sender: { login: 'ada' } })

const folder = mkdtempSync(join(tmpdir(), 'parley-moving-'))
const settings = (s3: S3Server, place: string) => ({
  BACKUP_S3_URL: `${s3.url}/${place}`,
  BACKUP_S3_ACCESS_KEY: 'id',
  BACKUP_S3_SECRET_KEY: 'secret',
  BACKUP_S3_REGION: 'auto',
  OWNER_FULL_CONTENT_ACCESS: HOST,
  CAN_CREATE_USERS: `${HOST}/${ANN}`,
  RATE_LIMITS: 'off',
})

/** What people, bots and programs have of the organization, and how it answers them at a server. */
class Organization {
  readonly key: string
  /** The authenticator app of the owner, and the last step whose code was used. */
  app: TOTP | undefined
  #step = 0
  file = ''
  bot: { user_id: number; api_key: string } | undefined

  constructor(key: string) {
    this.key = key
  }

  owner(url: string): ApiClient {
    return new ApiClient(url, { email: ANN, api_key: this.key })
  }

  async fill(url: string): Promise<void> {
    const ann = this.owner(url)
    await ann.call('POST', '/users', { email: BEN, full_name: 'Ben', password: PASSWORD })
    const uploaded = await ann.upload<{ url: string }>('POST', '/user_uploads', PNG)
    this.file = uploaded.url
    for (let count = 0; count < 30; count += 1)
      await ann.call('POST', '/messages', {
        ...{ type: 'channel', to: 'sandbox', topic: `topic ${count % 3}` },
        content: count === 7 ? `[picture](${uploaded.url})` : `message ${count} in **bold**`,
      })
    const { messages } = await this.messages(url)
    await ann.call('POST', `/messages/${messages[3]!.id}/reactions`, { emoji_name: 'tada' })
    await ann.call('PATCH', `/messages/${messages[4]!.id}`, { content: 'edited' })
    await ann.call('POST', '/drafts', {
      drafts: [{ type: 'stream', to: [1], topic: 'later', content: 'not yet', timestamp: 1_700_000_000 }],
    })
    this.bot = await ann.call('POST', '/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
    await ann.call('PATCH', `/bots/${this.bot!.user_id}/incoming_webhook`, { secret: 'first' })
    const { secret } = await ann.call<{ secret: string }>('POST', '/second_factors/totp')
    this.app = new TOTP({ secret: Secret.fromBase32(secret) })
    await ann.call('POST', '/second_factors/totp/confirm', { code: await this.nextCode() })
  }

  messages(url: string): Promise<{ messages: Json[] }> {
    const newest = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: true }
    return this.owner(url).call('GET', '/messages', newest)
  }

  /** Waits for a code that was not used. */
  async nextCode(): Promise<string> {
    const now = () => Math.floor(Date.now() / 30_000)
    while (now() <= this.#step) await setTimeout(500)
    this.#step = now()
    return this.app!.generate()
  }

  /** Expects that everything works here: what was there, log-ins, keys, files, codes and signatures. */
  async expectWorking(url: string): Promise<void> {
    const body = new URLSearchParams({ username: BEN, password: PASSWORD })
    const login = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
    const ben = await readJson<{ api_key: string }>(login)
    expect(login.status).toBe(200)
    const register = await new ApiClient(url, { email: BEN, ...ben }).call('POST', '/register')
    expect(register).toMatchObject({ result: 'success', queue_id: expect.any(String) })
    const owner = this.owner(url)
    await owner.call('POST', '/reauthentication', { code: await this.nextCode() })
    await expect(owner.call('POST', '/reauthentication', { code: '000000' })).rejects.toThrow()
    const picture = await fetch(`${url}${this.file}`, { headers: owner.authorization() })
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)
    expect((await this.post(url, 'first')).status).toBe(200)
    expect((await this.post(url, 'second')).status).toBe(400)
  }

  /** Posts to the bot's webhook, signed with a secret. */
  post(url: string, secret: string): Promise<Response> {
    const query = new URLSearchParams({ api_key: this.bot!.api_key, stream: 'sandbox', topic: 'posts' })
    const signature = createHmac('sha256', secret).update(POST).digest('hex')
    return fetch(`${url}/api/v1/external/github?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'X-GitHub-Event': 'meta',
        'X-Hub-Signature-256': `sha256=${signature}`,
      },
      body: POST,
    })
  }

  /** Exports everything, and returns the digest of the archive. */
  async digest(url: string): Promise<Readonly<Record<string, string>>> {
    const owner = this.owner(url)
    const { id } = await owner.call<{ id: number }>('POST', '/export/realm', {
      export_type: 'full_without_consent',
    })
    for (;;) {
      const { exports } = await owner.call<{ exports: { id: number; export_url: string | null }[] }>(
        'GET',
        '/export/realm',
      )
      const at = exports.find((one) => one.id === id)!.export_url
      if (at) {
        const archive = await fetch(new URL(new URL(at).pathname, url))
        const path = join(folder, `${id}-${Date.now()}.tar`)
        writeFileSync(path, Buffer.from(await archive.arrayBuffer()))
        const { whole, sections } = await digestOfFile(path)
        return { whole, ...Object.fromEntries(sections.map(({ name, digest }) => [name, digest])) }
      }
      await setTimeout(300)
    }
  }
}

let s3: S3Server
let deployment: LocalServer
let account: StandInAccount
let machine: Running | undefined
beforeAll(async () => {
  s3 = await openS3()
  deployment = await startLocalServer({
    entry: 'deployed',
    vars: { ...settings(s3, 'deployment'), MOVE_TOKEN: 'token of the move', LOG: 'troubles' },
  })
  const database = await deployment.runtime.getD1Database('DB')
  account = await openStandInAccount((sql) => database.prepare(sql).run())
}, MINUTES)
afterAll(async () => {
  machine?.child.kill('SIGTERM')
  await machine?.ended
  account.stop()
  await deployment.stop()
  s3.stop()
  rmSync(folder, { recursive: true })
})

/** Runs a command as the operator of the deployment. */
function online(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return runProgram(join(PROJECT, `scripts/${script}.ts`), ['--remote', '--url', deployment.url, ...args], {
    env: { ...inAccount(account), ...env },
  })
}

describe('an organization', () => {
  it('moves to a machine and back, and is the same', { timeout: MINUTES }, async () => {
    const organization = new Organization((await found(deployment)).api_key)
    const { url } = deployment
    await organization.fill(url)
    const [before, digest] = [await organization.messages(url), await organization.digest(url)]
    const file = join(folder, 'to-machine.env')
    const to = `https://${HOST}`
    const leaving = ['--host', HOST, '--to', to, '--into', file]
    await expect(online('move-out', leaving, { MOVE_TOKEN: 'a guess' })).rejects.toThrow('Invalid token')
    await organization.messages(url)
    await online('move-out', leaving, { ...settings(s3, 'deployment'), MOVE_TOKEN: 'token of the move' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(organization.messages(url)).rejects.toThrow(
      `answered 503: This organization has moved to ${to}.`,
    )

    const port = String(await freePort())
    const env = { STATE_DIR: join(folder, 'state'), PORT: port, ...settings(s3, 'machine') }
    machine = start(['scripts/serve.ts'], env)
    await machine.saw(/"The server listens"/)
    const there = `http://127.0.0.1:${port}`
    const served = (...args: string[]) => runProgram(join(PROJECT, 'scripts/serve.ts'), args, { env })
    const wrong = join(folder, 'wrong.env')
    writeFileSync(
      wrong,
      readFileSync(file, 'utf8').replace(/SECRETS_KEY=.*/, `SECRETS_KEY=${btoa('x'.repeat(32))}`),
    )
    await expect(served('--move-in', HOST, '--from', wrong)).rejects.toThrow('The backup cannot be read')
    expect(await served('--move-in', HOST, '--from', file)).toContain('Organization 1, localhost')
    expect(await organization.messages(there)).toEqual(before)
    expect(await organization.digest(there)).toEqual(digest)
    await organization.expectWorking(there)
    const sent = await organization.owner(there).call<{ id: number }>('POST', '/messages', {
      type: 'channel',
      to: 'sandbox',
      topic: 'new',
      content: 'here',
    })
    expect(sent.id).toBeGreaterThan(Number(before.messages.at(-1)!.id))
    // Moved in once, it is not moved in over what was written since.
    await expect(served('--move-in', HOST, '--from', file)).rejects.toThrow('is here already')

    const [later, laterDigest] = [await organization.messages(there), await organization.digest(there)]
    const back = join(folder, 'to-deployment.env')
    await served('--move-out', HOST, '--to', to, '--into', back)
    await expect(organization.messages(there)).rejects.toThrow('has moved to')
    await online('move-in', ['--host', HOST, '--from', back])
    expect(await organization.messages(url)).toEqual(later)
    expect(await organization.digest(url)).toEqual(laterDigest)
    await organization.expectWorking(url)
    const database = await deployment.runtime.getD1Database('DB')
    expect(await countFindings(url, (sql) => database.prepare(sql).run(), HOST)).toBe(0)
  })
})
