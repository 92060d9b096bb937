import { beforeAll, expect, it } from 'vitest'
import { ApiClient, type ParameterValue } from '../support/api.ts'
import { Browser } from '../support/browsing.ts'
import { exampleOf } from '../support/example-values.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { deliverMail, MAIL_DOMAIN, writeMail } from '../support/incoming-mail.ts'
import { changeRealm } from '../support/inside.ts'
import { ENDPOINTS } from '../support/inside-declarations.ts'
import { unsubscribeUrl } from '../support/inside-rows.ts'
import { csrfTokenOf } from '../support/inside-sessions.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { allowSpectators, openChannel, Spectator, say, WEB_PUBLIC } from '../support/spectator.ts'
import { fetchPath, postFiles, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/**
 * Two organizations of one deployment share the Worker, D1 and R2, but not one byte of their data. All data of the other
 * organization contain this mark; nothing that ours gets may.
 */
const MARK = 'zqx'
const THEIR_HOST = `theirs-${crypto.randomUUID().slice(0, 8)}.test`

const { realm: ours } = useRealm({}, { name: 'Ours' })
const {
  realm: theirs,
  ann,
  ben,
} = useRealm(
  { ann: { name: `${MARK} Ann`, email: `${MARK}-ann@${THEIR_HOST}` }, ben: { name: `${MARK} Ben` } },
  { host: THEIR_HOST, name: `${MARK} organization`, ownerName: `${MARK} owner` },
)
let paths: string[]
/** A channel of the other organization that is read without an account, and a message in it. */
let open: number
let openMessage: number

neverEvict()
beforeAll(async () => {
  paths = await fill()
})

type Fields = Record<string, ParameterValue>

/** Creates something of every kind, public where possible, since private things are hidden even within the organization. */
async function fill(): Promise<string[]> {
  const later = Math.floor(Date.now() / 1_000) + 86_400
  const { owner } = theirs
  const { id, name } = await buildChannel([ann, ben], { name: `${MARK} channel`, description: MARK })
  const file = await upload(ann, { name: `${MARK}.txt`, content: MARK })
  const message = await sendTo(
    ann,
    id,
    `${MARK} topic`,
    `${MARK} [file](${file}) https://${MARK}.example.com`,
  )
  const draft = { type: 'stream', to: [id], topic: MARK, content: MARK }
  const scheduled = {
    type: 'channel',
    to: id,
    topic: MARK,
    content: MARK,
    scheduled_delivery_timestamp: later,
  }
  const acts: [TestUser, string, string, Fields][] = [
    [ann, 'POST', `/messages/${message}/reactions`, { emoji_name: 'tada' }],
    [ann, 'PATCH', `/messages/${message}`, { content: `${MARK} edited [file](${file})` }],
    [ann, 'POST', '/drafts', { drafts: [draft] }],
    [ann, 'POST', '/saved_snippets', { title: MARK, content: MARK }],
    [ann, 'POST', '/scheduled_messages', scheduled],
    [ann, 'POST', '/reminders', { message_id: message, note: MARK, scheduled_delivery_timestamp: later }],
    [ann, 'POST', '/users/me/alert_words', { alert_words: [MARK] }],
    [ann, 'POST', '/users/me/status', { status_text: MARK }],
    [ann, 'POST', '/users/me/presence', { status: 'active' }],
    [ann, 'POST', '/navigation_views', { fragment: `narrow/${MARK}`, name: MARK, is_pinned: true }],
    [ann, 'POST', '/user_topics', { stream_id: id, topic: `${MARK} topic`, visibility_policy: 3 }],
    [ann, 'POST', '/bots', { full_name: `${MARK} bot`, short_name: MARK, default_sending_stream: name }],
    [owner, 'PATCH', '/realm', { description: MARK }],
    [owner, 'POST', '/realm/profile_fields', { name: MARK, field_type: 1 }],
    [owner, 'POST', '/realm/filters', { pattern: MARK, url_template: `https://${MARK}.example.com` }],
    [
      owner,
      'POST',
      '/realm/playgrounds',
      { name: MARK, pygments_language: 'Python', url_template: `https://${MARK}.example.com/{code}` },
    ],
    [owner, 'POST', '/realm/domains', { domain: `${MARK}.example.com`, allow_subdomains: false }],
    [owner, 'POST', '/user_groups/create', { name: MARK, description: MARK, members: [ann.id] }],
    [owner, 'POST', '/channel_folders/create', { name: MARK, description: MARK }],
    [
      owner,
      'POST',
      '/default_stream_groups/create',
      { group_name: MARK, description: MARK, stream_names: [name] },
    ],
    [owner, 'POST', '/invites', { invitee_emails: `${MARK}@${theirs.host}`, stream_ids: [], invite_as: 400 }],
    [owner, 'POST', '/invites/multiuse', { stream_ids: [id] }],
    [owner, 'POST', '/export/realm', {}],
  ]
  for (const [user, method, path, fields] of acts) expectSuccess(await user.api.request(method, path, fields))
  world.settings = WEB_PUBLIC
  for (const realm of [ours, theirs]) await allowSpectators(realm)
  open = await openChannel(owner, `${MARK} open`)
  openMessage = await say(ann, open, `${MARK} talk`, MARK)
  await openChannel(ours.owner, 'ours open')
  const png = { ...PNG, name: `${MARK}.png` }
  expectSuccess(await postFiles(owner, `/realm/emoji/${MARK}`, [png]))
  expectSuccess(await postFiles(ann, '/users/me/avatar', [png]))
  await sendDirect(ann, [ben], MARK)
  const { body } = await ann.api.get(file)
  const { members } = expectSuccess(await ann.api.get('/users'))
  const avatars = members.map(({ avatar_url }: { avatar_url: string }) => avatar_url)
  return [file, body.url, file.replace('/user_uploads/', '/user_uploads/thumbnail/'), ...avatars].filter(
    (path) => typeof path === 'string' && path.startsWith('/'),
  )
}

/** Returns the part of an answer or event that contains data of the other organization, if there is any. */
function findTheirs(answer: unknown): string | undefined {
  const text = JSON.stringify(answer)
  const secrets = [MARK, theirs.host, ann.apiKey, theirs.owner.apiKey]
  const found = secrets.find((secret) => text.toLowerCase().includes(secret.toLowerCase()))
  return found && text.slice(Math.max(0, text.toLowerCase().indexOf(found.toLowerCase()) - 200)).slice(0, 400)
}

const READS = ENDPOINTS.filter(({ method }) => method === 'GET')

/** Puts an id of either organization wherever an endpoint takes a number. */
function readsOf(path: string, params: Record<string, unknown>, number: number) {
  const given = Object.fromEntries(
    Object.entries(params).map(([name, schema]): [string, ParameterValue] => {
      const example = exampleOf(schema as Parameters<typeof exampleOf>[0])
      return [name, /^\d+$/.test(example) && name.endsWith('id') ? number : example]
    }),
  )
  const filled = path.replaceAll(/:(\w+)\+?/g, (_whole, name) => encodeURIComponent(String(given[name])))
  return { filled, given }
}

it('people, guests and bots of one find nothing of the other in any answer', async () => {
  const { owner } = ours
  const account = { full_name: 'Bot', short_name: 'bot' }
  const { user_id, api_key } = expectSuccess(await owner.api.post('/bots', account))
  const { user } = expectSuccess(await owner.api.get(`/users/${user_id}`))
  const bot = new ApiClient({ host: ours.host, realmId: ours.id, email: user.email, apiKey: api_key })
  const askers = [owner.api, (await buildUser(ours, { role: 600 })).api, bot]
  const queue = await openQueue(owner)
  let answered = 0
  for (const api of askers) {
    for (const { path, params, operation } of READS) {
      if (operation === 'get-events') continue
      for (const number of Array.from({ length: 12 }, (_, n) => n + 1)) {
        const { filled, given } = readsOf(path, params, number)
        const all = await api.get(filled, number === 1 ? {} : given)
        expect(findTheirs(all.body), `${operation} ${filled}`).toBeUndefined()
        if (all.status === 200) answered += 1
        if (!Object.values(given).includes(number)) break
      }
    }
    for (const anchor of ['oldest', 'newest']) {
      const everything = { anchor, num_before: 500, num_after: 500, apply_markdown: false }
      for (const narrow of [[], [['search', MARK]], [{ operator: 'channels', operand: 'public' }]]) {
        expect(findTheirs((await api.get('/messages', { ...everything, narrow })).body)).toBeUndefined()
      }
    }
    expect(findTheirs((await api.post('/register', {})).body)).toBeUndefined()
  }
  expect(answered).toBeGreaterThan(100)
  await sendTo(ann, `${MARK} channel`, 'later', MARK)
  expect(await queue.events()).not.toContainEqual(expect.objectContaining({ type: 'message' }))
})

it('a key of one is refused at the other, by every endpoint', async () => {
  const [stranger, nobody] = [ann.apiKey, 'N'.repeat(32)].map(
    (apiKey) => new ApiClient({ host: ours.host, realmId: ours.id, email: ann.email, apiKey }),
  ) as [ApiClient, ApiClient]
  for (const { method, path, params, operation } of ENDPOINTS) {
    const { filled } = readsOf(path, params, 1)
    const [a, b] = [await stranger.request(method, filled), await nobody.request(method, filled)]
    // The answer reveals that this is a valid key, but not whose (docs/interface/conventions.md#authentication).
    expect([operation, a.status]).toEqual([operation, b.status])
    if (b.status === 401) expect(a.body.msg).toBe('Account is not associated with this subdomain')
    else expect(a.body).toEqual(b.body)
    expect(findTheirs(a.body)).toBeUndefined()
  }
})

it('a file of one is at no URL of the other', async () => {
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    for (const user of [ours.owner, ann, undefined]) {
      const answer = await fetchPath(ours, path, user)
      const text = await answer.text()
      expect([path, answer.status]).not.toEqual([path, 200])
      expect(text).not.toContain(MARK)
    }
  }
})

