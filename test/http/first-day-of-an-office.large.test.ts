import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { withApp } from '../support/authenticator-app.ts'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { insertUsers } from '../support/inside.ts'
import { readJson } from '../support/json.ts'
import { neverEvict } from '../support/never-evict.ts'
import { mailedLink, mailsTo, postForm, visit } from '../support/pages.ts'
import { DAY } from '../support/times.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** An office of many people behind one address, who all come for the first time. What they get wrong keeps none of them out. */

const PASSWORD = 'a fine password'
/** People who do what is cheap, and those who log in: each password takes a tenth of a second to check. */
const [PEOPLE, LOGGED_IN] = [300, 60]

const { realm } = useRealm()
neverEvict()

let networks = 0
function newIp(): string {
  networks += 1
  return `100.66.${Math.floor(networks / 250)}.${networks % 250}`
}

const from = (ip: string) => ({ headers: { 'CF-Connecting-IP': ip } })
const logIn = (email: string, password: string, ip: string, at = realm): Promise<ApiResponse> =>
  at.anonymous.request('POST', '/fetch_api_key', { username: email, password }, from(ip))
const askReset = async (email: string, ip: string, at = realm) =>
  (await postForm(`http://${at.host}/accounts/password/reset/`, { email }, ip)).status
const statuses = (count: number, ask: (at: number) => Promise<{ readonly status: number }>) =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await ask(at)).status))
const all = (count: number, status: number) => Array<number>(count).fill(status)

describe('three hundred people behind one address', () => {
  it('open the page and the form for logging in', async () => {
    const office = newIp()
    world.limited = true
    const open = (path: string) => visit(`http://${realm.host}${path}`, from(office))
    for (const path of ['/', '/accounts/login/', '/accounts/password/reset/']) {
      expect(await statuses(PEOPLE, () => open(path))).toEqual(all(PEOPLE, 200))
    }
    const settings = () => realm.anonymous.request('GET', '/server_settings', {}, from(office))
    expect(await statuses(PEOPLE, settings)).toEqual(all(PEOPLE, 200))
  })

  it('log in, though each of them has typed a wrong password first', async () => {
    const office = newIp()
    world.limited = true
    const { realm: at } = await buildRealm()
    for (let person = 0; person < LOGGED_IN; person += 1) {
      const { email } = await buildUser(at)
      expect((await logIn(email, 'wrong', office, at)).status).toBe(401)
      const { api_key } = expectSuccess(await logIn(email, PASSWORD, office, at))
      const headers = { ...from(office).headers, Authorization: `Basic ${btoa(`${email}:${api_key}`)}` }
      expect((await at.anonymous.request('GET', '/users/me', {}, { headers })).status).toBe(200)
    }
  })

  it('join by the same link', async () => {
    const office = newIp()
    world.limited = true
    const { invite_link } = expectSuccess(await realm.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    const shown = await statuses(PEOPLE, () => visit(invite_link, from(office)))
    expect(shown).toEqual(all(PEOPLE, 200))
    const joined = await statuses(PEOPLE, (person) =>
      postForm(invite_link, { email: `joins-${person}@${realm.host}` }, office),
    )
    expect(joined).toEqual(all(PEOPLE, 200))
  })

  it('each type a wrong code of their second factor', async () => {
    const office = newIp()
    for (let person = 0; person < 12; person += 1) {
      const user = await buildUser(realm)
      const { app } = await withApp(user)
      const browser = new Browser(realm.host)
      const ask = async (path: string, fields: Record<string, string>) => {
        const headers = { Accept: 'application/json', Origin: browser.origin, ...from(office).headers }
        return browser.ask('POST', path, { body: new URLSearchParams(fields), headers })
      }
      const entered = await ask('/accounts/login/', { username: user.email, password: PASSWORD })
      const { ticket } = (await readJson<{ second_factor: { ticket: string } }>(entered)).second_factor
      const send = async (code: string) =>
        (await ask('/accounts/login/second-factor/', { ticket, code })).status
      expect([await send('000000'), await send(app.code())]).toEqual([401, 200])
    }
  })
})

describe('wrong passwords from the address of an office', () => {
  /** Returns colleagues who have logged in from one address. */
  async function office(count: number) {
    const { realm: at } = await buildRealm()
    const ip = newIp()
    const people: TestUser[] = []
    for (let person = 0; person < count; person += 1) {
      const user = await buildUser(at)
      expectSuccess(await logIn(user.email, PASSWORD, ip, at))
      people.push(user)
    }
    let names = 0
    /** Tries a password for the names of nobody. */
    const guess = (times: number) =>
      statuses(times, () => {
        names += 1
        return logIn(`nobody-${names}@${at.host}`, 'summer2026', ip, at)
      })
    return { at, ip, people, guess }
  }

  it('have room for two more for each person who has logged in there', async () => {
    const { guess } = await office(3)
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '4/1800' }
    expect(await guess(10)).toEqual(all(10, 401))
    expect(await guess(1)).toEqual([429])
  })

  it('have no more room for one person who logs in there often', async () => {
    const { at, ip, people, guess } = await office(1)
    for (let day = 0; day < 3; day += 1) {
      world.clockOffset += DAY + 1
      expectSuccess(await logIn(people[0]!.email, PASSWORD, ip, at))
    }
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '4/1800' }
    expect(await guess(6)).toEqual(all(6, 401))
    expect(await guess(1)).toEqual([429])
  })

  it('keep out nobody who has logged in there before, but everyone else', async () => {
    const { at, ip, people, guess } = await office(2)
    const absent = await buildUser(at)
    expectSuccess(await logIn(absent.email, PASSWORD, newIp(), at))
    await guess(54)
    expect(await guess(1)).toEqual([429])
    for (const { email } of people) expectSuccess(await logIn(email, PASSWORD, ip, at))
    expect((await logIn(absent.email, PASSWORD, ip, at)).status).toBe(429)
    expectSuccess(await logIn(absent.email, PASSWORD, newIp(), at))
    world.clockOffset += 91 * DAY
    await guess(54)
    expect((await logIn(people[0]!.email, PASSWORD, ip, at)).status).toBe(429)
  })

  it('leave two attempts for the name of each who is known there', async () => {
    const { at, ip, people, guess } = await office(3)
    await guess(56)
    for (const { email } of people.slice(1)) {
      const tried = [await logIn(email, 'summer2026', ip, at), await logIn(email, 'winter2026', ip, at)]
      expect(tried.map(({ status }) => status)).toEqual([401, 401])
      expect((await logIn(email, PASSWORD, ip, at)).status).toBe(429)
    }
    // Whoever was not tried is not kept out.
    expectSuccess(await logIn(people[0]!.email, PASSWORD, ip, at))
  })
})

