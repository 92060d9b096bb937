import { defineConfig, type Plugin } from 'vite'

/**
 * Puts the early script and the style of the frame (styles/frame.css) before everything else, and the style of the rest after the frame,
 * which a browser paints without waiting for it. Scripts wait for both.
 */
function paintFrameFirst(): Plugin {
  return {
    name: 'paint-frame-first',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle)
        const script = files.find((file) => file.type === 'chunk' && file.name === 'early' && !file.isEntry)
        const style = files.find((file) => file.type === 'asset' && file.names.includes('frame.css'))
        if (!script || !style) throw new Error('The early script or the style of the frame was not built.')
        const [link = ''] = html.match(/<link rel="stylesheet"[^>]*>\n?/) ?? []
        const first = [
          `<script type="module" async crossorigin src="./${script.fileName}"></script>`,
          `<link rel="stylesheet" crossorigin href="./${style.fileName}">`,
        ]
        return html
          .replace(link, '')
          .replace(new RegExp(`\\s*<(?:script|link)[^>]*${script.fileName}[^>]*>(?:</script>)?`), '')
          .replace('</title>', `</title>\n${first.join('\n')}`)
          .replace('<noscript>', `${link}<noscript>`)
      },
    },
  }
}

/**
 * Puts styles that come on demand after the main one, which is in the body (`paintFrameFirst`): of two rules of the same specificity, that of
 * the view wins. Vite's own code would put them into the head.
 */
function addStylesBehindMain(): Plugin {
  const [before, after] = ['document.head.appendChild(', 'document.body.appendChild(']
  let isDone = false
  return {
    name: 'add-styles-behind-main',
    enforce: 'post',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined
      if (!code.includes(before)) throw new Error('Vite adds styles in another way.')
      isDone = true
      return { code: code.replace(before, after), map: null }
    },
    buildEnd(error) {
      if (!error && !isDone) throw new Error('Vite adds styles elsewhere.')
    },
  }
}

/** Fails when the first script, which waits for the catalogue of the browser's language, would wait for ever. */
function letNoCatalogueWait(): Plugin {
  return {
    name: 'let-no-catalogue-wait',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const first = chunks.find(({ name }) => name === 'first')
      for (const { facadeModuleId, imports } of chunks) {
        const isCatalogue = /\/texts\/compiled\/[a-z]{2}\/page\.ts$/.test(facadeModuleId ?? '')
        if (isCatalogue && first && imports.includes(first.fileName))
          throw new Error(`${facadeModuleId} has imports from the first script, which waits for it.`)
      }
    },
  }
}

interface Emoji {
  readonly hexcode: string
  readonly unicode: string
  readonly label: string
  readonly tags?: readonly string[]
  readonly group?: number
  readonly order?: number
  readonly skins?: readonly Emoji[]
}

const WORDS = 'emoji-words:'
/** The group of skin tones and hair, which are parts of other emoji. */
const PARTS = 2

/** Languages whose words are Unicode's own (CLDR), since `emojibase-data` has none. */
const OF_UNICODE = ['ar']

/**
 * Makes the modules of web/views/emoji/emoji-words.d.ts from `emojibase-data` and CLDR, whose files have ten times what the page needs: the
 * words of emoji in each language, and their order.
 */
