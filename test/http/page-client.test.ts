import { describe, expect, it } from 'vitest'
import { hasDrifted } from '../../web/actions/compare-state.ts'
import {
  Api,
  type ApiError,
  type Connection,
  changeFlag,
  EventLoop,
  failureOf,
  getMessages,
  waitFor,
} from '../../web/api/index.ts'
import {
  acceptSend,
  applyEvents,
  beginFetch,
  beginSend,
  type ChatState,
  type Conversation,
  conversationUnread,
  createState,
  failSend,
  isSentAlready,
  markRead,
  narrowOf,
  narrowParameter,
  outgoingIn,
  REGISTER_OPTIONS,
  renewState,
  retrySend,
  rowKey,
  sendParameters,
  settleAround,
  type WireEvent,
  windowOf,
} from '../../web/state/index.ts'
import { Browser } from '../support/browsing.ts'
import { buildChannel, buildUser, type TestUser } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const PASSWORD = 'a fine password'

const { realm } = useRealm()

/** A page in the browser of a user who is logged in: its requests go to the server, and answers can be lost. */
class OpenPage {
  readonly browser = new Browser(realm.host)
  readonly connections: Connection[] = []
  readonly loop: EventLoop
  readonly api: Api
  losesAnswers = 0
  state: ChatState | undefined

  constructor() {
    this.api = new Api({
      fetch: async (url, init) => {
        const answer = await this.browser.ask(init.method!, url.slice(1), {
          ...init,
          headers: { ...(init.headers as Record<string, string>), Origin: this.browser.origin },
        })
        if (this.losesAnswers > 0) {
          this.losesAnswers -= 1
          throw new TypeError('The answer is lost')
        }
        return answer
      },
      now: () => Date.now(),
      wait: (_ms, signal) => waitFor(1, signal),
      random: () => 0,
      csrfToken: () => this.browser.cookies.get('csrftoken') ?? '',
      newId: () => crypto.randomUUID(),
      isOnline: () => true,
    })
    this.loop = new EventLoop({
      api: this.api,
      register: REGISTER_OPTIONS,
      onSnapshot: (snapshot) => {
        if (this.state) renewState(this.state, snapshot)
        else this.state = createState(snapshot)
      },
      onEvents: (events) => applyEvents(this.state!, events as readonly WireEvent[], Date.now()),
      onConnection: (connection) => this.connections.push(connection),
    })
  }

  async until(isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < 500 && !isSo(); turn += 1) await waitFor(10)
    expect(isSo()).toBe(true)
  }

  async load(where: Conversation) {
    const window = windowOf(this.state!, narrowOf(where))
    const fetch = beginFetch(this.state!)
    const range = { anchor: 'newest' as const, before: 50, after: 0 }
    settleAround(
      this.state!,
      window,
      fetch,
      await getMessages(this.api, narrowParameter(window.narrow), range),
    )
    return window
  }
}

async function openPage(user: TestUser): Promise<OpenPage> {
  const page = new OpenPage()
  await page.browser.logIn(user.email, PASSWORD)
  void page.loop.run()
  await page.until(() => page.state !== undefined)
  return page
}

async function twoPages() {
  const [ann, ben] = [await buildUser(realm), await buildUser(realm)]
  const channel = await buildChannel([ann, ben])
  const where: Conversation = { kind: 'topic', channelId: channel.id, topic: 'lunch' }
  return { ann: await openPage(ann), ben: await openPage(ben), channel, where }
}

