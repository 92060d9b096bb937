import { takeMail } from '../http/mail/take-mail.ts'
import type { DevEnvironment } from './environment.ts'

/**
 * POST /dev/mail?from=ADDRESS&to=ADDRESS with a mail as it comes over the wire, as if Cloudflare's Email
 * Routing had delivered it. Answers {"rejected": null}, or the reason with which the sender would get it
 * back.
 */
export async function deliverMail(request: Request, env: DevEnvironment): Promise<Response> {
  const { searchParams, origin } = new URL(request.url)
  const raw = new Uint8Array(await request.arrayBuffer())
  let rejected: string | null = null
  await takeMail(
    {
      from: searchParams.get('from') ?? '',
      to: searchParams.get('to') ?? '',
      raw: new Response(raw).body!,
      rawSize: raw.length,
      setReject(reason) {
        rejected = reason
      },
    },
    { ...env, DEVELOPMENT: true },
    origin,
  )
  return Response.json({ rejected })
}
