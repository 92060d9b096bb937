import { listPublicPages } from '../../domain/spectators/list-public-pages.ts'
import { defineStep } from '../define-endpoint.ts'

/** GET /sitemap.xml, and /robots.txt. */
export const listPublicPagesStep = defineStep({
  operation: 'list-public-pages',
  access: 'spectator',
  params: {},
  command: listPublicPages,
  audit: 'read-only',
  rateLimit: 'user',
})