function emojiWords(): Plugin {
  return {
    name: 'emoji-words',
    resolveId: (id) => (id.startsWith(WORDS) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${WORDS}`)) return undefined
      const kind = id.slice(WORDS.length + 1)
      const language = kind === 'order' || OF_UNICODE.includes(kind) ? 'en' : kind
      const file = `emojibase-data/${language}/compact.json`
      const data: { default: Emoji[] } = await import(file, { with: { type: 'json' } })
      const emoji = data.default.filter(({ group }) => group !== undefined && group !== PARTS)
      const named = OF_UNICODE.includes(kind) ? await inWordsOfUnicode(emoji, kind) : emoji
      const value = kind === 'order' ? orderOf(emoji) : wordsOf(named)
      return `export default ${JSON.stringify(value)}`
    },
  }
}

type Annotations = Readonly<
  Record<string, { readonly default?: readonly string[]; readonly tts?: readonly string[] }>
>

/** Returns the emoji with the names and words that CLDR has for them; those without any are left out. */
async function inWordsOfUnicode(emoji: readonly Emoji[], language: string): Promise<Emoji[]> {
  const files = {
    own: `cldr-annotations-modern/annotations/${language}/annotations.json`,
    derived: `cldr-annotations-derived-modern/annotationsDerived/${language}/annotations.json`,
  }
  const own = await import(files.own, { with: { type: 'json' } })
  const derived = await import(files.derived, { with: { type: 'json' } })
  const known: Annotations = {
    ...derived.default.annotationsDerived.annotations,
    ...own.default.annotations.annotations,
  }
  return emoji.flatMap((one) => {
    const { tts: [label] = [], default: tags = [] } =
      known[one.unicode] ?? known[one.unicode.replaceAll('\ufe0f', '')] ?? {}
    return label === undefined ? [] : [{ ...one, label, tags }]
  })
}

const shortCode = ({ hexcode }: Emoji) => hexcode.toLowerCase().replaceAll('-fe0f', '')

function wordsOf(emoji: readonly Emoji[]): Record<string, string> {
  return Object.fromEntries(
    emoji.map((one) => [shortCode(one), [...new Set([one.label, ...(one.tags ?? [])])].join('|')]),
  )
}

function orderOf(emoji: readonly Emoji[]): { groups: string[][]; toned: Record<string, string> } {
  const groups: string[][] = []
  const toned: Record<string, string> = {}
  for (const one of emoji.toSorted((a, b) => a.order! - b.order!)) {
    groups[one.group!] ??= []
    groups[one.group!]!.push(shortCode(one))
    // The form in which all people have the first tone.
    const first = one.skins?.find(({ hexcode }) => !/1F3F[C-F]/.test(hexcode))
    if (first) toned[shortCode(one)] = shortCode(first).replaceAll('1f3fb', 'tone')
  }
  return { groups: groups.filter((_, group) => group !== PARTS), toned }
}

/** Addresses in it are relative, so that one build can be served below any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [paintFrameFirst(), addStylesBehindMain(), letNoCatalogueWait(), emojiWords()],
  worker: {
    format: 'es',
    rollupOptions: { output: { entryFileNames: 'page/[name]-[hash].js' } },
  },
  build: {
    assetsDir: 'page',
    rollupOptions: {
      // Of the server's rules, only what is used: the classes of refusals are made by calls.
      treeshake: { moduleSideEffects: [{ test: /\/src\/(?:rules|core)\//, sideEffects: false }] },
      // On a busy machine it is said of every build.
      checks: { bundlerTimings: false },
      input: {
        early: `${import.meta.dirname}/early.ts`,
        frame: `${import.meta.dirname}/styles/frame.css`,
        page: `${import.meta.dirname}/index.html`,
        'service-worker': `${import.meta.dirname}/service-worker.ts`,
        // Pages made by the server refer to these by name (src/http/html/html.ts, log-in).
        'desktop-login': `${import.meta.dirname}/desktop-login.ts`,
        'passkey-form': `${import.meta.dirname}/passkey-form.ts`,
        'auth-pages': `${import.meta.dirname}/auth-pages.css`,
        public: `${import.meta.dirname}/public.css`,
      },
      output: {
        assetFileNames: ({ names: [name] }) =>
          name === 'auth-pages.css' || name === 'public.css'
            ? 'page/[name][extname]'
            : 'page/[name]-[hash][extname]',
        // The service worker stays at the top without a digest: its folder is its scope, and browsers know it by its name.
        // One file for what the page loads at its start: many small ones compress worse, and each is a request.
        codeSplitting: {
          groups: [
            {
              // The early request for the snapshot starts long before the rest has loaded. What catalogues have imports from is here too: the
              // first script waits for the catalogue of the browser's language, which must not wait for it.
              name: 'early',
              test: /\/web\/(?:early|api\/(?:early|request|errors|json|browser-api)|state\/wire|texts\/locale|ui\/stored)\.ts$/,
              priority: 2,
            },
            {
              name: 'first',
              test: /(?<!\/service-worker|\/desktop-login|\/passkey-form|\/credential-json)\.tsx?$|node_modules/,
              tags: ['$initial'],
              priority: 1,
            },
            // What is loaded soon after the start, one file each with what it needs.
            {
              name: 'writing',
              test: /\/web\/views\/(?:compose\/(?:box|recipients)|message\/row-actions)\.tsx$/,
            },
            { name: 'conversation', test: /\/web\/views\/conversation\/conversation-view\.tsx$/ },
            { name: 'inbox', test: /\/web\/views\/inbox\/inbox\.tsx$/ },
            {
              name: 'following',
              test: /\/web\/(?:notifications\/notifications|views\/room\/organizations-state)\.ts$/,
            },
          ],
        },
        entryFileNames: ({ name }) => {
          if (name === 'service-worker') return '[name].js'
          return ['desktop-login', 'passkey-form'].includes(name) ? 'page/[name].js' : 'page/[name]-[hash].js'
        },
      },
    },
    target: 'es2023',
    // Nothing inline: the page's policy allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
