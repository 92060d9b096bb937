import { listPublicPlaces } from '../../domain/spectators/list-public-places.ts'
import { defineStep } from '../define-endpoint.ts'

/** GET /sitemap.xml, and /robots.txt. */
export const listPublicPlacesStep = defineStep({
  operation: 'list-public-places',
  access: 'spectator',
  params: {},
  command: listPublicPlaces,
  audit: 'read-only',
  rateLimit: 'user',
})
