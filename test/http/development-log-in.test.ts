import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { createBot, expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

/** Fetches the key of an account as a client of the development server does. */
function fetchKey(browser: Browser, username: string, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ username })
  return browser.ask('POST', '/api/v1/dev_fetch_api_key', { body, headers })
}

describe('fetching a key in development', () => {
  it('logs the client in, with the cookies of a session', async () => {
    const browser = new Browser(realm.host)
    const answer = await fetchKey(browser, ann.email)
    expect(await answer.json()).toMatchObject({ result: 'success', api_key: ann.apiKey, user_id: ann.id })
    expect([...browser.cookies.keys()].sort()).toEqual(['csrftoken', 'sessionid'])
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(ann.id)
    expectSuccess(await browser.json('POST', '/users/me/status', { status_text: 'logged in' }))
    const { status } = expectSuccess(await ann.api.get(`/users/${ann.id}/status`))
    expect(status.status_text).toBe('logged in')
  })

  it('sets no cookies for a bot, a refusal, or a page of another site', async () => {
    const bot = await createBot(ann, 'Robin')
    for (const [username, headers, status] of [
      [bot.email, {}, 200],
      ['nobody@example.com', {}, 400],
      [ann.email, { Origin: 'https://elsewhere.example' }, 200],
      [ann.email, { 'Sec-Fetch-Site': 'cross-site' }, 200],
    ] as const) {
      const browser = new Browser(realm.host)
      const answer = await fetchKey(browser, username, headers)
      expect([username, answer.status, [...browser.cookies.keys()]]).toEqual([username, status, []])
    }
  })
})
