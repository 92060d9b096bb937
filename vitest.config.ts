import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { build } from 'esbuild'
import { defineConfig, type Plugin } from 'vitest/config'
import { compileTexts } from './scripts/compile-texts.ts'
import { WITHOUT_CONSOLE } from './scripts/without-console.ts'
import { recorderInto } from './test/recording/recorder.ts'
import { LaggingReporter } from './test/support/lagging-reporter.ts'
import { storeInMemory } from './test/support/scratch-folder.ts'
import { SkippedReporter } from './test/support/skipped-reporter.ts'

storeInMemory()

/** Random faults may hit a moment for which a test has no answer, but hardly twice. The report shows a second try. */
const RETRIES = process.env.EVICT || process.env.D1 || process.env.RETRY ? 1 : 0

/** The file for results by test file, from which scripts/second-try.ts reads what has failed. */
const RESULTS = process.env.RESULTS

/** Each test makes organizations with an owner who has a password: at its real cost, hashing is half of the run. */
const PASSWORD_COST = /\/password-cost\.ts$/
const PROJECT = fileURLToPath(new URL('.', import.meta.url))
const cheapPasswords = fileURLToPath(new URL('./test/support/password-cost.ts', import.meta.url))

/** The source of `world` in the Worker, which looks it up where the tests keep it (test/support/world.ts). */
const LOOKED_UP_WORLD = `export const world = new Proxy({}, {
  get: (_, name) => globalThis.parleyWorld[name],
  set: (_, name, value) => Reflect.set(globalThis.parleyWorld, name, value),
})`

const BUILT = fileURLToPath(new URL('./.parley/build/test-worker', import.meta.url))

interface TestWorker {
  /** The file to start it by. */
  readonly main: string
  /** Files of `src` that tests import, and where what they export is built. */
  readonly built: ReadonlyMap<string, string>
}

/**
 * Bundles the Worker under test, and all of `src` that tests import beside it, into one file, which workerd loads itself. Vite would have
 * to transform more than a thousand modules, and send them to each workerd. Stack traces have lines of that file.
 */
async function buildTestWorker(): Promise<TestWorker> {
  const sources = importedSources()
  const { metafile } = await build({
    entryPoints: sources,
    bundle: false,
    write: false,
    metafile: true,
    outdir: BUILT,
    absWorkingDir: PROJECT,
  })
  await build({
    stdin: {
      contents: [
        `export { default, HasherObject, RealmObject } from './test/support/worker.ts'`,
        ...sources.map((path) => `export * as ${nameOf(path)} from './${path}'`),
      ].join('\n'),
      resolveDir: PROJECT,
    },
    outfile: join(BUILT, 'all.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'import'],
    external: ['cloudflare:*', 'node:*'],
    // The pool puts a file's address for "import.meta.url", also where that is assigned.
    define: { 'import.meta': 'importMeta', ...WITHOUT_CONSOLE.define },
    banner: { js: `const importMeta = import.meta\n${WITHOUT_CONSOLE.banner}` },
    // Compiled code stays a file of its own, which workerd loads.
    loader: { '.wasm': 'copy' },
    plugins: [
      {
        name: 'passwords-are-hashed-cheaply',
        setup: ({ onResolve }) => onResolve({ filter: PASSWORD_COST }, () => ({ path: cheapPasswords })),
      },
      {
        name: 'world-is-looked-up',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/support\/world\.ts$/ }, () => ({ contents: LOOKED_UP_WORLD })),
      },
    ],
  })
  const main = join(BUILT, 'worker.mjs')
  writeFileSync(main, `export { default, HasherObject, RealmObject } from './all.mjs'\n`)
  const exportsOf = new Map(
    Object.values(metafile.outputs).map((output) => [output.entryPoint, output.exports]),
  )
  const built = sources.map((path) => {
    const name = nameOf(path)
    const file = join(BUILT, `${name}.mjs`)
    writeFileSync(
      file,
      `import { ${name} } from './all.mjs'\nexport const { ${exportsOf.get(path)!.join(', ')} } = ${name}\n`,
    )
    return [join(PROJECT, path), file] as const
  })
  return { main, built: new Map(built) }
}

/** Returns the name of what a file of `src` exports. It stays when files come and go: Vitest caches tests with the addresses of their imports. */
function nameOf(path: string): string {
  return path.replaceAll(/\W/g, '_')
}

/** Paths below the project. */
function importedSources(): string[] {
  const files = readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(PROJECT, 'test', path))
  const imports = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']*\/src\/[^']+\.ts)'/g)].map(([, source]) =>
      relative(PROJECT, resolve(dirname(file), source!)),
    ),
  )
  return [...new Set(imports)].sort()
}

await compileTexts()
const testWorker = await buildTestWorker()
// wrangler.toml names this folder, and requires that it exists.
mkdirSync(fileURLToPath(new URL('./.parley/page', import.meta.url)), { recursive: true })

