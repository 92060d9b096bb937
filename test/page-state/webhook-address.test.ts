import { describe, expect, it } from 'vitest'
import { testParameters, type WebhookTarget, webhookAddress } from '../../web/state/index.ts'

const ORIGIN = 'https://team.example.com'
const PLAIN: WebhookTarget = {
  integration: 'github',
  key: 'k3y',
  channelId: undefined,
  topic: '',
  filter: 'all',
  events: [],
  options: {},
  looksLikeOther: false,
}

/** Returns the parameters of an address after its path. */
function paramsOf(target: Partial<WebhookTarget>): Record<string, string> {
  return Object.fromEntries(new URL(webhookAddress(ORIGIN, { ...PLAIN, ...target })).searchParams)
}

describe('the address for a service', () => {
  it('has the integration and the key, and nothing that is left open', () => {
    expect(webhookAddress(ORIGIN, PLAIN)).toBe(`${ORIGIN}/api/v1/external/github?api_key=k3y`)
    expect(webhookAddress(`${ORIGIN}/`, PLAIN)).toBe(`${ORIGIN}/api/v1/external/github?api_key=k3y`)
    expect(paramsOf({ topic: ' ', channelId: 12, options: { branches: ' ' } })).toEqual({
      api_key: 'k3y',
      stream: '12',
    })
  })

  it('may look like that of another chat, where the integration reads its messages', () => {
    const other = (target: Partial<WebhookTarget>) =>
      webhookAddress(ORIGIN, { ...PLAIN, looksLikeOther: true, ...target })
    expect(other({ integration: 'slack_incoming' })).toBe(`${ORIGIN}/services/T00000000/B00000000/k3y`)
    expect(other({ integration: 'discord_incoming', channelId: 12, topic: 'a b' })).toBe(
      `${ORIGIN}/api/webhooks/1/k3y?stream=12&topic=a%20b`,
    )
    expect(other({})).toBe(`${ORIGIN}/api/v1/external/github?api_key=k3y`)
  })

  it('names a topic only beside a channel', () => {
    expect(paramsOf({ topic: 'builds' })).toEqual({ api_key: 'k3y' })
    expect(paramsOf({ channelId: 12, topic: ' builds ' })).toMatchObject({ stream: '12', topic: 'builds' })
  })

  it('names the events that count, or those that do not', () => {
    const events = ['push_commits', 'ping']
    expect(paramsOf({ filter: 'only', events }).only_events).toBe('["push_commits","ping"]')
    expect(paramsOf({ filter: 'except', events }).exclude_events).toBe('["push_commits","ping"]')
    for (const one of [{ events }, { filter: 'only' as const }]) {
      expect(paramsOf(one)).toEqual({ api_key: 'k3y' })
    }
  })

  it('survives any characters, escaped once more too', () => {
    const topic = 'a+b & c=d #1 % ü/'
    const address = webhookAddress(ORIGIN, {
      ...PLAIN,
      channelId: 1,
      topic,
      options: { branches: 'main,v 1*' },
    })
    expect(address).not.toContain('+')
    expect(paramsOf({ channelId: 1, topic, options: { branches: 'main,v 1*' } })).toMatchObject({
      topic,
      branches: 'main,v 1*',
    })
    const raw = /topic=([^&]*)/.exec(address)![1]!
    expect(decodeURIComponent(decodeURIComponent(encodeURIComponent(raw)))).toBe(topic)
  })

  it('has its parameters in a test that the server posts, without the key', () => {
    const target = { ...PLAIN, channelId: 12, topic: ' a b ', options: { branches: 'main' } }
    const filtered: WebhookTarget = { ...target, filter: 'except', events: ['ping'] }
    expect(testParameters(filtered)).toEqual({
      stream: '12',
      topic: 'a b',
      exclude_events: '["ping"]',
      branches: 'main',
    })
    expect(testParameters({ ...PLAIN, topic: 'no channel', looksLikeOther: true })).toEqual({
      to_default_channel: 'true',
    })
  })
})