describe('forgotten passwords of an office', () => {
  it('are a hundred a day before anybody has logged in there, and then more', async () => {
    const { realm: at } = await buildRealm()
    const ip = newIp()
    const people = await insertUsers(at, 104)
    const ask = (user: TestUser) => askReset(user.email, ip, at)
    const asked: number[] = []
    for (const user of people.slice(0, 100)) asked.push(await ask(user))
    expect(asked).toEqual(all(100, 200))
    const [late, later, stranger] = people.slice(100) as [TestUser, TestUser, TestUser]
    expect(await ask(late)).toBe(429)
    expect(await mailsTo(at.host, late.email)).toEqual([])
    const link = await mailedLink(at.host, people[0]!.email)
    expect((await postForm(link, { password: PASSWORD }, ip)).status).toBe(200)
    expect([await ask(late), await ask(later), await ask(stranger)]).toEqual([200, 200, 429])
    expect(await mailsTo(at.host, late.email)).toHaveLength(1)
    // It has room for whoever set a new password there, and for nobody's address.
    expect(await ask(people[0]!)).toBe(200)
    expect(await askReset(`nobody@${at.host}`, ip, at)).toBe(429)
  })

  it('are mailed to one person twice an hour, wherever they are asked for', async () => {
    const user = await buildUser(realm)
    const asked: number[] = []
    for (let at = 0; at < 3; at += 1) asked.push(await askReset(user.email, newIp()))
    expect(asked).toEqual([200, 200, 429])
  })
})
