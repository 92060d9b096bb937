import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { fromJson } from '../support/json.ts'
import { visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

describe('the first page', () => {
  it('names the organization and how to log in, without script', async () => {
    const { realm } = await buildRealm({}, { name: 'Ferns & <b>Mosses</b>' })
    expectSuccess(await realm.owner.api.patch('/realm', { description: 'We **grow** <script>x</script>' }))
    const page = await visit(`http://${realm.host}/`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('Ferns &#38; &#60;b&#62;Mosses')
    expect(page.text).toContain('<strong>grow</strong>')
    expect(page.text).toContain(`<pre>http://${realm.host}</pre>`)
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('says so if no organization exists', async () => {
    const page = await visit('http://nobody.test/')
    expect(page.status).toBe(404)
    expect(page.text).toContain('href="/find"')
    expect(page.text).toContain('There’s no organization at this address.')
  })
})

describe('GET /health', () => {
  // It has no second try: whoever asks again and again wants to know.
  useReliableD1()

  it('answers at any host while D1 can be reached', async () => {
    const page = await visit('http://nobody.test/health')
    expect([page.status, fromJson(page.text)]).toEqual([200, { result: 'success', msg: '' }])
    const head = await visit('http://nobody.test/health', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    world.d1 = () => Promise.reject(new Error('D1 is down'))
    const down = await visit('http://nobody.test/health')
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '1'])
  })
})
