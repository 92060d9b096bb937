import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { build } from 'esbuild'
import { defineConfig, type Plugin } from 'vitest/config'
import { LaggingReporter } from './test/support/lagging-reporter.ts'
import { SkippedReporter } from './test/support/skipped-reporter.ts'

/** What fails at random may do so at a moment that a test has no answer for; hardly twice. A second try is shown. */
const RETRIES = process.env.EVICT || process.env.D1 || process.env.RETRY ? 1 : 0

/** Each test makes organizations with an owner who has a password: at its real cost, hashing is half of the run. */
const PASSWORD_COST = /\/password-cost\.ts$/
const cheapPasswords = fileURLToPath(new URL('./test/support/password-cost.ts', import.meta.url))

/**
 * The Worker under test as one file: workerd would load a thousand modules one by one. `world.ts` stays a
 * module, because the tests turn it.
 */
async function bundleTestWorker(): Promise<string> {
  const outfile = fileURLToPath(new URL('./.parley/build/test-worker.mjs', import.meta.url))
  await build({
    entryPoints: [fileURLToPath(new URL('./test/support/worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'import'],
    sourcemap: 'inline',
    external: ['cloudflare:*', 'node:*'],
    // Compiled code stays a file of its own, which workerd loads.
    loader: { '.wasm': 'copy' },
    plugins: [
      {
        name: 'passwords-are-hashed-cheaply',
        setup: ({ onResolve }) => onResolve({ filter: PASSWORD_COST }, () => ({ path: cheapPasswords })),
      },
      {
        name: 'world-stays-a-module',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/world\.ts$/ }, ({ path, resolveDir }) => ({
            path: join(resolveDir, path),
            external: true,
          })),
      },
    ],
  })
  return outfile
}

const testWorker = await bundleTestWorker()
// wrangler.toml names it, and wants it to be there.
mkdirSync(fileURLToPath(new URL('./.parley/page', import.meta.url)), { recursive: true })

/** What takes longer than `npm test` has time for: `npm run test:all` sets LONG. */
const LONG_TESTS = process.env.LONG ? [] : ['**/*.long.test.ts']

/** Tests that ask the Worker directly mean the one that is bundled. */
const askTheBundle: Plugin = {
  name: 'ask-the-bundled-worker',
  enforce: 'pre',
  resolveId: (source, importer) =>
    /\/worker\.ts$/.test(source) && importer?.includes('/test/') ? testWorker : undefined,
}

const hashCheaply: Plugin = {
  name: 'hash-passwords-cheaply',
  enforce: 'pre',
  resolveId: (source) => (PASSWORD_COST.test(source) ? cheapPasswords : undefined),
}

/** Inside workerd: everything over HTTP against the Worker, with eviction, crashes and a clock to turn. */
const workers = async () => ({
  plugins: [
    askTheBundle,
    hashCheaply,
    cloudflareTest({
      main: testWorker,
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        d1Databases: {
          DB_COPY: 'copy',
          SPARE_1: 'spare-1',
          SPARE_2: 'spare-2',
          SPARE_1_COPY: 'spare-1-copy',
          SPARE_2_COPY: 'spare-2-copy',
        },
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations('./migrations'),
          // What tests do not listen for is not written.
          LOG: 'troubles',
          // `always`: the realm object is evicted before every request (npm run test:evict).
          EVICT: process.env.EVICT ?? '',
          // `shaky`: D1 is slow and fails at random (npm run test:shaky).
          D1: process.env.D1 ?? '',
          // `2`: new organizations have their bodies in the second of two databases beside DB.
          BODY_DATABASES: process.env.BODY_DATABASES ?? '',
          // `all`: hostile values in every parameter (test/http/hostile-requests.long.test.ts).
          FUZZ: process.env.FUZZ ?? '',
          // `show`: the rows of each operation are printed (test/realm/rows-of-operations.long.test.ts).
          ROWS: process.env.ROWS ?? '',
          // Which faults, and for how long (test/faults/faults.test.ts).
          FAULT_SEED: process.env.FAULT_SEED ?? '',
          FAULT_SECONDS: process.env.FAULT_SECONDS ?? '',
          // Which histories, and how many (test/spec/non-interference.long.test.ts).
          SEED: process.env.SEED ?? '',
          HISTORIES: process.env.HISTORIES ?? '',
        },
      },
    }),
  ],
  test: {
    name: 'workers',
    retry: RETRIES,
    // Test files share a workerd: each makes organizations of its own, so nothing is shared but the start.
    // But a workerd in which objects have been evicted thousands of times is slow.
    isolate: process.env.EVICT !== undefined,
    include: [
      'test/endpoints/**/*.test.ts',
      'test/realm/**/*.test.ts',
      'test/http/**/*.test.ts',
      'test/spec/**/*.test.ts',
      'test/faults/**/*.test.ts',
    ],
    exclude: LONG_TESTS,
    setupFiles: ['./test/support/setup.ts'],
    // The runs with troubles of every kind take their time.
    testTimeout: process.env.EVICT || process.env.D1 ? 120_000 : 20_000,
    hookTimeout: process.env.EVICT || process.env.D1 ? 240_000 : 60_000,
  },
})

const COMPILED = '\0compiled code '

/** In Node compiled code is loaded as workerd does it. */
const compiledCode: Plugin = {
  name: 'compiled-code',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('.wasm') ? `${COMPILED}${source.replaceAll('/', ' ')}` : undefined),
  load(id) {
    if (!id.startsWith(COMPILED)) return undefined
    const file = fileURLToPath(import.meta.resolve(id.slice(COMPILED.length).replaceAll(' ', '/')))
    return `import { readFileSync } from 'node:fs'
      export default new WebAssembly.Module(readFileSync(${JSON.stringify(file)}))`
  },
}

/** What other tests load meanwhile would count in. */
const COUNTED_WORK = 'test/markdown/linear-work.long.test.ts'

/** Pure functions, in plain Node. The files share it: none has anything to leave behind. */
const pure = {
  plugins: [compiledCode],
  test: {
    name: 'pure',
    retry: RETRIES,
    isolate: false,
    include: ['test/{permissions,domain,markdown,events,images,core,page-state,page-api}/**/*.test.ts'],
    exclude: [COUNTED_WORK, ...LONG_TESTS],
  },
}

/** In plain Node: the house itself, and the built Worker over real sockets. */
const node = {
  test: {
    name: 'node',
    retry: RETRIES,
    include: [COUNTED_WORK, 'test/{house,model,node,page}/**/*.test.ts'],
    exclude: LONG_TESTS,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}

/** When all tests run (scripts/test.ts), what none of them has tried is told. It needs every endpoint: loaded then only, and no part of this file's bundle. */
async function reporters() {
  const always = ['default', new LaggingReporter(), new SkippedReporter()]
  if (!process.env.WHOLE_SUITE) return always
  const file = new URL('./test/compatibility/operations-reporter.ts', import.meta.url).href
  const { OperationsReporter } = (await import(
    file
  )) as typeof import('./test/compatibility/operations-reporter.ts')
  return [...always, new OperationsReporter()]
}

export default defineConfig(async () => ({
  test: {
    // One more than a small machine has cores: tests also wait.
    maxWorkers: 3,
    reporters: await reporters(),
    projects: [await workers(), pure, node],
  },
}))
