import { expect, it } from 'vitest'
import { PATHS_PAST_ACCESS } from '../../scripts/access-paths.ts'
import { allRoutes } from '../support/inside-router.ts'

/** Paths of people alone, who come through Access first where a host is hidden. */
const OF_PEOPLE =
  /^(?:\/parley(?:\/.*)?|\/docs(?:\/.*)?|\/public(?:\/.*)?|\/join\/.*|\/help(?:\/.*)?|\/find|\/robots\.txt|\/sitemap\.xml|\/favicon\.ico|\/calls\/(?!zoom\/deauthorize$).*|\/service-worker\.js|\/manifest\.webmanifest|\/:language|\/?\*?)$/

it('every path is one of people, or let past Cloudflare Access', () => {
  const passes = (path: string) =>
    PATHS_PAST_ACCESS.some((past) =>
      past.endsWith('/*') ? `${path}/`.startsWith(past.slice(0, -1)) : path === past,
    )
  const paths = allRoutes().map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(300)
  expect(paths.filter((path) => !OF_PEOPLE.test(path) && !passes(path))).toEqual([])
  expect(PATHS_PAST_ACCESS.filter((path) => OF_PEOPLE.test(path))).toEqual([])
})
