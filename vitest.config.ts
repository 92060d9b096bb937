import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

/** Inside workerd: everything over HTTP against the Worker, with eviction, crashes and a clock to turn. */
const workers = async () => ({
  plugins: [
    cloudflareTest({
      main: './test/support/worker.ts',
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations('./migrations'),
          // `always`: the realm object is evicted before every request (npm run test:evict).
          EVICT: process.env.EVICT ?? '',
          // `all`: hostile values in every parameter (test/http/hostile-requests.test.ts).
          FUZZ: process.env.FUZZ ?? '',
        },
      },
    }),
  ],
  test: {
    name: 'workers',
    include: [
      'test/endpoints/**/*.test.ts',
      'test/realm/**/*.test.ts',
      'test/http/**/*.test.ts',
      'test/spec/**/*.test.ts',
    ],
    setupFiles: ['./test/support/setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})

/** In plain Node: pure functions, the house itself, and the built Worker over real sockets. */
const node = {
  test: {
    name: 'node',
    include: [
      'test/{permissions,domain,markdown,events,core}/**/*.test.ts',
      'test/{house,model,node}/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}

export default defineConfig(async () => ({
  test: { projects: [await workers(), node] },
}))