/** Tests that take longer than `npm test` has time for: `npm run test:all` sets LONG. */
const LONG_TESTS = process.env.LONG ? [] : ['**/*.long.test.ts']

/**
 * Tests of large organizations, of days without a store, of very many cases, and of the page in a browser, for which `npm test` has no time
 * either: `npm run test:large` runs them, and all runs with faults.
 */
const LARGE_TESTS = process.env.WHOLE_SUITE ? ['**/*.large.test.ts'] : []

/** Further files in workerd that do not run, with a space between them: vitest itself passes its `--exclude` on to no project. */
const LEFT_OUT = process.env.LEFT_OUT?.split(' ') ?? []

/** Tests that import the Worker, or a part of it, get the built file. */
const askWhatIsBuilt: Plugin = {
  name: 'ask-the-built-worker',
  enforce: 'pre',
  resolveId: (source, importer) => {
    if (!importer?.includes('/test/')) return undefined
    if (/\/worker\.ts$/.test(source)) return testWorker.main
    return testWorker.built.get(resolve(dirname(importer), source))
  },
}

/** How workerd collects memory and compiles, as suits code that runs for minutes. In Node, servers that tests start have their own. */
const V8_FLAGS = '--min-semi-space-size=32 --max-semi-space-size=64 --no-lazy-feedback-allocation'
process.env.MINIFLARE_WORKERD_V8_FLAGS ??= V8_FLAGS

const FAULTS = 'test/faults/faults.test.ts'
const FAULT_SECONDS = process.env.FAULT_SECONDS ?? (process.env.WHOLE_SUITE ? '20' : '')

/**
 * The projects that run in workerd, with their files. Faults are tried for a minute in `npm test`, most of which is waiting: in a workerd
 * of its own, from the start, since projects run in the order of their names.
 */
const IN_WORKERD = [
  { name: 'faults', include: [FAULTS] },
  {
    name: 'workers',
    include: ['test/{features,realm,meter,http,leaks,faults}/**/*.test.ts'],
    exclude: [FAULTS],
  },
]

/** What projects inherit, Vitest would read from this file again for each of them, and so build the Worker as often. */
const ALONE = false

/** Two more than a small machine has cores: tests also wait. With a slow D1 they wait most of the time. */
const MAX_WORKERS = process.env.D1 ? 10 : 4

const recorder = recorderInto(process.env.RECORD ?? '', PROJECT)

/** Inside workerd: everything over HTTP against the Worker, with eviction, crashes and a clock to turn. */
const workers = async ({ name, include, exclude = [] }: (typeof IN_WORKERD)[number]) => ({
  extends: ALONE,
  plugins: [
    askWhatIsBuilt,
    cloudflareTest({
      main: testWorker.main,
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        modulesRules: [{ type: 'ESModule', include: ['**/.parley/build/test-worker/*.mjs'] }],
        d1Databases: {
          DB_COPY: 'copy',
          SPARE_1: 'spare-1',
          SPARE_2: 'spare-2',
          SPARE_3: 'spare-3',
          SPARE_1_COPY: 'spare-1-copy',
          SPARE_2_COPY: 'spare-2-copy',
          SPARE_3_COPY: 'spare-3-copy',
        },
        serviceBindings: { RECORDER: recorder },
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations('./migrations'),
          // With this key, secrets of the tests' organizations are sealed.
          SECRETS_KEY: Buffer.from('A key with which tests seal.....').toString('base64'),
          // Lines that no test reads are not written.
          LOG: 'troubles',
          // `always`: the realm object is evicted before every request (npm run test:evict).
          EVICT: process.env.EVICT ?? '',
          // `shaky`: D1 is slow and fails at random (npm run test:shaky).
          D1: process.env.D1 ?? '',
          // `2`: new organizations have their bodies in the second of two databases beside DB.
          BODY_DATABASES: process.env.BODY_DATABASES ?? '',
          // `all`: every hostile value is tried in every parameter (test/support/samples.ts, test/http/hostile-requests.long.test.ts).
          FUZZ: process.env.FUZZ ?? '',
          // `show`: the rows of each operation are printed (test/meter/rows-of-operations.long.test.ts).
          ROWS: process.env.ROWS ?? '',
          // A folder: requests and their answers are kept there (npm run compare).
          RECORD: process.env.RECORD ?? '',
          // Which faults, and for how long (test/faults/faults.test.ts).
          FAULT_SEED: process.env.FAULT_SEED ?? '',
          FAULT_SECONDS,
          // Which histories, and how many (test/leaks/non-interference.long.test.ts); which hostile values (test/support/samples.ts).
          SEED: process.env.SEED ?? '',
          HISTORIES: process.env.HISTORIES ?? '',
        },
      },
    }),
  ],
  test: {
    name,
    maxWorkers: MAX_WORKERS,
    retry: RETRIES,
    // Test files share a workerd: each makes organizations of its own, so nothing is shared but the start.
    isolate: false,
    include,
    exclude: [...exclude, ...LONG_TESTS, ...LARGE_TESTS, ...LEFT_OUT],
    // The pool sends captured lines over its socket, and a line that an object writes after its file has ended can stay in the way: then
    // the run never ends.
    disableConsoleIntercept: true,
    setupFiles: ['./test/support/setup.ts'],
    // Runs with faults take longer, and so do large organizations, of which four share a thread.
    testTimeout: process.env.EVICT || process.env.D1 ? 120_000 : process.env.WHOLE_SUITE ? 20_000 : 60_000,
    hookTimeout: process.env.EVICT || process.env.D1 ? 240_000 : 60_000,
  },
})

