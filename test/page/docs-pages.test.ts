import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOfPage, sourcesOfDocs } from '../../scripts/docs-site.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { PROJECT } from '../../scripts/project.ts'
import { buildAssets } from '../../scripts/web-client.ts'
import { readJson } from '../support/json.ts'

let server: LocalServer
/** Text of each page by its address. */
const pages = new Map<string, string>()

beforeAll(async () => {
  const { folder } = await buildAssets(undefined)
  server = await startLocalServer({ page: folder })
  for (const source of sourcesOfDocs()) {
    const address = `/docs/${pathOfPage(source)}`
    pages.set(address, await (await get(address)).text())
  }
}, 180_000)
afterAll(() => server?.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' })

/** Returns the addresses that a page has in an attribute, without those of other servers. */
function addressesIn(page: string, html: string, attribute: 'href' | 'src'): URL[] {
  return [...html.matchAll(new RegExp(`<(?:a|link|img|script)\\b[^>]* ${attribute}="([^"]+)"`, 'g'))]
    .map(([, address]) => new URL(address!.replaceAll('&amp;', '&'), `${server.url}${page}`))
    .filter(({ origin }) => origin === server.url)
}

describe('the documentation', () => {
  it('has every Markdown page of docs/, with its title and the sidebar', async () => {
    expect(pages.size).toBeGreaterThan(50)
    for (const [address, html] of pages) {
      expect([
        address,
        html.includes('<h1 id='),
        html.includes('aria-current="page"') || address.endsWith('/docs/index.html'),
      ]).toEqual([address, true, true])
    }
    const { status, headers } = await get('/docs/interface/messages.html')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('links only to existing pages, headings and files', async () => {
    const files = new Set<string>()
    const dead: string[] = []
    for (const [address, html] of pages) {
      for (const { pathname, hash } of [
        ...addressesIn(address, html, 'href'),
        ...addressesIn(address, html, 'src'),
      ]) {
        const target = pages.get(pathname)
        if (target === undefined) files.add(pathname)
        else if (hash !== '' && !target.includes(` id="${decodeURIComponent(hash.slice(1))}"`)) {
          dead.push(`${address}: ${pathname}${hash}`)
        }
      }
    }
    for (const path of files) {
      const answer = await get(path)
      await answer.arrayBuffer()
      if (answer.status !== 200) dead.push(path)
    }
    expect(files.size).toBeGreaterThan(5)
    expect(dead).toEqual([])
  })

  it('breaks lines within cells of tables', () => {
    expect(pages.get('/docs/permissions.html')).toMatch(/<td><strong>get-message<\/strong><br>/)
    expect([...pages.values()].filter((html) => html.includes('&lt;br&gt;'))).toEqual([])
  })

  it('has a picture of each diagram, with its words, and not its source', () => {
    const drawn = sourcesOfDocs().flatMap((source) => {
      const html = pages.get(`/docs/${pathOfPage(source)}`)!
      const diagrams = readFileSync(join(PROJECT, source), 'utf8').matchAll(/^```mermaid\n([\s\S]+?)^```/gm)
      return [...diagrams].map(([, diagram]) => ({ html, diagram: diagram! }))
    })
    expect(drawn.length).toBeGreaterThan(0)
    for (const { html, diagram } of drawn) {
      const pictures = html.match(/<figure[\s\S]+?<\/figure>/g)!.join('')
      const words = [...diagram.matchAll(/[[{]"?([^\]}"]+)/g)].flatMap(([, label]) =>
        label!.split(/(?:<br>|\W)+/),
      )
      expect(words.filter((word) => !pictures.includes(word))).toEqual([])
      expect(html).not.toContain('language-mermaid')
    }
  })

  it('has the sections of every page in the index of its search', async () => {
    const sections = await readJson<{ readonly id: string }[]>(await get('/docs/search.json'))
    const indexed = new Set(sections.map(({ id }) => `/docs/${id.split('#')[0]}`))
    expect([...pages.keys()].filter((address) => !indexed.has(address))).toEqual([])
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length)
  })

  it('allows nothing but its own files, and is revalidated each time', async () => {
    const { headers } = await get('/docs/')
    expect(headers.get('cache-control')).toBe('no-cache')
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect([...pages.values()].filter((html) => / style=|<script(?! type="module" src=)/.test(html))).toEqual(
      [],
    )
  })

  it('begins at /docs/', async () => {
    const { status, headers } = await get('/docs')
    expect([status, headers.get('location')]).toEqual([308, '/docs/'])
    expect(await (await get('/docs/')).text()).toBe(pages.get('/docs/index.html'))
  })

  it.each(['/docs/none.html', '/docs/interface', '/docs/..%2Findex.html', '/docs/.hidden', '/docs/a/b/c'])(
    'says at an unknown address that there is no page: %s',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await answer.text()).toContain('Page not found')
    },
  )
})
