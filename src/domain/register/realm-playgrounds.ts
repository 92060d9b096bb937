import { presentPlaygrounds } from '../playgrounds/playgrounds.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_playgrounds`. */
export const realmPlaygroundsSnapshot: Snapshot = ({ sql }) => ({
  realm_playgrounds: presentPlaygrounds(sql),
})
