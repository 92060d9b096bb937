import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECKS, settingProblems } from '../../scripts/check-settings.ts'
import { PROJECT } from '../../scripts/project.ts'
import { SETTINGS, type Setting } from '../../scripts/settings.ts'
import { readRateLimits } from '../../src/core/rate-limits.ts'

/** The values in the page of settings that are defaults of one setting. */
function documentedDefaults(): [Setting, string][] {
  const page = readFileSync(join(PROJECT, 'docs/configuration.md'), 'utf8')
  return [...page.matchAll(/^\| `([A-Z0-9_]+)` \| `([^`]+)`/gm)].flatMap(([, name, value]) =>
    value === 'EMAIL_API_URL' || value!.includes('HOST') || value!.startsWith('SEND_')
      ? []
      : [[name as Setting, value!] as [Setting, string]],
  )
}

describe('what is wrong under [vars] of a deployment', () => {
  it('is nothing about the values that the page of settings names', () => {
    const defaults = documentedDefaults()
    expect(defaults.length).toBeGreaterThan(20)
    for (const [name, value] of defaults)
      expect([name, settingProblems({ [name]: value })]).toEqual([name, []])
    expect(settingProblems()).toEqual([])
  })

  it.each([
    ['RATE_LIMIT_API_BY_USER', '200/60 5000/3600'],
    ['QUOTAS', 'drafts/account=100 channels/organizationBytes=1000000'],
    ['CAN_CREATE_USERS', 'chat.example.com/ann@example.com chat.example.com/ben@example.com'],
    ['SMTP_URL', 'smtps://user:pass@mail.example.com:465'],
    ['EMAIL_FROM', 'Parley <noreply@example.com>'],
    ['EMAIL_DOMAIN', 'mail.example.com'],
    ['WEBHOOK_ALLOWED_HOSTS', '10.0.0.5:8080 [fd00::1]:9000 db.internal'],
    ['OWNER_FULL_CONTENT_ACCESS', 'chat.example.com'],
    ['ACCESS_TEAM_DOMAIN', 'acme.cloudflareaccess.com'],
    ['SECRETS_KEY', Buffer.alloc(32, 7).toString('base64')],
    ['WEB_PUBLIC_STREAMS_ENABLED', 'true'],
    ['JURISDICTION', 'eu'],
    ['FILES_IN_D1', 'yes'],
  ] as const)('is nothing about a value that the server understands: %s', (name, value) => {
    expect(settingProblems({ [name]: value })).toEqual([])
  })

  it.each([
    ['RATE_LIMITS', 'no', 'it must be on or off'],
    ['RATE_LIMIT_API_BY_USER', '200 per minute', '"200" does not have the form 200/60, requests in seconds'],
    ['QUOTAS', 'drafts/accounts=5', '"drafts/accounts=5" does not have the form drafts/account=100'],
    ['QUOTAS', 'drafts/account=999999999', '"drafts/account=999999999" does not have the form'],
    ['CAN_CREATE_USERS', 'ann@example.com', 'chat.example.com/ann@example.com'],
    ['SMTP_URL', 'mail.example.com:465', 'it must be an address that begins with smtps://'],
    ['PUSH_BOUNCER_URL', 'push.example.com', 'it must be an address that begins with https://'],
    ['MAX_FILE_UPLOAD_MIB', '1 GB', 'it must be a number above 0'],
    ['AUDIT_LOG_DAYS', '5000', 'it must be a whole number from 1 to 3650'],
    ['WEBHOOK_ALLOWED_HOSTS', 'http://10.0.0.5:8080', '10.0.0.5:8080'],
    ['LOG', 'errors', 'it must be all or troubles or off'],
    ['EXTERNAL_CONTENT', 'none', 'it must be proxy or direct'],
    ['SECRETS_KEY', 'too short', 'it must be 32 bytes in base64'],
    ['GIPHY_API_KEY', '', 'it is empty'],
  ] as const)('names a value that the server ignores: %s=%s', (name, value, why) => {
    const [problem, ...others] = settingProblems({ [name]: value })
    expect(problem).toContain(`[vars] ${name} is not understood: `)
    expect(problem).toContain(why)
    expect(others).toEqual([])
  })

  it('names a value that is no text, and every name that is no setting', () => {
    expect(
      settingProblems({
        UPLOAD_QUOTA_MIB: 500,
        RATE_LIMIT_API_BY_USERS: '9/9',
        Emial_From: 'x',
        COLOUR: 'red',
      }),
    ).toEqual([
      '[vars] UPLOAD_QUOTA_MIB is not understood: write its value between quotes.',
      '[vars] RATE_LIMIT_API_BY_USERS is no setting; perhaps RATE_LIMIT_API_BY_USER is meant.',
      '[vars] Emial_From is no setting; perhaps EMAIL_FROM is meant.',
      '[vars] COLOUR is no setting.',
    ])
  })

  it('is what the server itself takes for a limit or not', () => {
    for (const value of ['200/60', '1/1 2/2', '0/60', '200', '200/60,3/4', 'x/y', '-1/60']) {
      const isTaken = readRateLimits({ RATE_LIMIT_API_BY_IP: value }).anonymous !== undefined
      expect([value, CHECKS.RATE_LIMIT_API_BY_IP(value) === undefined]).toEqual([value, isTaken])
    }
  })

  it('is looked for in every setting', () => {
    expect(Object.keys(CHECKS)).toEqual([...SETTINGS])
  })
})
