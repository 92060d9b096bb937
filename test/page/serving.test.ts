import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage, type PageBuild } from '../../scripts/build-page.ts'
import type { LocalServer } from '../../scripts/local-server.ts'
import { WEB } from '../../scripts/project.ts'
import { startPage } from './open-page.ts'

let server: LocalServer
let build: PageBuild
beforeAll(async () => {
  build = await buildPage()
  server = await startPage()
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })

describe('the page', () => {
  it('is served at /, revalidated each time, and not sent again while unchanged', async () => {
    const first = await get('/')
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(await first.text()).toContain('<div id="page">')
    const again = await get('/', { 'If-None-Match': first.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('allows no script or style but its own files, and no other origin', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('loads files with a digest in their names, which browsers keep for ever', async () => {
    const paths = [...(await (await get('/')).text()).matchAll(/(?:src|href)="\.(\/page\/[^"]+)"/g)].map(
      ([, path]) => path!,
    )
    expect(paths.length).toBeGreaterThan(2)
    for (const path of paths) {
      const file = await get(path)
      await file.arrayBuffer()
      expect([path, file.status, file.headers.get('cache-control')]).toEqual([
        expect.stringMatching(/-[\w-]{8}\.\w+$/),
        200,
        'public, max-age=31536000, immutable',
      ])
      expect(file.headers.get('content-type')).toMatch(
        /^(text\/(javascript|css)|image\/(?:svg|png)|font\/woff2)/,
      )
    }
  })

  it('is built as for production even by a test, so no file names a source', () => {
    const files = readdirSync(build.folder, { recursive: true, withFileTypes: true }).filter((file) =>
      /\.(?:js|css|html)$/.test(file.name),
    )
    expect(files.length).toBeGreaterThan(50)
    const naming = files.filter(({ parentPath, name }) =>
      readFileSync(join(parentPath, name), 'utf8').includes(WEB),
    )
    expect(naming.map(({ name }) => name)).toEqual([])
  })

  it('has nothing at other paths, the page of its components neither', async () => {
    const files = readdirSync(build.folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.includes('components'))).toEqual([])
    for (const path of ['/page/index.html', '/page/none.js', '/page/..%2Findex.html', '/index.html']) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
  })

  it('loads 95 KB at most before it shows the inbox, 100 before a conversation', () => {
    const { firstLoad, starts } = build
    expect(firstLoad).toBeGreaterThan(10_000)
    expect(starts.inbox).toBeGreaterThan(firstLoad)
    expect(starts.inbox).toBeLessThanOrEqual(95_000)
    expect(starts.conversation).toBeGreaterThan(firstLoad)
    expect(starts.conversation).toBeLessThanOrEqual(100_000)
  })

  it('draws its frame before script, and asks for its data before the rest of it', async () => {
    const index = await (await get('/')).text()
    const [head, body] = index.split('<body>') as [string, string]
    const inHead = [...head.matchAll(/(?:src|href)="\.\/page\/([a-z]+)-[\w-]{8}\.(?:js|css)"/g)].map(
      ([, name]) => name,
    )
    expect(inHead).toEqual(['early', 'frame', 'first'])
    expect(head).toMatch(/<script type="module" async [^>]*early-/)
    expect(body.indexOf('class="still-frame"')).toBeLessThan(body.indexOf('rel="stylesheet"'))
    const sizes = ['early', 'frame'].map((name) => {
      const file = readdirSync(join(build.folder, 'page')).filter((one) => one.startsWith(`${name}-`))
      return Math.max(...file.map((one) => readFileSync(join(build.folder, 'page', one)).length))
    })
    expect(Math.max(...sizes)).toBeLessThan(8_000)
  })

  it('is sent to browsers compressed by the local server, as by the edge', async () => {
    const asBrowser = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Encoding': 'gzip' }
    const [, path] = (await (await get('/')).text()).match(/src="\.(\/page\/first-[^"]+)"/)!
    for (const from of ['/', path!, '/api/v1/server_settings']) {
      const [plain, small] = [await get(from), await get(from, asBrowser)]
      expect([from, plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([
        from,
        null,
        'gzip',
      ])
      expect(await small.text()).toEqual(await plain.text())
    }
    const page = await get('/', asBrowser)
    await page.text()
    const again = await get('/', { ...asBrowser, 'If-None-Match': page.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('asks for one font of 60 KB at most, and others by script', async () => {
    expect(build.firstFonts).toBeGreaterThan(10_000)
    expect(build.firstFonts).toBeLessThanOrEqual(60_000)
    const index = await (await get('/')).text()
    const preloaded = [...index.matchAll(/<link rel="preload" href="\.\/(page\/[^"]+\.woff2)"/g)]
    expect(preloaded).toHaveLength(1)
    const styles = readdirSync(join(build.folder, 'page')).filter((name) => name.endsWith('.css'))
    const css = styles.map((name) => readFileSync(join(build.folder, 'page', name), 'utf8')).join('')
    const faces = css.match(/@font-face\{[^}]*woff2[^}]*\}/g)!
    expect(faces.length).toBeGreaterThan(3)
    expect(faces.filter((face) => !face.includes('unicode-range'))).toEqual([])
    expect(css).toContain(preloaded[0]![1]!.replace('page/', ''))
  })
})

const TOKENS = readFileSync(join(WEB, 'styles/tokens.css'), 'utf8')

/** Returns the declarations of the last rule that begins with the text. */
function declarations(rule: string): Map<string, string> {
  const body = TOKENS.slice(TOKENS.lastIndexOf(rule))
  const inside = body.slice(body.indexOf('{') + 1, body.indexOf('}'))
  return new Map(
    [...inside.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  )
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

const SCHEMES = {
  light: declarations('\n:root {'),
  dark: declarations(':root[data-scheme="dark"]'),
}
const GROUNDS = [
  '--ground',
  '--ground-side',
  '--ground-raised',
  '--ground-hover',
  '--ground-chosen',
  '--ground-code',
  '--ground-mention',
]
const TEXTS = ['--text', '--text-soft', '--text-accent']
const PAIRS: readonly (readonly [text: string, ground: string, minRatio: number])[] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground, 4.5] as const)),
  ['--text-danger', '--ground', 4.5],
  ['--text-danger', '--ground-raised', 4.5],
  ['--text-good', '--ground-code', 4.5],
  ['--text-on-accent', '--ground-accent', 4.5],
  ['--text-on-accent', '--ground-danger', 4.5],
  ['--text-on-tip', '--ground-tip', 4.5],
  ...['word', 'text', 'number', 'name', 'comment'].map(
    (kind) => [`--syntax-${kind}`, '--ground-code', 4.5] as const,
  ),
  ...['online', 'unread', 'star'].map((mark) => [`--mark-${mark}`, '--ground-side', 3] as const),
  ['--line-strong', '--ground', 3],
]

describe('the colours', () => {
  it.each(Object.entries(SCHEMES))('have enough contrast: %s', (_scheme, colours) => {
    const poor = PAIRS.flatMap(([text, ground, minRatio]) => {
      const found = contrast(colours.get(text)!, colours.get(ground)!)
      return found < minRatio ? [`${text} on ${ground}: ${found.toFixed(2)}`] : []
    })
    expect(poor).toEqual([])
  })

  it('are the same in dark mode by system and by choice', () => {
    const bySystem = declarations(':root:not([data-scheme="light"])')
    expect([...bySystem]).toEqual([...SCHEMES.dark])
  })
})

it('the page contains no text outside the list of texts', () => {
  const files = ['views', 'ui', 'notifications'].flatMap((room) =>
    readdirSync(join(WEB, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .map((path) => join(room, path)),
  )
  const words = files.flatMap((path) =>
    [
      ...readFileSync(join(WEB, path), 'utf8').matchAll(
        /(?<![=-])>([^<>{}()=;]*[A-Za-z]{3}[^<>{}()=;]*)<\//g,
      ),
    ].map(([, text]) => `${path}: ${text!.trim()}`),
  )
  expect(words.filter((one) => !/openapi\.json|Ctrl|Enter/.test(one))).toEqual([])
})
