/** The settings of a deployment, as README.md lists them. All have defaults. */
export const SETTINGS = [
  'RATE_LIMITS',
  'RATE_LIMIT_API_BY_USER',
  'RATE_LIMIT_EVENTS_BY_USER',
  'RATE_LIMIT_API_BY_IP',
  'RATE_LIMIT_PICTURES_BY_IP',
  'RATE_LIMIT_PICTURES',
  'RATE_LIMIT_SPECTATOR_ACCESS_BY_FILE',
  'RATE_LIMIT_LOGIN_BY_USERNAME',
  'RATE_LIMIT_LOGIN_BY_IP',
  'RATE_LIMIT_LOGIN_BY_STRANGERS',
  'RATE_LIMIT_MAIL_BY_USER',
  'RATE_LIMIT_MAIL_BY_IP',
  'RATE_LIMIT_CHANNEL_MAIL',
  'RATE_LIMIT_MAIL_REPLIES',
  'RATE_LIMIT_MISSED_MAIL_BY_USER',
  'RATE_LIMIT_MISSED_MAIL',
  'QUOTAS',
  'CAN_CREATE_USERS',
  'CAN_CHANGE_EMAILS',
  'SMTP_URL',
  'EMAIL_API_URL',
  'EMAIL_API_KEY',
  'EMAIL_FROM',
  'EMAIL_DOMAIN',
  'EMAIL_BOUNCES',
  'PUSH_BOUNCER_URL',
  'PUSH_BOUNCER_ORG_ID',
  'PUSH_BOUNCER_ORG_KEY',
  'MAX_FILE_UPLOAD_MIB',
  'UPLOAD_QUOTA_MIB',
  'EXTERNAL_CONTENT',
  'WEB_PUBLIC_STREAMS_ENABLED',
  'OWNER_FULL_CONTENT_ACCESS',
  'POLL_HOLD_SECONDS',
  'WEBHOOK_ALLOWED_HOSTS',
  'AUDIT_LOG_DAYS',
  'LOG',
  'HEALTH_TOKEN',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'D1_MAX_MIB',
  'JURISDICTION',
] as const

/** Returns the settings that the environment of this process has. */
export function settingsFrom(environment: NodeJS.ProcessEnv): Record<string, string> {
  const given = SETTINGS.map((name) => [name, environment[name]] as const)
  return Object.fromEntries(
    given.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== undefined),
  )
}
