import { respondNotFound } from '../http/respond.ts'
import type { DevEnvironment } from './environment.ts'

export const COMPONENTS_PATH = '/dev/components'

/** Policy of the page, as strict as that of the page whose components it shows. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src blob:; font-src 'self'"

/** GET /dev/components/…: the page that shows each component in each of its states, and its files. */
export async function showComponents(request: Request, { COMPONENTS }: DevEnvironment): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  // Its files have addresses relative to it.
  if (pathname === COMPONENTS_PATH) {
    return new Response(null, { status: 302, headers: { Location: `${COMPONENTS_PATH}/${search}` } })
  }
  const path = pathname.slice(COMPONENTS_PATH.length)
  const name = path === '/' ? '/index.html' : path
  const file = await COMPONENTS?.fetch(new Request(`https://page.invalid${name}`))
  if (!file?.ok) return respondNotFound()
  const type = TYPES[name.split('.').at(-1) ?? '']
  return new Response(file.body, {
    headers: { 'Content-Type': type ?? 'application/octet-stream', 'Content-Security-Policy': POLICY },
  })
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}
