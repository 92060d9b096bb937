import { describe, expect, it, onTestFinished } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { MAX_OBJECT } from '../../support/limits.ts'
import { sendDirect } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, guest } = useRealm({ guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()

const run = ({ api }: Pick<TestUser, 'api'>, command: string) => api.post('/zcommand', { command })

describe('a slash command', () => {
  it('gets an empty answer when it is /ping, guests’ too', async () => {
    expect(expectSuccess(await run(guest, '/ping'))).toEqual({ result: 'success', msg: '' })
  })

  it('is refused in a nearly full organization only if it stores something', async () => {
    world.databaseSize = MAX_OBJECT
    onTestFinished(() => {
      world.databaseSize = undefined
    })
    expectSuccess(await run(realm.owner, '/dark'))
    expectSuccess(await run(realm.owner, '/ping'))
    expect((await run(realm.owner, '/remind 2h')).body.code).toBe('STORAGE_FULL')
  })

  it.each([
    ['/dark', 'color_scheme', 2],
    ['/light', 'color_scheme', 3],
    ['/night', 'color_scheme', 2],
    ['/day', 'color_scheme', 3],
    ['/fluid-width', 'fluid_layout_width', true],
    ['/fixed-width', 'fluid_layout_width', false],
  ])('%s sets one’s own %s to %s', async (command, property, value) => {
    const [own, others] = [await openQueue(guest), await openQueue(realm.owner)]
    expectSuccess(await run(guest, command))
    expect(await own.eventsOf('user_settings')).toMatchObject([{ property, value }])
    expect(await others.events()).toEqual([])
    // Repeating the command changes nothing.
    expectSuccess(await run(guest, command))
    expect(await own.eventsOf('user_settings')).toEqual([])
  })

  it('is a bot’s too, about its own settings and the messages that it may read', async () => {
    const bot = await buildBot(realm, realm.owner)
    expect(expectSuccess(await run(bot, '/ping'))).toEqual({ result: 'success', msg: '' })
    const [own, others] = [await openQueue(bot), await openQueue(realm.owner)]
    expectSuccess(await run(bot, '/dark'))
    expect(await own.eventsOf('user_settings')).toMatchObject([{ property: 'color_scheme', value: 2 }])
    expect(await others.events()).toEqual([])
    const readable = await sendDirect(realm.owner, [realm.owner, bot], 'look at this')
    const hidden = await sendDirect(realm.owner, [realm.owner])
    const remind = (message_id: number) => bot.api.post('/zcommand', { command: '/remind 2h', message_id })
    expect(expectSuccess(await remind(readable)).reminder_id).toEqual(expect.any(Number))
    expectRefusal(await remind(hidden), 'Invalid message(s)')
  })

  it('is refused when unknown, to incoming webhooks, and without credentials', async () => {
    expectRefusal(await run(guest, '/dance'), 'No such command: dance')
    expectRefusal(await run(guest, 'ping'), 'There should be a leading slash in the zcommand.')
    expectRefusal(await guest.api.post('/zcommand'), "Missing 'command' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
    const bot = await createBot(realm.owner, 'Poster', { bot_type: 2 })
    expectRefusal(await run(bot, '/ping'), 'This API is not available to incoming webhook bots.', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
    expectUnauthorized(await realm.anonymous.post('/zcommand', { command: '/ping' }))
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect((await run(gone, '/ping')).status).toBe(401)
    expect((await other.anonymous.post('/zcommand', { command: '/ping' })).status).toBe(401)
  })
})

describe('/remind', () => {
  const ask = async (by: TestUser, words: string, params: Record<string, ParameterValue> = {}) =>
    by.api.post('/zcommand', { command: `/remind ${words}`, ...params })
  /** Asks about a message of the guest’s own, and returns when the reminder comes, and its note. */
  async function asked(words: string, timezone = 'Etc/UTC') {
    const message_id = await sendDirect(guest, [guest], 'the message')
    const before = now()
    const { reminder_id, scheduled_delivery_timestamp: at } = expectSuccess(
      await ask(guest, words, { message_id, timezone }),
    )
    const { reminders } = expectSuccess(await guest.api.get('/reminders'))
    const made = reminders.find((one: { reminder_id: number }) => one.reminder_id === reminder_id)
    expect(made).toMatchObject({ reminder_target_message_id: message_id, scheduled_delivery_timestamp: at })
    expectSuccess(await guest.api.delete(`/reminders/${reminder_id}`))
    const note = /Note:\n > (.*)/.exec(made.content)?.[1] ?? ''
    return { at: at as number, note, after: Math.round((at as number) - before) }
  }
  const now = () => Date.now() / 1_000 + world.clockOffset

  it.each([
    ['30m call Ann', 1_800, 'call Ann'],
    ['me in 2 hours to call Ann', 7_200, 'call Ann'],
    ['1h30m', 5_400, ''],
    ['3 days 5 apples', 3 * 86_400, '5 apples'],
    ['1w  two  spaces', 7 * 86_400, 'two  spaces'],
    ['2H shout', 7_200, 'shout'],
  ])('%s is a reminder after %i seconds', async (words, seconds, note) => {
    const { after, ...made } = await asked(words)
    expect(made.note).toBe(note)
    expect(Math.abs(after - seconds)).toBeLessThanOrEqual(5)
  })

  it('takes days and times as clocks of the reader’s zone show them', async () => {
    // Tokyo has no summer time.
    const shown = (at: number) => new Date((at + 9 * 3_600) * 1_000).toISOString().slice(0, 16)
    const dayAfter = (days: number) => shown(now() + days * 86_400).slice(0, 10)
    const said = async (words: string) => {
      const { at, note } = await asked(words, 'Asia/Tokyo')
      return [shown(at), note]
    }
    expect(await said('tomorrow feed the cat')).toEqual([`${dayAfter(1)}T09:00`, 'feed the cat'])
    expect(await said('tomorrow at 5pm to feed it')).toEqual([`${dayAfter(1)}T17:00`, 'feed it'])
    expect(await said('tomorrow 7 cats')).toEqual([`${dayAfter(1)}T09:00`, '7 cats'])
    expect(await said(`on ${dayAfter(40)} 23:45 last`)).toEqual([`${dayAfter(40)}T23:45`, 'last'])
    const [next] = await said('at 12:34')
    expect([`${dayAfter(0)}T12:34`, `${dayAfter(1)}T12:34`]).toContain(next)
    const [monday] = await said('monday 8:15')
    expect(new Date(`${monday}Z`).getUTCDay()).toBe(1)
    expect([1, 2, 3, 4, 5, 6, 7].map((days) => `${dayAfter(days)}T08:15`)).toContain(monday)
  })

  it('takes them over a change of clocks', async () => {
    const year = new Date(now() * 1_000).getUTCFullYear() + 1
    const shownIn = async (date: string) => (await asked(`${date} 12:00`, 'Europe/Berlin')).at
    expect(await shownIn(`${year}-01-15`)).toBe(Date.UTC(year, 0, 15, 11) / 1_000)
    expect(await shownIn(`${year}-07-15`)).toBe(Date.UTC(year, 6, 15, 10) / 1_000)
  })

  it('is refused without a time, for a time gone by, and without a message', async () => {
    const message_id = await sendDirect(guest, [guest])
    const when = 'Say when: /remind 30m, /remind tomorrow 9:00 or /remind monday, and of what.'
    for (const words of ['', 'Ann', '5 apples', '2 months', '2027-02-30', '25:00', '9999w', '1:99']) {
      expectRefusal(await ask(guest, words, { message_id }), when)
    }
    expectRefusal(
      await guest.api.post('/zcommand', { command: '/reminder 2h' }),
      'No such command: reminder 2h',
    )
    for (const words of ['2020-01-01', '0m']) {
      expectRefusal(await ask(guest, words, { message_id }), 'Scheduled delivery time must be in the future.')
    }
    expectRefusal(await ask(guest, '2h'), 'A reminder needs a message: message_id is missing.')
    const hidden = await sendDirect(realm.owner, [realm.owner])
    for (const id of [hidden, 9_999_999]) {
      expectRefusal(await ask(guest, '2h', { message_id: id }), 'Invalid message(s)')
    }
    expect(expectSuccess(await guest.api.get('/reminders')).reminders).toEqual([])
  })
})
