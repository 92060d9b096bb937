import { expect, it } from 'vitest'
import { allRoutes } from '../support/inside-router.ts'

const [toml] = Object.values(
  import.meta.glob<string>('../../wrangler.toml', { query: '?raw', import: 'default', eager: true }),
)
const [, list] = /^run_worker_first = (\[[^\]]*\])$/m.exec(toml!)!
const FIRST: readonly string[] = [...list!.matchAll(/"([^"]+)"/g)].map(([, pattern]) => pattern!)

/** Whether a pattern of `run_worker_first` has the path. */
const isFirst = (path: string) =>
  FIRST.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern))

it('Cloudflare looks for files only below /page, and where no route is', () => {
  const others = new Set(allRoutes().flatMap(({ path }) => (isFirst(path || '/') ? [] : [path])))
  expect([...others].toSorted()).toEqual(['*', '/:language', '/page/:name'])
})

it('a file of the page that does not exist is asked of the Worker', () => {
  expect(FIRST.filter((pattern) => pattern.startsWith('!'))).toEqual([])
})
