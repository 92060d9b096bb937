import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { idsIn, sendTo } from '../../support/messages.ts'
import { mailedLink, mailsTo, postForm, visit } from '../../support/pages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

// The clock is ahead of the platform's, so that alarms run only when a test runs them.
beforeEach(() => {
  world.clockOffset = 10_000
})

const pageOf = ({ host }: TestRealm) => `http://${host}/accounts/reactivate`

async function close(realm: TestRealm, deletion_delay_days: number | null = 14): Promise<void> {
  expectSuccess(await realm.owner.api.post('/realm/deactivate', { deletion_delay_days }))
}

async function sendMail(realm: TestRealm): Promise<void> {
  world.clockOffset += 2
  await runDurableObjectAlarm(realmStub(realm.id))
}

let browsers = 0

async function askFor(realm: TestRealm, email: string): Promise<string> {
  browsers += 1
  const { status, text } = await postForm(pageOf(realm), { email }, `192.0.2.${browsers}`)
  expect(status).toBe(200)
  await sendMail(realm)
  return text.replace(email, 'the address')
}

describe('the days until an organization is deleted', () => {
  it('have a minimum in register, and fewer refuse the deactivation', async () => {
    const { realm } = await buildRealm()
    const register = expectSuccess(await realm.owner.api.post('/register', { fetch_event_types: ['realm'] }))
    expect(register).toMatchObject({
      server_min_deactivated_realm_deletion_days: 14,
      server_max_deactivated_realm_deletion_days: null,
    })
    for (const deletion_delay_days of [13, 0, -1]) {
      expectRefusal(
        await realm.owner.api.post('/realm/deactivate', { deletion_delay_days }),
        'Data deletion time must be at least 14 days in the future.',
      )
    }
    expectRefusal(
      await realm.owner.api.post('/realm/deactivate', { deletion_delay_days: 36_526 }),
      'deletion_delay_days is too large',
    )
    expectSuccess(await realm.owner.api.get('/users/me'))
    await close(realm)
  })

  it('are mailed to every owner, with how to undo it', async () => {
    const { realm, second, gone, admin } = await buildRealm(
      { second: 'owner', gone: 'owner', admin: 'administrator' },
      { name: 'Castle' },
    )
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    await close(realm)
    await sendMail(realm)
    const day = new Date((Date.now() / 1_000 + world.clockOffset + 14 * DAY) * 1_000)
      .toISOString()
      .slice(0, 10)
    for (const { email } of [realm.owner, second]) {
      expect(await mailsTo(realm.host, email)).toMatchObject([
        {
          subject: 'Your organization Castle has been deactivated',
          body: expect.stringMatching(
            `Olga Owner has deactivated.*deleted on ${day}.*${realm.host}/accounts/reactivate/`.replaceAll(
              '.*',
              '[^]*',
            ),
          ),
        },
      ])
    }
    for (const { email } of [gone, admin]) expect(await mailsTo(realm.host, email)).toEqual([])
  })

  it('are not mentioned where the data is kept', async () => {
    const { realm } = await buildRealm()
    await close(realm, null)
    await sendMail(realm)
    const [mail] = await mailsTo(realm.host, realm.owner.email)
    expect(mail!.body).toMatch(/Its data is kept\.\s+Any of its owners can reactivate it/)
  })
})

describe('a deactivated organization', () => {
  it('is reactivated by its owner through a mailed link, with everything unchanged', async () => {
    const { realm, member, channel } = await buildRealm(
      { member: 'member' },
      { channels: { channel: ['owner', 'member'] } },
    )
    const id = await sendTo(member, channel.id, 'plans', 'before')
    const file = await upload(member)
    const queue = await openQueue(member)
    await close(realm)
    expect((await member.api.get('/users/me')).status).toBe(401)
    await askFor(realm, realm.owner.email)
    const link = await mailedLink(realm.host, realm.owner.email)
    expect(await visit(link)).toMatchObject({ status: 200, text: expect.stringContaining('Reactivate') })
    expect((await member.api.get('/users/me')).status).toBe(401)
    expect((await postForm(link, {})).status).toBe(200)
    expectSuccess(await member.api.get('/users/me'))
    expect(await idsIn(member, [{ operator: 'channel', operand: channel.id }])).toContain(id)
    expect(await readStatus(realm, file, member)).toBe(200)
    const sent = await sendTo(realm.owner, channel.id, 'plans', 'after')
    expect((await queue.eventsOf('message')).at(-1)!.message.id).toBe(sent)
    // The day of its deletion passes, and it is not deleted.
    world.clockOffset += 15 * DAY
    await sendMail(realm)
    expectSuccess(await member.api.get('/users/me'))
    await close(realm, null)
  })

  it('refuses a link that was used, replaced, expired, or of another organization', async () => {
    const [{ realm }, { realm: other }] = [await buildRealm(), await buildRealm()]
    for (const each of [realm, other]) await close(each)
    await askFor(realm, realm.owner.email)
    const replaced = await mailedLink(realm.host, realm.owner.email)
    await askFor(realm, realm.owner.email)
    const link = await mailedLink(realm.host, realm.owner.email)
    for (const bad of [
      replaced,
      link.replace(realm.host, other.host),
      `${pageOf(realm)}/${'0'.repeat(32)}`,
    ]) {
      for (const { status, text } of [await visit(bad), await postForm(bad, {})]) {
        expect({ status, text }).toEqual({ status: 404, text: expect.stringContaining('Ask for a new one.') })
      }
    }
    world.clockOffset += DAY + 1
    expect((await postForm(link, {})).status).toBe(404)
    await askFor(realm, realm.owner.email)
    const fresh = await mailedLink(realm.host, realm.owner.email)
    expect((await postForm(fresh, {})).status).toBe(200)
    expect((await postForm(fresh, {})).status).toBe(404)
    await close(realm)
    expect((await postForm(fresh, {})).status).toBe(404)
    expect((await realm.owner.api.get('/users/me')).status).toBe(401)
  })

  it('is reactivated by owners alone, without revealing who is one', async () => {
    const { realm, admin, member, demoted } = await buildRealm({
      admin: 'administrator',
      member: 'member',
      demoted: 'owner',
    })
    await close(realm)
    const answers = new Set<string>()
    for (const email of [realm.owner.email, admin.email, member.email, `nobody@${realm.host}`]) {
      answers.add(await askFor(realm, email))
    }
    expect(answers.size).toBe(1)
    for (const { email } of [admin, member]) expect(await mailsTo(realm.host, email)).toEqual([])
    await askFor(realm, demoted.email)
    const link = await mailedLink(realm.host, demoted.email)
    await askFor(realm, realm.owner.email)
    expect((await postForm(await mailedLink(realm.host, realm.owner.email), {})).status).toBe(200)
    expectSuccess(await realm.owner.api.patch(`/users/${demoted.id}`, { role: 200 }))
    await close(realm)
    expect((await postForm(link, {})).status).toBe(404)
  })

  it('offers no link while it is active', async () => {
    const { realm } = await buildRealm()
    const { status, text } = await postForm(pageOf(realm), { email: realm.owner.email })
    expect({ status, text }).toEqual({
      status: 400,
      text: expect.stringContaining('This organization is active'),
    })
    expect((await visit(pageOf(realm))).status).toBe(200)
  })
})
