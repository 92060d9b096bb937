/** How many ways of looking share the views: each way looks at one view in so many. `VIEWS=all` (npm run test:nightly) looks at all of them in all ways. */
const SHARED_BY = process.env.VIEWS === 'all' ? 1 : 3

/** Which views these are: `SEED=` repeats a run. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * SHARED_BY))

/** Returns the views at which one way of looking looks. Ways with numbers in a row look at different ones. */
export function chosenViews<View>(views: readonly View[], way: number): View[] {
  return views.filter((_, at) => (at + way + SEED) % SHARED_BY === 0)
}