const PASSWORD = 'a fine password'

it('a session of one is refused at the other, by every endpoint', async () => {
  const stranger = new Browser(theirs.host)
  expect((await stranger.logIn(ann.email, PASSWORD)).status).toBe(302)
  const [theirBrowser, nobody] = [new Browser(ours.host), new Browser(ours.host)]
  for (const [name, value] of stranger.cookies) theirBrowser.cookies.set(name, value)
  nobody.cookies.set('sessionid', 'N'.repeat(43))
  let refused = 0
  for (const { method, path, params, operation, tus } of ENDPOINTS) {
    if (tus) continue
    const { filled, given } = readsOf(path, params, 1)
    // Each browser sends a valid CSRF token, so that only the sessions can make a difference.
    const ask = async (browser: Browser, token: string) => {
      const { status, body } = await browser.json(method, filled, given, { 'X-CSRFToken': token })
      return { status, body }
    }
    const [a, b] = [
      await ask(theirBrowser, stranger.cookies.get('csrftoken')!),
      await ask(nobody, await csrfTokenOf({ token: 'N'.repeat(43), digest: '' })),
    ]
    expect([operation, a]).toEqual([operation, b])
    expect(findTheirs(a.body)).toBeUndefined()
    if (a.status === 401) refused += 1
  }
  expect(refused).toBeGreaterThan(100)
}, 60_000)