const COMPILED = '\0compiled code '

/** Loads compiled code in Node as workerd does. */
const compiledCode: Plugin = {
  name: 'compiled-code',
  enforce: 'pre',
  resolveId(source) {
    // A module that Vitest has cached asks with the id that it got.
    if (source.startsWith(COMPILED)) return source
    return source.endsWith('.wasm') ? `${COMPILED}${source.replaceAll('/', ' ')}` : undefined
  },
  load(id) {
    if (!id.startsWith(COMPILED)) return undefined
    const file = fileURLToPath(import.meta.resolve(id.slice(COMPILED.length).replaceAll(' ', '/')))
    return `import { readFileSync } from 'node:fs'
      export default new WebAssembly.Module(readFileSync(${JSON.stringify(file)}))`
  },
}

/** Tests that count work: modules that other tests load meanwhile would be counted too. */
const COUNTED_WORK = ['test/markdown/linear-work.long.test.ts', 'test/images/pieces-of-pictures.long.test.ts']

/** Tests of pure functions, in plain Node. The files share it, since they leave nothing behind. */
const pure = {
  extends: ALONE,
  plugins: [compiledCode],
  test: {
    name: 'pure',
    maxWorkers: MAX_WORKERS,
    retry: RETRIES,
    isolate: false,
    include: [
      'test/{rules,model,markdown,events,images,core,engine,integrations,imports,page-state,page-api}/**/*.test.ts',
    ],
    exclude: [...COUNTED_WORK, ...LONG_TESTS, ...LARGE_TESTS],
    // Random cases by the hundred, on a machine that has other work too.
    testTimeout: 20_000,
  },
}

const IN_BROWSER = ['test/page/*.large.test.ts', 'test/page/*.long.test.ts']

/** Tests in plain Node: of the code itself, and of the built Worker over real sockets. Loading all of `src` for each file alone would take longer than the tests. */
const node = {
  extends: ALONE,
  plugins: [compiledCode],
  test: {
    name: 'node',
    maxWorkers: MAX_WORKERS,
    retry: RETRIES,
    // Each of the long ones starts servers, and waits for them: in a process of its own it disturbs no other.
    isolate: process.env.LONG !== undefined,
    env: { MINIFLARE_WORKERD_V8_FLAGS: '' },
    include: [...COUNTED_WORK, 'test/{house,reference-model,node,page}/**/*.test.ts'],
    exclude: [...IN_BROWSER, ...LONG_TESTS, ...LARGE_TESTS],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}

/**
 * The page in a browser takes longest, and begins first, as projects run in the order of their names. The files share processes, since each
 * loads the server's tools and the browser's, and leaves nothing behind.
 */
const browser = {
  ...node,
  test: {
    ...node.test,
    name: 'browser',
    isolate: false,
    include: IN_BROWSER,
    exclude: [...LONG_TESTS, ...LARGE_TESTS],
    // What a page shows comes late on a machine that has other work.
    expect: { poll: { timeout: 10_000 } },
  },
}

/**
 * When all tests run (scripts/test.ts), files are reported that fail, and one more reporter lists the operations that no test has tried. It imports every endpoint, so it
 * is loaded only then, and is not a part of this file's bundle.
 */
async function reporters() {
  const results: ['json', object][] = RESULTS ? [['json', { outputFile: RESULTS }]] : []
  const always = [new LaggingReporter(), new SkippedReporter(), ...results]
  if (!process.env.WHOLE_SUITE) return ['default', ...always]
  const file = new URL('./test/compatibility/operations-reporter.ts', import.meta.url).href
  const { OperationsReporter } = (await import(
    file
  )) as typeof import('./test/compatibility/operations-reporter.ts')
  return ['minimal', ...always, new OperationsReporter()]
}

export default defineConfig(async () => ({
  test: {
    reporters: await reporters(),
    projects: [...(await Promise.all(IN_WORKERD.map(workers))), pure, node, browser],
  },
}))
