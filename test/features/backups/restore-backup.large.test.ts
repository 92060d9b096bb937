import { applyD1Migrations, env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { actOnce, type FaultRun } from '../../faults/actions.ts'
import { FaultSchedule } from '../../faults/fault-schedule.ts'
import { PatientPerson } from '../../faults/patient-person.ts'
import { openClient } from '../../reference-model/client-state.ts'
import { runAlarms } from '../../support/alarms.ts'
import { evictRealm } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, buildUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { furnish } from '../../support/furnished-realm.ts'
import { listed, makeBackup, restore } from '../../support/listed-backups.ts'
import { sendTo } from '../../support/messages.ts'
import { differingParts, organizationDigest } from '../../support/organization-digest.ts'
import { ALL_CAPABILITIES } from '../../support/queues.ts'
import { backedUp, changeAll, seen } from '../../support/restored-organizations.ts'
import { DAY } from '../../support/times.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

describe('a backup that replaces the organization', () => {
  it('loses nothing, whatever step a crash is at', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    await changeAll(of, furnished)
    let runs = 0
    const restored = await restore(of, backup.id, async () => {
      runs += 1
      world.crashAt = runs % 5 === 0 ? 'exporting' : 'restoring'
    })
    expect(restored.outcome).toBe('restored')
    expect(runs).toBeGreaterThan(60)
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })

  it('goes on after a store has failed at any call', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    await changeAll(of, furnished)
    let calls = 0
    const fails = () => {
      calls += 1
      return calls % 9 === 0
    }
    await restore(of, backup.id, async () => {
      world.store = (call) => (fails() ? Promise.reject(new Error('R2 fails')) : call())
      world.d1 = async (call) => {
        const answer = await call()
        if (fails()) throw new Error('D1 loses its answer')
        return answer
      }
    })
    world.store = (call) => call()
    world.d1 = (call) => call()
    expect(await seen(of, people)).toEqual(before)
  })

  it('is as exact where texts are in two databases', async () => {
    const { realm: of } = await buildRealm()
    const furnished = await furnish(of)
    await runAlarms(of, 1)
    await applyD1Migrations(env.SPARE_1, env.TEST_MIGRATIONS)
    world.bodyDatabases = 1
    await evictRealm(of.id)
    await sendTo(furnished.bea, 'boats', 'engine', 'in the second database')
    const people = [of.owner, furnished.bea, furnished.cai]
    const backup = await makeBackup(of)
    const before = await seen(of, people)
    await changeAll(of, furnished)
    await restore(of, backup.id)
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })

  it('keeps what was written since in a backup, which brings that back', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    const everybody = [...people.slice(0, 2), await changeAll(of, furnished)]
    const since = await seen(of, everybody)
    const { archive_id } = await restore(of, backup.id)
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 2, 700)
    const archive = (await listed(of)).find(({ id }) => id === archive_id)!
    expect(archive.kept_until! - archive.began_at).toBeGreaterThanOrEqual(30 * DAY)
    expect(await restore(of, archive.id)).toMatchObject({ outcome: 'restored' })
    expect(await seen(of, everybody)).toEqual(since)
  })

  it('is as exact after random histories', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    for (let number = 0; number < 3; number += 1) {
      const { of, people, act } = await randomHistory(seed + number)
      await act(60)
      const backup = await makeBackup(of)
      const before = await seen(of, people)
      const digest = await organizationDigest(of.owner)
      await act(60)
      await restore(of, backup.id)
      expect(await seen(of, people), `seed ${seed + number}`).toEqual(before)
      expect(differingParts(digest, await organizationDigest(of.owner)), `seed ${seed + number}`).toEqual([])
      await runAlarms(of, 4, 700)
      expect(await findingsIn(of), `seed ${seed + number}`).toEqual([])
    }
  })
})

/** Three people do everything, as a seed says. */
async function randomHistory(seed: number) {
  const { realm: of } = await buildRealm()
  const people = [of.owner, await buildUser(of, { name: 'Ann' }), await buildUser(of, { name: 'Ben' })]
  const channels = [await buildChannel(people), await buildChannel(people, { invite_only: true })]
  const patient = people.map((user) => new PatientPerson(user, new Map()))
  const queues = await Promise.all(patient.map(async (person) => (await openClient(person, CLIENT)).queue))
  const run: FaultRun = {
    ...{ schedule: new FaultSchedule(seed), people: patient, queues, channels: channels.map(({ id }) => id) },
    ...{ said: new Map(), deleted: new Set(), scheduled: [], drafts: [], files: new Map() },
    ...{ invited: [], done: [] },
  }
  const act = async (times: number) => {
    for (let at = 0; at < times; at += 1) await actOnce(run, at % people.length)
  }
  return { of, people, act }
}

const CLIENT = {
  name: 'a client',
  capabilities: ALL_CAPABILITIES,
  options: { apply_markdown: true, client_gravatar: true },
}