it('answers below /json to sessions of one have nothing of the other', async () => {
  const browser = new Browser(ours.host)
  expect((await browser.logIn((await buildUser(ours)).email, PASSWORD)).status).toBe(302)
  let answered = 0
  for (const { path, params, operation } of READS) {
    if (operation === 'get-events') continue
    const { filled, given } = readsOf(path, params, 1)
    const { status, body } = await browser.json('GET', filled, given)
    expect(findTheirs(body), operation).toBeUndefined()
    if (status === 200) answered += 1
  }
  expect(answered).toBeGreaterThan(20)
})

it('web-public content of one is not at the other', async () => {
  world.settings = WEB_PUBLIC
  const [here, there] = [new Spectator(ours.host), new Spectator(theirs.host)]
  const pages = [
    '/public',
    `/public/channel/${open}`,
    `/public/topic/${openMessage}`,
    '/sitemap.xml',
    '/robots.txt',
  ]
  // The edge keeps copies of the other organization's pages by now, which ours must not get.
  for (const path of pages) expect((await visit(`http://${theirs.host}${path}`)).status).toBe(200)
  for (const path of pages) {
    const { text, headers } = await visit(`http://${ours.host}${path}`)
    expect(findTheirs([text, [...headers]]), path).toBeUndefined()
  }
  expect((await visit(`http://${ours.host}/public/topic/${openMessage}`)).status).toBe(404)
  expect(JSON.stringify((await there.messages()).body)).toContain(MARK)
  const answers = [
    await here.messages(),
    await here.register(),
    await here.get(`/messages/${openMessage}`),
    await here.get(`/users/me/${open}/topics`),
  ]
  for (const { body } of answers) expect(findTheirs(body)).toBeUndefined()
})

it('a mail address of one reaches nobody at the other, whatever its id', async () => {
  world.settings = { EMAIL_DOMAIN: MAIL_DOMAIN }
  const { streams } = expectSuccess(await ann.api.get('/streams'))
  const { stream_id } = streams.find(({ name }: { name: string }) => name === `${MARK} channel`)
  const { email } = expectSuccess(await ann.api.get(`/streams/${stream_id}/email_address`)) as {
    email: string
  }
  const number = (realm: TestRealm) => realm.id.toString(36)
  const inOurs = email.replace(`c_${number(theirs)}_`, `c_${number(ours)}_`)
  expect(inOurs).not.toBe(email)
  const mail = (to: string) => writeMail({ to, subject: 'Hello', text: 'Hello' })
  expect(await deliverMail(theirs.host, email, await mail(email))).toBeNull()
  expect(await deliverMail(ours.host, inOurs, await mail(inOurs))).toBe(
    'Nobody takes mail at this address, or no longer.',
  )
})

it('mailed links and push keys of one are invalid at the other', async () => {
  for (const kind of ['digest', 'missed_messages'] as const) {
    const link = await changeRealm(theirs, (tx) => unsubscribeUrl(tx, '', kind, ours.owner.id))
    expect(link.startsWith('/accounts/unsubscribe/')).toBe(true)
    const absent = link.replace(/[0-9a-f]{64}$/, 'a'.repeat(64))
    const [theirsHere, none] = [
      await visit(`http://${ours.host}${link}`),
      await visit(`http://${ours.host}${absent}`),
    ]
    expect([theirsHere.status, theirsHere.text]).toEqual([none.status, none.text])
    expect((await visit(`http://${theirs.host}${link}`)).status).toBe(200)
  }
  const keyOf = async ({ owner }: TestRealm) => expectSuccess(await owner.api.get('/web_push/key')).public_key
  expect(await keyOf(ours)).not.toBe(await keyOf(theirs))
})
