import { ACCESS_PATH } from '../src/model/login-providers/login-methods.ts'

/**
 * Paths that a host which Cloudflare Access protects as a whole has to let past: paths to which programs send requests, which have no cookie of
 * Access, and the pages that people see who are not through yet, with the files of these (docs/login.md#cloudflare-access).
 */
export const PATHS_PAST_ACCESS: readonly string[] = [
  ...['/api/*', '/json/*', '/tus/*', '/services/*', '/scim/*', '/setup/*', '/compatibility', '/health'],
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

/** Says, where Cloudflare Access is in front of the server, what it may protect: apps and bots cannot pass it. */
export function aboutAccess(vars: Readonly<Record<string, string>> = {}): string[] {
  if (vars.ACCESS_TEAM_DOMAIN === undefined) return []
  return [
    `Cloudflare Access: protect ${ACCESS_PATH} alone, with the application whose AUD tag is in ACCESS_AUD. If another one protects`,
    `the whole host, it must let past (Bypass, everyone): ${PATHS_PAST_ACCESS.join(' ')}`,
  ]
}
