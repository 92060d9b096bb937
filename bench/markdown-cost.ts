import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import MarkdownIt from 'markdown-it'
import { AlertWordIndex, searchedText } from '../src/markdown/alert-words.ts'
import { type MarkdownLookups, renderMarkdown } from '../src/markdown/render.ts'

/** A typical message: 300 characters with a mention, a link to a topic, an emoji, a list, code and a link. */
const typicalMessage = `@**Ada Lovelace** I looked into #**mobile team>slow start** this morning :smile:

* the cold start takes **2.4 s** on older phones, mostly \`loadFonts()\`
* see https://example.com/traces/418 for the flame graph, and #412

Could we load the fonts *after* the first frame? I would try that before the next release.`

const alertWords = new AlertWordIndex([{ userId: 3, words: ['release', 'outage'] }])

const lookups: MarkdownLookups = {
  usersNamed: (name) => (name === 'Ada Lovelace' ? [{ id: 7, fullName: name, isActive: true }] : []),
  userById: () => undefined,
  groupNamed: () => undefined,
  channelNamed: (name) => (name === 'mobile team' ? { id: 10, name } : undefined),
  customEmoji: () => undefined,
  linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example/{id}' }],
  alertWords: {
    usersAlertedBy: (text) => {
      const found = new Set<number>()
      alertWords.find(searchedText(text), found)
      return [...found]
    },
  },
  realmUrl: 'https://chat.example.com',
  translateEmoticons: false,
  inlineImagePreview: true,
  defaultCodeBlockLanguage: '',
  emptyTopicDisplayName: 'general chat',
}

export interface Measurement {
  name: string
  value: number
  unit: string
}

/** Measures the Markdown room: its size in the Worker's bundle, its start, and the rendering of a message. */
export async function measureMarkdown(): Promise<Measurement[]> {
  const bundle = await bundleRoom()
  const bare = new MarkdownIt({ linkify: true, breaks: true })
  const ours = microsecondsOf(() => renderMarkdown(typicalMessage, lookups))
  const theirs = microsecondsOf(() => bare.render(typicalMessage))
  return [
    { name: 'markdown: bundle, minified', value: kilobytes(bundle.length), unit: 'kB' },
    { name: 'markdown: bundle, minified and gzipped', value: kilobytes(gzipSync(bundle).length), unit: 'kB' },
    { name: 'markdown: start (import in a fresh Node)', value: startMilliseconds(bundle), unit: 'ms' },
    { name: 'markdown: typical message', value: round(ours), unit: 'µs' },
    { name: 'markdown: typical message, bare parser', value: round(theirs), unit: 'µs' },
    { name: 'markdown: ratio to the bare parser', value: round(ours / theirs), unit: '×' },
  ]
}

async function bundleRoom(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/markdown/render.ts', import.meta.url))],
    bundle: true,
    // The runtime provides these modules.
    external: ['node:*'],
    minify: true,
    format: 'esm',
    target: 'es2024',
    write: false,
  })
  return outputFiles[0]!.contents
}

/** Returns the median time of a rendering in µs when the code is warm. */
function microsecondsOf(run: () => unknown): number {
  for (let count = 0; count < 2000; count++) run()
  const perRun: number[] = []
  for (let batch = 0; batch < 15; batch++) {
    const start = performance.now()
    for (let count = 0; count < 200; count++) run()
    perRun.push(((performance.now() - start) * 1000) / 200)
  }
  return median(perRun)
}

/** Returns the median time in ms of importing the bundle, each time in a process of its own. */
function startMilliseconds(bundle: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), 'markdown-bundle-'))
  try {
    const file = join(folder, 'bundle.mjs')
    writeFileSync(file, bundle)
    const script = `const start = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - start)`
    const times = Array.from({ length: 5 }, () =>
      Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })),
    )
    return round(median(times))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

const kilobytes = (bytes: number): number => round(bytes / 1000)
const round = (value: number): number => Math.round(value * 10) / 10
