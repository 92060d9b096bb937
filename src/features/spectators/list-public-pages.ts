import { defineStep } from '../../api/define-endpoint.ts'
import { listPublicPages } from '../../model/spectators/public-pages.ts'

/** GET /sitemap.xml, and /robots.txt. */
export const listPublicPagesStep = defineStep({
  operation: 'list-public-pages',
  access: 'spectator',
  params: {},
  command: listPublicPages,
  audit: 'read-only',
  rateLimit: 'user',
})
