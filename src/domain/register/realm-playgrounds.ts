import { presentPlaygrounds } from '../playgrounds/present-playgrounds.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_playgrounds`. */
export const realmPlaygroundsSnapshot: Snapshot = ({ sql }) => ({
  realm_playgrounds: presentPlaygrounds(sql),
})
