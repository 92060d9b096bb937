import { respondSuccess } from '../../respond.ts'

/** Browsers follow the redirect that answers a form only to sources that the page allows: here, also back to the app. */
export const FORMS_LEAD_TO = "'self' zulip:"

/** Whether the page logs in by script, without leaving itself: it is answered as by the API. */
export function asksForJson({ headers }: Request): boolean {
  return headers.get('accept') === 'application/json'
}

export async function successWith(cookies: readonly string[]): Promise<Response> {
  const response = await respondSuccess({})
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export function redirectWith(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store' })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 302, headers })
}
