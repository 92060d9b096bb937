import { env, runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { furnish } from '../../support/furnished-realm.ts'
import { fromJson } from '../../support/json.ts'
import { makeBackup } from '../../support/listed-backups.ts'
import { visit } from '../../support/pages.ts'
import { seen } from '../../support/restored-organizations.ts'
import { sha256Hex } from '../../support/sha256.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const TO = 'https://chat.example.org'
const STORE = 'https://s3.example.com'
const SOURCE = {
  BACKUP_S3_URL: `${STORE}/bucket`,
  BACKUP_S3_ACCESS_KEY: 'id',
  BACKUP_S3_SECRET_KEY: 'secret',
  SECRETS_KEY: env.SECRETS_KEY!,
}
/** Tables with secrets, which are sealed anew, and never alike. */
const SEALED = ['login_provider', 'totp', 'zoom_account']

/** Shows the deployment's own bucket of backups as one of S3. */
async function answerAsS3(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const prefix = url.searchParams.get('prefix')
  if (prefix !== null) {
    const after = url.searchParams.get('start-after')
    const { objects, truncated } = await env.BACKUPS!.list({ prefix, ...(after && { startAfter: after }) })
    const entries = objects.map(
      ({ key, size }) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`,
    )
    return new Response(`<List><IsTruncated>${truncated}</IsTruncated>${entries.join('')}</List>`)
  }
  const found = await env.BACKUPS!.get(url.pathname.replace('/bucket/', ''))
  return found ? new Response(found.body) : new Response('', { status: 404 })
}

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init)
    return request.url.startsWith(STORE) ? answerAsS3(request) : fetch(request)
  })
})
afterEach(() => vi.unstubAllGlobals())

async function ask(of: TestRealm, path: string, more: object, ticket?: string) {
  const shown = ticket ?? crypto.randomUUID()
  const now = Math.floor(Date.now() / 1_000)
  if (ticket === undefined) {
    await env.DB.prepare('INSERT INTO organization_ticket (digest, created_at, host) VALUES (?, ?, ?)')
      .bind(await sha256Hex(shown), now, of.host)
      .run()
  }
  const body = JSON.stringify({ ticket: shown, host: of.host, ...more })
  const page = await visit(`http://${of.host}/setup/${path}`, { method: 'POST', body })
  return { status: page.status, body: fromJson(page.text) as Record<string, unknown> }
}

const comingIn = (of: TestRealm, source: object = SOURCE) =>
  ask(of, 'moves-in', { organization: of.id, source })

async function runUntil(
  of: TestRealm,
  isSo: () => Promise<boolean>,
  crash: 'exporting' | 'restoring',
): Promise<number> {
  for (let run = 0; run < 400; run += 1) {
    if (await isSo()) return run
    world.crashAt = crash
    world.clockOffset += 61
    await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    world.crashAt = undefined
  }
  throw new Error('It does not end')
}

async function moveAway(of: TestRealm): Promise<void> {
  expect(await ask(of, 'moves-out', { to: TO })).toMatchObject({ status: 200, body: { to: TO } })
  await runUntil(of, async () => (await ask(of, 'moves-out', {})).body.is_away === true, 'exporting')
}

const withoutSecrets = ({ rows, ...others }: Awaited<ReturnType<typeof seen>>) => ({
  ...others,
  rows: [...rows].filter(([table]) => !SEALED.includes(table)),
})

describe('an organization that moves', () => {
  it('is closed with the address, and open again if it stays', async () => {
    const { realm: of } = await buildRealm()
    await moveAway(of)
    expect(await of.owner.api.get('/users/me')).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', msg: `This organization has moved to ${TO}.` },
    })
    expect(await ask(of, 'moves-out', { to: null })).toMatchObject({ status: 200, body: { to: null } })
    expectSuccess(await of.owner.api.get('/users/me'))
    expectSuccess(
      await of.owner.api.post('/messages', { type: 'direct', to: [of.owner.id], content: 'here' }),
    )
  })

  it('comes in as it left, whatever step a crash is at', async () => {
    const { realm: of } = await buildRealm()
    const { bea, cai } = await furnish(of)
    const people = [of.owner, bea, cai]
    await runAlarms(of, 3, 700)
    const before = await seen(of, people)
    await moveAway(of)
    expect(await comingIn(of)).toMatchObject({ status: 200, body: { realm_id: of.id, from_host: of.host } })
    // Asked again, it goes on.
    expect((await comingIn(of)).status).toBe(200)
    const runs = await runUntil(
      of,
      async () => (await of.owner.api.get('/users/me')).status === 200,
      'restoring',
    )
    expect(runs).toBeGreaterThan(40)
    expect(withoutSecrets(await seen(of, people))).toEqual(withoutSecrets(before))
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })

  it('does not come in over one that is here, or with another key', async () => {
    const { realm: of } = await buildRealm()
    await makeBackup(of)
    expect((await comingIn(of)).body.msg).toBe('This organization is here already, and has not moved away.')
    const wrong = { ...SOURCE, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
    expect((await comingIn(of, wrong)).body.msg).toMatch(/^The backup cannot be read: /)
    await env.DB.prepare('UPDATE realm SET created_at = created_at + 1 WHERE id = ?').bind(of.id).run()
    expect((await comingIn(of)).body.msg).toMatch(/^This server has another organization with the number /)
    expectSuccess(await of.owner.api.get('/users/me'))
  })

  it('needs a ticket, and its key a token', async () => {
    const { realm: of } = await buildRealm()
    expect((await ask(of, 'moves-out', { to: TO }, 'invented')).status).toBe(401)
    expect((await ask(of, 'moves-in', { source: SOURCE }, 'invented')).status).toBe(401)
    expect((await ask(of, 'moves-out', { to: TO, token: 'a guess' })).body.msg).toBe(
      'MOVE_TOKEN is not set on this server.',
    )
    expectSuccess(await of.owner.api.get('/users/me'))
    expect((await ask(of, 'moves-out', {})).body).not.toHaveProperty('secrets_key')
  })
})
