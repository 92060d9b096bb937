import { ACCESS_PATH } from '../src/model/login-providers/login-methods.ts'

/**
 * The paths that a host behind Cloudflare Access must leave open: those of programs, which have no cookie of Access, and the pages (with
 * their files) that users see before they have logged in (docs/login.md#cloudflare-access).
 */
export const PATHS_PAST_ACCESS: readonly string[] = [
  ...['/api/*', '/json/*', '/tus/*', '/services/*', '/scim/*', '/setup/*'],
  ...['/compatibility', '/health', '/metrics'],
  '/calls/zoom/deauthorize',
  ...[
    '/user_uploads/*',
    '/user_avatars/*',
    '/avatar/*',
    '/static/*',
    '/external_content/*',
    '/emoji-data.json',
  ],
  ...['/accounts/*', '/complete/*', '/login/*', '/page/*'],
]

/** Says which paths Cloudflare Access may protect, if it is in front of the server: apps and bots cannot pass it. */
export function aboutAccess(vars: Readonly<Record<string, string>> = {}): string[] {
  if (vars.ACCESS_TEAM_DOMAIN === undefined) return []
  return [
    `Cloudflare Access: protect ${ACCESS_PATH} alone, with the application whose AUD tag is in ACCESS_AUD. If another one protects`,
    `the whole host, it must let past (Bypass, everyone): ${PATHS_PAST_ACCESS.join(' ')}`,
  ]
}
