import * as v from 'valibot'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  bot,
  exportConsent,
  linkifier,
  organizationExport,
  upload,
  webEventForm,
  webMessage,
} from '../clients/web-events.ts'
import type { ParameterValue } from '../support/api.ts'
import { Browser } from '../support/browsing.ts'
import { expectSuccess } from '../support/factories.ts'
import { fromJson, type Json } from '../support/json.ts'
import { upload as uploadFile } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner, ann, channel } = useRealm(
  { ann: 'member' },
  { channels: { channel: ['owner', 'ann'] } },
)

const PAGE = `<div id="page-params" data-params="{{page_params}}"></div>`
const FILES: Readonly<Record<string, string>> = {
  '/client/index.html': PAGE,
  '/client/client.json': JSON.stringify({
    feature_level: 500,
    languages: [{ code: 'en', locale: 'en', name: 'English' }],
  }),
}
/** The assets of a deployment with the web client of level 500: the page itself declares nothing. */
const ASSETS = {
  fetch: async ({ url }: Request) => {
    const file = FILES[new URL(url).pathname]
    return new Response(file ?? null, { status: file === undefined ? 404 : 200 })
  },
}

let browser: Browser
let state: Json

beforeEach(() => {
  world.bindings = { ASSETS }
})
beforeAll(async () => {
  world.bindings = { ASSETS }
  browser = new Browser(realm.host)
  expect((await browser.logIn(owner.email, 'correct horse')).status).toBe(302)
  const page = await (await browser.ask('GET', '/')).text()
  const parameters = /data-params="([^"]*)"/.exec(page)![1]!
  state = fromJson(parameters.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).state_data
})

const call = async (method: string, path: string, params: Record<string, ParameterValue> = {}) =>
  expectSuccess(await browser.json(method, path, params))

const problemsOf = (form: v.GenericSchema, value: unknown) =>
  v.safeParse(form, value).issues?.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`)

/** Returns type and op of the page's next events, all of which the client parses. */
async function hear(): Promise<string[]> {
  const { queue_id, last_event_id } = state
  const { events } = await call('GET', '/events', { queue_id, last_event_id, dont_block: true })
  return events.map((event: Json) => {
    state.last_event_id = event.id
    expect(problemsOf(webEventForm(event), event), JSON.stringify(event)).toBeUndefined()
    return [event.type, event.op].filter(Boolean).join(' ')
  })
}

describe('the web client of level 500', () => {
  it('finds the keys of its level in the page, and none that a level removed', () => {
    expect(state).toMatchObject({
      devices: {},
      realm_uuid: expect.any(String),
      gif_rating_policy_options: {},
    })
    const removed = [
      'push_devices',
      'realm_giphy_rating',
      'giphy_rating_options',
      'realm_is_zephyr_mirror_realm',
    ]
    expect(removed.filter((key) => key in state)).toEqual([])
    expect(state.user_settings.web_home_view).toMatch(/^(?:inbox|recent|all_messages)$/)
  })

  it('sends and reads messages, and knows the reasons of reports', async () => {
    const { id } = await call('POST', '/messages', {
      type: 'stream',
      to: channel.id,
      topic: 'plans',
      content: 'plans',
      queue_id: state.queue_id,
      local_id: '12.01',
    })
    await call('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' })
    const heard = await hear()
    expect(heard.filter((name) => /^(?:message|reaction)/.test(name))).toEqual(['message', 'reaction add'])
    const params = { anchor: 'newest', num_before: 10, num_after: 0, allow_empty_topic_name: true }
    const { messages } = await call('GET', '/messages', params)
    expect(problemsOf(v.pipe(v.array(webMessage), v.minLength(1)), messages)).toBeUndefined()
    const named = v.pipe(v.array(v.looseObject({ key: v.string(), name: v.string() })), v.minLength(1))
    expect(problemsOf(named, state.server_report_message_types)).toBeUndefined()
  })

  it('goes to a date', async () => {
    const params = { anchor: 'date', anchor_date: '2020-01-01T00:00:00Z', num_before: 0, num_after: 1 }
    const { messages, anchor } = await call('GET', '/messages', params)
    expect(messages[0].id).toBe(anchor)
  })

  it('lists uploads by the ids of their messages, with times in seconds', async () => {
    const url = await uploadFile(owner, { name: 'plans.txt', content: 'text' })
    const content = `see [plans](${url})`
    await call('POST', '/messages', { type: 'direct', to: [ann.id], content })
    expect(await hear()).toEqual(expect.arrayContaining(['attachment add', 'attachment update', 'message']))
    const { attachments } = await call('GET', '/attachments')
    expect(problemsOf(v.pipe(v.array(upload), v.minLength(1)), attachments)).toBeUndefined()
  })

  it('reads a bot’s own fields, and its key by itself', async () => {
    const { user_id } = await call('POST', '/bots', { full_name: 'Bo', short_name: 'bo', bot_type: 1 })
    expect(await hear()).toEqual(expect.arrayContaining(['realm_user add', 'realm_bot add']))
    const { realm_bots } = await call('POST', '/register', { fetch_event_types: ['realm_bot'] })
    expect(problemsOf(v.pipe(v.array(bot), v.minLength(1)), realm_bots)).toBeUndefined()
    const { api_key } = await call('GET', `/bots/${user_id}/api_key`)
    expect(api_key).toEqual(expect.any(String))
  })

  it('exports by the names of the kinds', async () => {
    await call('POST', '/export/realm', { export_type: 'full_with_consent' })
    expect(await hear()).toContain('realm_export')
    const { exports } = await call('GET', '/export/realm')
    expect(problemsOf(v.pipe(v.array(organizationExport), v.minLength(1)), exports)).toBeUndefined()
    const { export_consents } = await call('GET', '/export/realm/consents')
    expect(problemsOf(v.pipe(v.array(exportConsent), v.minLength(1)), export_consents)).toBeUndefined()
  })

  it('keeps settings by their newest names', async () => {
    await call('PATCH', '/settings', { web_home_view: 'recent' })
    await call('PATCH', '/realm/user_settings_defaults', { web_home_view: 'recent' })
    await call('PATCH', '/realm', { gif_rating_policy: 3 })
    await call('PATCH', '/realm', { description: 'A *new* one' })
    expect(await hear()).toEqual([
      'user_settings update',
      'realm_user_settings_defaults update',
      'realm update',
      'realm update_dict',
    ])
  })

  it('keeps linkifiers with an example and other addresses', async () => {
    await call('POST', '/realm/filters', {
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
      example_input: '#12',
    })
    expect(await hear()).toEqual(['realm_linkifiers'])
    const { linkifiers } = await call('GET', '/realm/linkifiers')
    expect(problemsOf(v.pipe(v.array(linkifier), v.minLength(1)), linkifiers)).toBeUndefined()
  })

  it('says who may create topics in a channel', async () => {
    const { id } = await call('POST', '/channels/create', {
      name: 'harbour',
      subscribers: [owner.id],
      can_create_topic_group: JSON.stringify({ direct_members: [owner.id], direct_subgroups: [] }),
    })
    expect(await hear()).toEqual(expect.arrayContaining(['stream create', 'subscription add']))
    const { subscribed_channel_ids } = await call('GET', `/users/${owner.id}/channels`)
    expect(subscribed_channel_ids).toContain(id)
  })
})
