import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { Environment } from './environment.ts'

/** The platform's hints for an object's location. Source: Cloudflare's documentation, Durable Objects, data location. */
const LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const
/** The jurisdictions in which the platform guarantees to keep data. */
const JURISDICTIONS = ['eu', 'fedramp', 'us'] as const

export const locationFields = {
  location: v.optional(v.picklist(LOCATIONS, `Enter one of ${LOCATIONS.join(', ')}`)),
  jurisdiction: v.optional(v.picklist(JURISDICTIONS, `Enter one of ${JURISDICTIONS.join(', ')}`)),
}

interface WantedLocation {
  readonly location?: (typeof LOCATIONS)[number] | undefined
  readonly jurisdiction?: (typeof JURISDICTIONS)[number] | undefined
}

/** Returns the jurisdiction in which this deployment keeps texts and files (`npm run deploy -- --jurisdiction`); null without one. */
export function jurisdictionOf({ JURISDICTION }: Environment): (typeof JURISDICTIONS)[number] | null {
  return JURISDICTIONS.find((known) => known === JURISDICTION) ?? null
}

/**
 * Returns the location of a new organization. A deployment in a jurisdiction keeps all its data there, so the objects of its
 * organizations are there too.
 * @throws BadRequestError if not all data could be kept in the jurisdiction
 */
export function locationFor(
  env: Environment,
  { location, jurisdiction }: WantedLocation,
): { location: string | null; jurisdiction: string | null } {
  const own = jurisdictionOf(env)
  const wanted = jurisdiction ?? own
  if (wanted !== null) {
    if (wanted !== own) {
      const kept = own === null ? 'in no jurisdiction' : `in the jurisdiction ${own}`
      throw new BadRequestError(
        `Texts and files of this deployment are kept ${kept}, not in ${wanted}: make one with npm run deploy -- --name NAME --jurisdiction ${wanted}`,
      )
    }
    try {
      env.REALM.jurisdiction(wanted)
    } catch {
      throw new BadRequestError(`This platform keeps no organization in the jurisdiction ${wanted}`)
    }
  }
  return { location: location ?? null, jurisdiction: wanted }
}