describe('the page', () => {
  it('that misses a change sees it by the digest, and registers again', async () => {
    const page = await openPage(await buildUser(realm))
    const isDrifted = () => hasDrifted(page.api, page.state!, () => page.loop.cursor)
    expect(await isDrifted()).toBe(false)
    const { name } = page.state!.organization
    Object.assign(page.state!.organization, { name: 'What it was called' })
    expect(await isDrifted()).toBe(true)
    page.loop.renew()
    await page.until(() => page.state!.organization.name === name)
    expect(await isDrifted()).toBe(false)
    page.loop.stop()
  })

  it('sends once, however often its answers are lost, and the other page gets it', async () => {
    const { ann, ben, where } = await twoPages()
    const [shown, seen] = [await ann.load(where), await ben.load(where)]
    const outgoing = beginSend(
      ann.state!,
      { conversation: where, content: 'Soup?' },
      { now: Date.now(), newId: () => crypto.randomUUID() },
    )
    expect(outgoingIn(ann.state!, shown.narrow)).toHaveLength(1)
    const send = () =>
      ann.api.post('/messages', sendParameters(outgoing), {
        idempotencyKey: outgoing.idempotencyKey,
        patience: 0,
      })
    ann.losesAnswers = 1
    const failed = await send().catch((error) => error)
    failSend(ann.state!, outgoing.localId, failureOf(failed))
    retrySend(ann.state!, outgoing.localId)
    const { id } = await send()
    acceptSend(ann.state!, outgoing.localId, id)
    await ann.until(() => shown.ids.length > 0)
    await ben.until(() => seen.ids.length > 0)
    expect([shown.ids, seen.ids]).toEqual([[id], [id]])
    expect(outgoingIn(ann.state!, shown.narrow)).toEqual([])
    expect(rowKey(ann.state!, id)).toBe(outgoing.localId)
    expect(ann.state!.messages.get(id)).toMatchObject({ content: '<p>Soup?</p>', flags: ['read'] })
    expect(conversationUnread(ben.state!, where).count).toBe(1)
    for (const ids of markRead(ben.state!, seen.ids)) await changeFlag(ben.api, ids, 'read', 'add')
    expect(conversationUnread(ben.state!, where).count).toBe(0)
    for (const page of [ann, ben]) page.loop.stop()
  })

  it('learns by its key that a message had arrived before its topic was renamed', async () => {
    const { ann, ben, channel, where } = await twoPages()
    ann.loop.stop()
    const outgoing = beginSend(
      ann.state!,
      { conversation: where, content: 'Soup?' },
      { now: Date.now(), newId: () => crypto.randomUUID() },
    )
    const send = () =>
      ann.api
        .post('/messages', sendParameters(outgoing), { idempotencyKey: outgoing.idempotencyKey, patience: 0 })
        .catch((error) => error)
    ann.losesAnswers = 1
    expect(isSentAlready(failureOf(await send()))).toBe(false)
    outgoing.conversation = { kind: 'topic', channelId: channel.id, topic: 'dinner' }
    expect(isSentAlready(failureOf(await send()))).toBe(true)
    const shown = await ben.load(where)
    expect(shown.ids.map((id) => ben.state!.messages.get(id)!.content)).toEqual(['<p>Soup?</p>'])
    ben.loop.stop()
  })

  it('shows why a send was refused, and does not retry it', async () => {
    const { ann, ben, channel } = await twoPages()
    const error: ApiError = await ann.api
      .post('/messages', { type: 'channel', to: channel.id + 1_000, topic: 'x', content: 'x' })
      .catch((refusal) => refusal)
    expect(failureOf(error)).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', isRefused: true })
    for (const page of [ann, ben]) page.loop.stop()
  })

  it('registers again when its queue is gone, and misses nothing', async () => {
    const { ann, ben, where } = await twoPages()
    const first = ann.state!.queueId
    ann.loop.stop()
    await ann.api.delete('/events', { queue_id: first })
    await ben.api.post('/messages', {
      type: 'channel',
      to: (where as { channelId: number }).channelId,
      topic: 'lunch',
      content: 'hi',
    })
    void ann.loop.run()
    await ann.until(() => ann.state!.queueId !== first)
    expect(conversationUnread(ann.state!, where).count).toBe(1)
    expect(ann.connections.map(({ kind }) => kind)).toEqual(['live', 'connecting', 'live'])
    for (const page of [ann, ben]) page.loop.stop()
  })

  it('reports that its session has ended, and resumes after a log-in', async () => {
    const { ann, ben, channel, where } = await twoPages()
    const queue = ann.state!.queueId
    const email = ann.state!.users.get(ann.state!.me)!.delivery_email!
    const token = ann.browser.cookies.get('sessionid')!
    ann.browser.cookies.set('sessionid', 'x'.repeat(43))
    ann.loop.retry()
    await ann.until(() => ann.connections.at(-1)?.kind === 'session ended')
    await ben.api.post('/messages', { type: 'channel', to: channel.id, topic: 'lunch', content: 'hi' })
    ann.browser.cookies.delete('sessionid')
    await ann.browser.logIn(email, PASSWORD)
    expect(ann.browser.cookies.get('sessionid')).not.toBe(token)
    ann.api.session.bind()
    ann.loop.resume()
    await ann.until(() => conversationUnread(ann.state!, where).count === 1)
    expect(ann.state!.queueId).toBe(queue)
    for (const page of [ann, ben]) page.loop.stop()
  })
})
