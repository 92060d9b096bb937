import { allowsWebPublic } from '../../core/deployment-settings.ts'
import type { PublicPages } from '../../features/spectators/spectators.ts'
import { listPublicChannelsStep, listPublicPagesStep } from '../../features/spectators/spectators.ts'
import { channelAddress, PUBLIC_ROOT, topicAddress } from '../html/addresses-of-public-pages.ts'
import { html } from '../html/html.ts'
import { askRealm } from '../operations/ask-realm.ts'
import { type Environment, originAt } from '../request/environment.ts'
import type { PageRequest } from '../request/request-url.ts'
import { respondNotFound } from '../request/respond.ts'

/** GET /robots.txt: allows the public pages, if there are any, and nothing else. */
export async function showRobots(request: PageRequest, env: Environment): Promise<Response | undefined> {
  if (!allowsWebPublic(env)) return undefined
  const origin = originAt(new URL(request.url), env)
  const { ok: isOpen } = await askRealm(request, env, listPublicChannelsStep.operation, { after: 0 })
  const open = [
    `Allow: ${PUBLIC_ROOT}`,
    'Allow: /page/',
    'Allow: /user_avatars/',
    `Sitemap: ${origin}/sitemap.xml`,
  ]
  const lines = ['User-agent: *', ...(isOpen ? open : []), 'Disallow: /', '']
  return new Response(lines.join('\n'), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' },
  })
}

/** GET /sitemap.xml: the channels and their newest topics. */
export async function showSitemap(request: PageRequest, env: Environment): Promise<Response | undefined> {
  if (!allowsWebPublic(env)) return undefined
  const asked = await askRealm(request, env, listPublicPagesStep.operation, {})
  if (!asked.ok) return respondNotFound()
  const origin = originAt(new URL(request.url), env)
  const { channels } = asked.value as PublicPages
  const urls = channels.flatMap((channel) => [
    html`<url><loc>${origin}${channelAddress(channel)}</loc></url>\n`,
    ...channel.topics.map(
      ({ name, first, newestAt }) =>
        html`<url><loc>${origin}${topicAddress(first, name)}</loc><lastmod>${new Date(newestAt * 1_000).toISOString()}</lastmod></url>\n`,
    ),
  ])
  const map = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${origin}${PUBLIC_ROOT}</loc></url>
${urls}</urlset>
`
  return new Response(map.text, {
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-cache' },
  })
}
