import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { evictRealm } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { erasuresListed } from '../../support/inside-backups.ts'
import { listed, makeBackup, restore } from '../../support/listed-backups.ts'
import { backedUp, changeAll, seen } from '../../support/restored-organizations.ts'
import { world } from '../../support/world.ts'

const BEFORE = env.SECRETS_KEY!
const NEXT = Buffer.alloc(32, 5).toString('base64')

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

/** Sets the deployment's keys; objects know them when they next wake. */
async function useKeys(of: TestRealm, key: string, previous?: string): Promise<void> {
  world.settings = { SECRETS_KEY: key, ...(previous && { SECRETS_KEY_PREVIOUS: previous }) }
  await evictRealm(of.id)
}

describe('after SECRETS_KEY was replaced', () => {
  it('a new backup has all files sealed anew, and restores with the new key', async () => {
    const { of, furnished, people } = await backedUp()
    await useKeys(of, NEXT, BEFORE)
    const before = await seen(of, people)
    const first = await makeBackup(of)
    const second = await makeBackup(of)
    // Everything again, once.
    expect([first.sent === first.size, second.sent < first.sent / 2]).toEqual([true, true])
    await useKeys(of, NEXT)
    await changeAll(of, furnished)
    expect(await restore(of, second.id)).toMatchObject({ outcome: 'restored' })
    expect(await seen(of, people)).toEqual(before)
  })

  it('seals files again also where the object dies while it does', async () => {
    const { of, furnished, people } = await backedUp()
    await useKeys(of, NEXT, BEFORE)
    const before = await seen(of, people)
    const made = await makeBackup(of, async () => {
      // What fails is repeated later and later.
      world.clockOffset += 1_000
      if ((await listed(of))[0]!.stage === 'files') world.crashAt = 'exporting'
    })
    await useKeys(of, NEXT)
    const { attachments } = expectSuccess(await furnished.bea.api.get('/attachments'))
    expect(attachments).not.toEqual([])
    for (const { id } of attachments) expectSuccess(await furnished.bea.api.delete(`/attachments/${id}`))
    await runAlarms(of, 3, 700)
    expect(await restore(of, made.id)).toMatchObject({ outcome: 'restored' })
    expect(await seen(of, people)).toEqual(before)
  })

  it('one of before restores while SECRETS_KEY_PREVIOUS has its key', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    await useKeys(of, NEXT, BEFORE)
    await changeAll(of, furnished)
    expect(await restore(of, backup.id)).toMatchObject({ outcome: 'restored' })
    expect(await seen(of, people)).toEqual(before)
  })

  it('one of before changes nothing without its key', async () => {
    const { of, people, backup, before } = await backedUp()
    await useKeys(of, NEXT)
    expect(await restore(of, backup.id)).toMatchObject({ outcome: 'damaged' })
    expect(await seen(of, people)).toEqual(before)
  })

  it('erased people are listed anew', async () => {
    const { of, furnished } = await backedUp()
    expectSuccess(await of.owner.api.post(`/users/${furnished.cai.id}/erase`, { messages: 'keep' }))
    await runAlarms(of, 4, 700)
    expect([await erasuresListed(of, BEFORE), await erasuresListed(of, NEXT)]).toMatchObject([
      [{ userId: furnished.cai.id }],
      [],
    ])
    await useKeys(of, NEXT, BEFORE)
    await makeBackup(of)
    await runAlarms(of, 2, 700)
    expect(await erasuresListed(of, NEXT)).toMatchObject([{ userId: furnished.cai.id }])
  })
})
