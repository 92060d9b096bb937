import { describe, expect, it } from 'vitest'
import { visit } from '../support/pages.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm()

describe('pages that clients link to', () => {
  it('help redirects to the same page of the help site, and nowhere else', async () => {
    for (const [path, link] of [
      ['/help/', 'https://zulip.com/help/'],
      ['/help', 'https://zulip.com/help/'],
      [
        '/help/format-your-message-using-markdown',
        'https://zulip.com/help/format-your-message-using-markdown',
      ],
      ['/help//evil.example/', 'https://zulip.com/help/'],
      ['/help/..%2f..%2fx', 'https://zulip.com/help/'],
      ['/help/%22%3E%3Cscript%3E', 'https://zulip.com/help/'],
    ]) {
      const page = await visit(`http://${realm.host}${path}`)
      expect([path, page.status, /<a href="([^"]*)"/.exec(page.text)?.[1]]).toEqual([path, 200, link])
    }
  })

  it('a deactivated organization has a page with how to reactivate it', async () => {
    const page = await visit(`http://${realm.host}/accounts/deactivated/`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('href="/accounts/reactivate/"')])
  })

  it('an icon exists', async () => {
    const icon = await visit(`http://${realm.host}/favicon.ico`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
  })
})
